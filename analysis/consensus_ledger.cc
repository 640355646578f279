#include "analysis/consensus_ledger.h"

#include <algorithm>
#include <bit>

namespace photon::analysis {

namespace {

// Beyond this many operations of a slot, or out of order, an operation goes to the stray table.
std::uint64_t stray_key(std::uint64_t slot, std::uint32_t index) { return (slot << 24U) | index; }

std::uint32_t number_in(const Group& group, NodeId node) {
  std::uint32_t number = 0;
  while (number < group.replicas.size() && group.replicas[number].node != node) ++number;
  return number;
}

std::uint32_t bit(std::uint32_t number) { return std::uint32_t{1} << (number & 31U); }

// A replica's progress begins anew with each life.
Replica& in_life(Replica& replica, const trace::Header& header) {
  if (replica.life != header.incarnation) replica = {header.node, header.incarnation};
  return replica;
}

}  // namespace

AppliedOperation AppliedOperation::of(const trace::OperationApplied& operation) {
  std::uint64_t digest = combine(hash_of(operation.id), hash_of(operation.token));
  digest = combine(digest, static_cast<std::uint64_t>(operation.operation));
  digest = combine(digest, static_cast<std::uint64_t>(operation.code));
  return {combine(digest, operation.fresh)};
}

ConsensusLedger::ConsensusLedger(std::uint32_t groups, std::uint32_t majority)
    : groups_(groups), majority_(majority) {}

const Group* ConsensusLedger::group(ShardId group) const {
  return group.value() < groups_.size() ? &groups_[group.value()] : nullptr;
}

Group* ConsensusLedger::find(ShardId group) {
  return group.value() < groups_.size() ? &groups_[group.value()] : nullptr;
}

const Slot* ConsensusLedger::slot(ShardId group_id, std::uint64_t slot) const {
  const Group* found = group(group_id);
  if (found == nullptr || slot == 0 || slot > found->slots.size()) return nullptr;
  return &found->slots[slot - 1];
}

const Replica* ConsensusLedger::replica(ShardId group_id, NodeId node) const {
  const Group* found = group(group_id);
  if (found == nullptr) return nullptr;
  const std::uint32_t number = number_in(*found, node);
  return number < found->replicas.size() ? &found->replicas[number] : nullptr;
}

const Acceptor* ConsensusLedger::acceptor(ShardId group_id, NodeId node) const {
  const Group* found = group(group_id);
  if (found == nullptr) return nullptr;
  const std::uint32_t number = number_in(*found, node);
  return number < found->acceptors.size() ? &found->acceptors[number] : nullptr;
}

std::uint32_t ConsensusLedger::bit_of(ShardId group_id, NodeId node) const {
  const Group* found = group(group_id);
  if (found == nullptr) return 0;
  const std::uint32_t number = number_in(*found, node);
  return number < found->replicas.size() ? bit(number) : 0;
}

const Voting* ConsensusLedger::voting(ShardId group_id, std::uint64_t slot,
                                      std::uint64_t ballot) const {
  const Group* found = group(group_id);
  if (found == nullptr || slot == 0 || slot > found->votings.size()) return nullptr;
  const Voting& first = found->votings[slot - 1];
  if (ballot == 0) return nullptr;
  if (first.ballot == ballot) return &first;
  for (const auto& [of, voting] : found->more_votings) {
    if (of == slot && voting.ballot == ballot) return &voting;
  }
  return nullptr;
}

bool ConsensusLedger::is_majority(std::uint32_t acceptors) const {
  return static_cast<std::uint32_t>(std::popcount(acceptors)) >= majority_;
}

bool ConsensusLedger::can_be(ShardId group_id, std::uint64_t slot) const {
  const Group* found = group(group_id);
  return found != nullptr && slot != 0 && slot - 1 <= found->slots.size() + kMaxGap;
}

const AppliedOperation* ConsensusLedger::operation(const trace::OperationApplied& applied) const {
  const Slot* known = slot(applied.shard, applied.slot);
  if (known == nullptr) return nullptr;
  const Group& group = groups_[applied.shard.value()];
  if (applied.index < known->operations_seen) {
    return &group.operations[known->first_operation + applied.index];
  }
  const auto stray = group.stray_operations.find(stray_key(applied.slot, applied.index));
  return stray == group.stray_operations.end() ? nullptr : &stray->second;
}

void ConsensusLedger::absorb(const trace::Record& record) {
  using trace::Kind;
  const trace::Header& header = record.header;
  const bool durable = header.source == trace::Source::durable;
  switch (header.kind) {
    case Kind::paxos_accept:
      if (header.source == trace::Source::sent) propose(header, record.as<trace::PaxosAccept>());
      break;
    case Kind::paxos_log_written:
      write(header, record.as<trace::PaxosLogWritten>());
      break;
    case Kind::paxos_promise:
      if (durable) promise(header, record.as<trace::PaxosPromise>());
      break;
    case Kind::paxos_accepted:
      if (durable) accept(header, record.as<trace::PaxosAccepted>());
      break;
    case Kind::slot_applied:
      apply(header, record.as<trace::SlotApplied>());
      break;
    case Kind::operation_applied:
      apply(header, record.as<trace::OperationApplied>());
      break;
    default:
      break;
  }
}

Slot& ConsensusLedger::slot_of(Group& group, std::uint64_t slot) {
  if (slot > group.slots.size()) {
    group.slots.resize(slot);
    group.votings.resize(slot);
  }
  return group.slots[slot - 1];
}

// The number of the record's replica, in the life that the record belongs to.
std::uint32_t ConsensusLedger::number_of(Group& group, const trace::Header& header) {
  const std::uint32_t number = number_in(group, header.node);
  if (number == group.replicas.size()) {
    group.replicas.push_back({header.node, header.incarnation});
    group.acceptors.emplace_back();
  }
  return number;
}

Voting& ConsensusLedger::voting_of(Group& group, std::uint64_t slot, std::uint64_t ballot,
                                   std::uint64_t value) {
  slot_of(group, slot);
  Voting& first = group.votings[slot - 1];
  if (first.ballot == 0) first = {ballot, value, 0};
  if (first.ballot == ballot) return first;
  for (auto& [of, voting] : group.more_votings) {
    if (of == slot && voting.ballot == ballot) return voting;
  }
  return group.more_votings.emplace_back(slot, Voting{ballot, value, 0}).second;
}

void ConsensusLedger::propose(const trace::Header& header, const trace::PaxosAccept& accept) {
  if (!can_be(accept.group, accept.slot)) return;
  Group* group = find(accept.group);
  number_of(*group, header);
  voting_of(*group, accept.slot, accept.ballot, accept.value_hash);
}

// A new segment decides what of the last append counts; an append behind another one in the same
// segment could be made only by a life that knew the other one to be durable.
void ConsensusLedger::write(const trace::Header& header, const trace::PaxosLogWritten& written) {
  Group* group = find(written.group);
  if (group == nullptr) return;
  const std::uint32_t number = number_of(*group, header);
  Acceptor& acceptor = group->acceptors[number];
  acceptor.void_bytes = written.segment < acceptor.segment;
  if (acceptor.void_bytes) return;
  if (written.segment > acceptor.segment) {
    const bool continued =
        acceptor.segment < written.previous ||
        (acceptor.segment == written.previous && acceptor.offset < written.previous_valid);
    if (!continued) take_back(*group, number);
  }
  acceptor.last_append.clear();
  acceptor.segment = written.segment;
  acceptor.offset = written.offset;
}

void ConsensusLedger::promise(const trace::Header& header, const trace::PaxosPromise& promise) {
  Group* group = find(promise.group);
  if (group == nullptr) return;
  Acceptor& acceptor = group->acceptors[number_of(*group, header)];
  if (acceptor.void_bytes) return;
  acceptor.last_append.push_back({0, acceptor.promised, {}, {}});
  acceptor.promised = std::max(acceptor.promised, promise.ballot);
}

void ConsensusLedger::accept(const trace::Header& header, const trace::PaxosAccepted& accepted) {
  if (!can_be(accepted.group, accepted.slot)) return;
  Group* group = find(accepted.group);
  const std::uint32_t number = number_of(*group, header);
  Acceptor& acceptor = group->acceptors[number];
  if (acceptor.void_bytes) return;
  if (acceptor.accepted.size() < accepted.slot) acceptor.accepted.resize(accepted.slot);
  Acceptance& known = acceptor.accepted[accepted.slot - 1];
  const Acceptance fresh{accepted.ballot, accepted.value_hash};
  const bool voted = vote(*group, number, accepted);
  acceptor.last_append.push_back(
      {accepted.slot, acceptor.promised, known, voted ? fresh : Acceptance{}});
  acceptor.promised = std::max(acceptor.promised, accepted.ballot);
  known = fresh;
}

// True if the vote is a new one.
bool ConsensusLedger::vote(Group& group, std::uint32_t number,
                           const trace::PaxosAccepted& accepted) {
  Voting& voting = voting_of(group, accepted.slot, accepted.ballot, accepted.value_hash);
  // Of another value the consensus oracle has reported it.
  if (voting.value != accepted.value_hash || (voting.voters & bit(number)) != 0) return false;
  voting.voters |= bit(number);
  if (!is_majority(voting.voters)) return true;
  Slot& slot = group.slots[accepted.slot - 1];
  if (!slot.chosen && !slot.applied) slot.value = accepted.value_hash;
  slot.chosen = true;
  group.highest_chosen = std::max(group.highest_chosen, accepted.slot);
  return true;
}

void ConsensusLedger::take_back(Group& group, std::uint32_t number) {
  Acceptor& acceptor = group.acceptors[number];
  for (auto undo = acceptor.last_append.rbegin(); undo != acceptor.last_append.rend(); ++undo) {
    acceptor.promised = undo->promised;
    if (undo->slot == 0) continue;
    acceptor.accepted[undo->slot - 1] = undo->accepted;
    if (undo->voted.ballot != 0) unvote(group, number, undo->slot, undo->voted);
  }
}

void ConsensusLedger::unvote(Group& group, std::uint32_t number, std::uint64_t slot_number,
                             const Acceptance& voted) {
  voting_of(group, slot_number, voted.ballot, voted.value).voters &= ~bit(number);
  bool chosen = is_majority(group.votings[slot_number - 1].voters);
  for (const auto& [of, voting] : group.more_votings) {
    chosen |= of == slot_number && is_majority(voting.voters);
  }
  group.slots[slot_number - 1].chosen = chosen;
  const auto settled = [&](const Slot& slot) { return slot.chosen || slot.applied; };
  while (group.highest_chosen > 0 && !settled(group.slots[group.highest_chosen - 1])) {
    --group.highest_chosen;
  }
}

void ConsensusLedger::apply(const trace::Header& header, const trace::SlotApplied& applied) {
  if (!can_be(applied.group, applied.slot)) return;
  Group* group = find(applied.group);
  const std::uint32_t number = number_of(*group, header);
  Replica& replica = in_life(group->replicas[number], header);
  replica.applied = std::max(replica.applied, applied.slot);
  Slot& slot = slot_of(*group, applied.slot);
  if (!slot.applied) {
    slot.applied = true;
    if (!slot.chosen) slot.value = applied.value_hash;
    slot.state = applied.state_hash;
    slot.operations = applied.operations;
  }
  slot.applied_by |= bit(number);
  group->highest_chosen = std::max(group->highest_chosen, applied.slot);
}

void ConsensusLedger::apply(const trace::Header& header, const trace::OperationApplied& applied) {
  if (!can_be(applied.shard, applied.slot)) return;
  Group* group = find(applied.shard);
  Replica& replica = in_life(group->replicas[number_of(*group, header)], header);
  // A collection states one record per id under one index: the state hash covers it.
  if (applied.operation == trace::RegistryOperation::collect) return;
  replica.operations_of = std::max(replica.operations_of, applied.slot);
  if (operation(applied) != nullptr) return;
  Slot& slot = slot_of(*group, applied.slot);
  if (slot.operations_seen == 0) slot.first_operation = group->operations.size();
  const bool adjoins = applied.index == slot.operations_seen &&
                       slot.first_operation + slot.operations_seen == group->operations.size();
  if (adjoins) {
    group->operations.push_back(AppliedOperation::of(applied));
    ++slot.operations_seen;
  } else {
    group->stray_operations.emplace(stray_key(applied.slot, applied.index),
                                    AppliedOperation::of(applied));
  }
}

}  // namespace photon::analysis
