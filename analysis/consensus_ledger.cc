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

std::uint32_t ConsensusLedger::bit_of(ShardId group_id, NodeId node) const {
  const Group* found = group(group_id);
  if (found == nullptr) return 0;
  const std::uint32_t number = number_in(*found, node);
  return number < found->replicas.size() ? std::uint32_t{1} << number : 0;
}

const Voting* ConsensusLedger::voting(ShardId group_id, std::uint64_t slot,
                                      std::uint64_t ballot) const {
  const Group* found = group(group_id);
  if (found == nullptr || slot == 0 || slot > found->votings.size()) return nullptr;
  const Voting& first = found->votings[slot - 1];
  if (first.ballot == ballot && (first.proven | first.implied) != 0) return &first;
  for (const auto& [of, voting] : found->more_votings) {
    if (of == slot && voting.ballot == ballot) return &voting;
  }
  return nullptr;
}

bool ConsensusLedger::is_majority(std::uint32_t acceptors) const {
  return static_cast<std::uint32_t>(std::popcount(acceptors)) >= majority_;
}

bool ConsensusLedger::believable(ShardId group_id, std::uint64_t slot, std::uint64_t value) const {
  const Group* found = group(group_id);
  if (found == nullptr || slot == 0 || slot > found->votings.size()) return false;
  const auto carries = [&](const Voting& voting) {
    return voting.value == value && is_majority(voting.proven | voting.implied);
  };
  if (carries(found->votings[slot - 1])) return true;
  return std::any_of(
      found->more_votings.begin(), found->more_votings.end(),
      [&](const auto& entry) { return entry.first == slot && carries(entry.second); });
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
  switch (header.kind) {
    case Kind::paxos_accept:
      if (header.source == trace::Source::sent) propose(header, record.as<trace::PaxosAccept>());
      break;
    case Kind::paxos_accepted:
      if (states_acceptance(header)) vote(header, record.as<trace::PaxosAccepted>());
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

Replica& ConsensusLedger::replica_of(Group& group, const trace::Header& header) {
  const std::uint32_t number = number_in(group, header.node);
  if (number == group.replicas.size()) group.replicas.push_back({header.node, header.incarnation});
  Replica& replica = group.replicas[number];
  if (replica.life != header.incarnation) replica = {header.node, header.incarnation};
  return replica;
}

Voting& ConsensusLedger::voting_of(Group& group, std::uint64_t slot, std::uint64_t ballot,
                                   std::uint64_t value) {
  slot_of(group, slot);
  Voting& first = group.votings[slot - 1];
  if ((first.proven | first.implied) == 0) first = {ballot, value, 0, 0};
  if (first.ballot == ballot) return first;
  for (auto& [of, voting] : group.more_votings) {
    if (of == slot && voting.ballot == ballot) return voting;
  }
  return group.more_votings.emplace_back(slot, Voting{ballot, value, 0, 0}).second;
}

void ConsensusLedger::propose(const trace::Header& header, const trace::PaxosAccept& accept) {
  Group* group = find(accept.group);
  if (group == nullptr || accept.slot == 0 || accept.slot > kMaxSlot) return;
  replica_of(*group, header);
  Voting& voting = voting_of(*group, accept.slot, accept.ballot, accept.value_hash);
  voting.implied |= std::uint32_t{1} << (number_in(*group, header.node) & 31U);
}

void ConsensusLedger::vote(const trace::Header& header, const trace::PaxosAccepted& accepted) {
  Group* group = find(accepted.group);
  if (group == nullptr || accepted.slot == 0 || accepted.slot > kMaxSlot) return;
  replica_of(*group, header);
  Voting& voting = voting_of(*group, accepted.slot, accepted.ballot, accepted.value_hash);
  if (voting.value != accepted.value_hash) return;  // the consensus oracle has reported it
  voting.proven |= std::uint32_t{1} << (number_in(*group, header.node) & 31U);
  if (!is_majority(voting.proven)) return;
  Slot& slot = group->slots[accepted.slot - 1];
  if (!slot.chosen && !slot.applied) slot.value = accepted.value_hash;
  slot.chosen = true;
  group->highest_chosen = std::max(group->highest_chosen, accepted.slot);
}

void ConsensusLedger::apply(const trace::Header& header, const trace::SlotApplied& applied) {
  Group* group = find(applied.group);
  if (group == nullptr || applied.slot == 0 || applied.slot > kMaxSlot) return;
  Replica& replica = replica_of(*group, header);
  replica.applied = std::max(replica.applied, applied.slot);
  const auto bit = std::uint32_t{1} << (number_in(*group, header.node) & 31U);
  Slot& slot = slot_of(*group, applied.slot);
  if (!slot.applied) {
    slot.applied = true;
    if (!slot.chosen) slot.value = applied.value_hash;
    slot.state = applied.state_hash;
    slot.operations = applied.operations;
  }
  slot.applied_by |= bit;
  group->highest_chosen = std::max(group->highest_chosen, applied.slot);
}

void ConsensusLedger::apply(const trace::Header& header, const trace::OperationApplied& applied) {
  Group* group = find(applied.shard);
  if (group == nullptr || applied.slot == 0 || applied.slot > kMaxSlot) return;
  Replica& replica = replica_of(*group, header);
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
