#include "analysis/evidence/consensus_ledger.h"

#include <algorithm>
#include <bit>

#include "analysis/evidence/spec_values.h"
#include "core_impl/base/check.h"

namespace photon::analysis {

namespace {

// Beyond this many operations of a slot, or out of order, an operation goes to the stray table.
std::uint64_t stray_key(std::uint64_t slot, std::uint32_t index) { return (slot << 24U) | index; }

std::uint32_t number_in(const Group& group, NodeId node) {
  std::uint32_t number = 0;
  while (number < group.replicas.size() && group.replicas[number].node != node) ++number;
  return number;
}

std::uint64_t bit_of(const Acceptor& acceptor) { return std::uint64_t{1} << acceptor.disk; }

// A replica's progress begins anew with each life.
Replica& in_life(Replica& replica, const trace::Header& header) {
  if (replica.life != header.incarnation) replica = {header.node, header.incarnation};
  return replica;
}

// Nothing has been written on its disk since that was formatted.
bool is_blank(const Acceptor& acceptor) {
  return acceptor.segment == 0 && acceptor.promised == 0 && acceptor.accepted.empty() &&
         acceptor.snapshot == 0;
}

}  // namespace

AppliedOperation AppliedOperation::of(const trace::OperationApplied& operation) {
  const EventId& id = operation.id;
  const Token& token = operation.token;
  return {spec_digest({(std::uint64_t{id.server} << 32U) | id.process,
                       static_cast<std::uint64_t>(nanoseconds_of(id.stamp)),
                       (std::uint64_t{token.address} << 32U) | token.incarnation, token.sequence,
                       static_cast<std::uint64_t>(operation.operation),
                       static_cast<std::uint64_t>(operation.code), operation.fresh})};
}

ConsensusLedger::ConsensusLedger(std::uint32_t groups, std::uint32_t replicas_per_group)
    : groups_(groups), replicas_(replicas_per_group), majority_(replicas_per_group / 2 + 1) {}

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

std::uint64_t ConsensusLedger::disk_of(ShardId group, NodeId node) const {
  const Acceptor* found = acceptor(group, node);
  return found == nullptr ? 0 : bit_of(*found);
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

std::uint32_t ConsensusLedger::generation_at(const Group& group, std::uint64_t slot,
                                             std::uint32_t member) const {
  std::uint32_t generation = 1;
  for (const Admitted& admitted : group.admitted) {
    if (admitted.slot >= slot) break;
    if (admitted.member == member) generation = std::max(generation, admitted.generation);
  }
  return generation;
}

bool ConsensusLedger::is_chosen(const Group& group, std::uint64_t slot,
                                const Voting& voting) const {
  const auto all = static_cast<std::uint32_t>(std::popcount(voting.voters));
  if (all < majority_) return false;
  // No disk was ever replaced.
  if (group.disks.size() == group.replicas.size() && group.admissions.empty()) return true;
  const auto admission = group.admissions.find(voting.value);
  std::uint32_t counted = 0;
  for (std::uint32_t disk = 0; disk < group.disks.size(); ++disk) {
    if ((voting.voters >> disk & 1U) == 0) continue;
    const std::uint32_t member = group.acceptors[group.disks[disk].replica].member;
    if (admission != group.admissions.end() && admission->second.member == member) continue;
    if (generation_at(group, slot, member) == group.disks[disk].generation) ++counted;
  }
  return counted >= majority_;
}

bool ConsensusLedger::is_chosen(ShardId group_id, std::uint64_t slot, const Voting& voting) const {
  const Group* found = group(group_id);
  return found != nullptr && is_chosen(*found, slot, voting);
}

bool ConsensusLedger::votes(ShardId group_id, NodeId node) const {
  const Group* found = group(group_id);
  const Acceptor* present = acceptor(group_id, node);
  if (found == nullptr || present == nullptr) return true;  // nothing was ever done to its disk
  return generation_at(*found, found->highest_chosen + 1, present->member) ==
         found->disks[present->disk].generation;
}

std::uint64_t ConsensusLedger::admissions() const {
  std::uint64_t count = 0;
  for (const Group& group : groups_) count += group.admitted.size();
  return count;
}

std::vector<std::uint32_t> ConsensusLedger::generations_after(ShardId group_id,
                                                              std::uint64_t slot) const {
  std::vector<std::uint32_t> generations;
  const Group* found = group(group_id);
  for (std::uint32_t member = 0; found != nullptr && member < replicas_; ++member) {
    generations.push_back(generation_at(*found, slot + 1, member));
  }
  return generations;
}

std::uint64_t ConsensusLedger::generations_hash(ShardId group_id, std::uint64_t slot) const {
  return group(group_id) == nullptr ? 0 : spec_generations(generations_after(group_id, slot));
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
    case Kind::paxos_admission:
      if (durable) admission(record.as<trace::PaxosAdmission>());
      break;
    case Kind::paxos_log_restated:
      restated(header, record.as<trace::PaxosLogRestated>());
      break;
    case Kind::paxos_formatted:
      formatted(header, record.as<trace::PaxosFormatted>());
      break;
    case Kind::paxos_snapshot:
      snapshot(header, record.as<trace::PaxosSnapshot>());
      break;
    case Kind::state_restored:
      restore(header, record.as<trace::StateRestored>());
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
    group.acceptors.emplace_back().disk = static_cast<std::uint32_t>(group.disks.size());
    group.disks.push_back({number, 1});
    PHOTON_CHECK(group.disks.size() <= kMaxDisks, "the disks of a group fit into a bit set");
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

// A new segment decides what of the last append counts. An append that follows another one in the
// same segment comes from a life that knew the other one to be durable.
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
  if (written.offset == 0) acceptor.member = written.replica;
  // Segments before the first that counts are creations that were torn.
  if (written.offset == 0 && written.previous == 0) acceptor.chain = written.segment;
  acceptor.restated = {written.beginning == 1, 0, {}};
}

void ConsensusLedger::restated(const trace::Header& header,
                               const trace::PaxosLogRestated& restated) {
  if (!can_be(restated.group, restated.base + 1)) return;
  Group* group = find(restated.group);
  Acceptor& acceptor = group->acceptors[number_of(*group, header)];
  if (acceptor.void_bytes) return;
  if (restated.base > acceptor.base) acceptor.promised_above = acceptor.promised;
  acceptor.base = std::max(acceptor.base, restated.base);
  acceptor.chain = restated.segment;
  acceptor.restated = {};
}

// Another acceptor, that knows nothing. The votes of the old one stay what they are. A write whose
// end was in doubt may be repeated: then it is the same disk as before.
void ConsensusLedger::formatted(const trace::Header& header,
                                const trace::PaxosFormatted& formatted) {
  Group* group = find(formatted.group);
  if (group == nullptr) return;
  const std::uint32_t number = number_of(*group, header);
  const Acceptor& present = group->acceptors[number];
  if (is_blank(present) && group->disks[present.disk].generation == formatted.generation) return;
  const std::uint32_t member = present.member;
  group->acceptors[number] = {};
  group->acceptors[number].disk = static_cast<std::uint32_t>(group->disks.size());
  group->acceptors[number].member = member;
  group->disks.push_back({number, formatted.generation});
  PHOTON_CHECK(group->disks.size() <= kMaxDisks, "the disks of a group fit into a bit set");
}

void ConsensusLedger::snapshot(const trace::Header& header, const trace::PaxosSnapshot& snapshot) {
  Group* group = find(snapshot.group);
  if (group == nullptr) return;
  Acceptor& acceptor = group->acceptors[number_of(*group, header)];
  acceptor.snapshot = snapshot.slot;
}

// It follows the first acceptance of its value.
void ConsensusLedger::admission(const trace::PaxosAdmission& admission) {
  Group* group = find(admission.group);
  if (group == nullptr) return;
  group->admissions.try_emplace(admission.value_hash,
                                Admitted{0, admission.replica, admission.generation});
}

void ConsensusLedger::promise(const trace::Header& header, const trace::PaxosPromise& promise) {
  Group* group = find(promise.group);
  if (group == nullptr) return;
  Acceptor& acceptor = group->acceptors[number_of(*group, header)];
  if (acceptor.void_bytes) return;
  acceptor.last_append.push_back({0, acceptor.promised, {}, {}});
  acceptor.restated.promised = std::max(acceptor.restated.promised, promise.ballot);
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
  if (acceptor.restated.open) {
    acceptor.restated.promised = std::max(acceptor.restated.promised, accepted.ballot);
    // What is older than the known one says it not again, and is no news either.
    if (accepted.ballot < known.ballot) return;
    acceptor.restated.slots.push_back(accepted.slot);
  }
  const bool voted = vote(*group, number, accepted);
  acceptor.last_append.push_back(
      {accepted.slot, acceptor.promised, known, voted ? fresh : Acceptance{}});
  acceptor.promised = std::max(acceptor.promised, accepted.ballot);
  known = fresh;
}

// True if the vote is a new one.
bool ConsensusLedger::vote(Group& group, std::uint32_t number,
                           const trace::PaxosAccepted& accepted) {
  const std::uint64_t disk = bit_of(group.acceptors[number]);
  Voting& voting = voting_of(group, accepted.slot, accepted.ballot, accepted.value_hash);
  // Of another value the consensus oracle has reported it.
  if (voting.value != accepted.value_hash || (voting.voters & disk) != 0) return false;
  voting.voters |= disk;
  judge(group, accepted.slot, voting);
  return true;
}

void ConsensusLedger::judge(Group& group, std::uint64_t slot_number, const Voting& voting) {
  if (!is_chosen(group, slot_number, voting)) return;
  Slot& slot = group.slots[slot_number - 1];
  if (!slot.chosen && !slot.applied) slot.value = voting.value;
  const bool news = !slot.chosen;
  slot.chosen = true;
  group.highest_chosen = std::max(group.highest_chosen, slot_number);
  if (news && group.admissions.contains(slot.value)) admitted(group, slot_number);
}

// After a chosen admission other disks count than before.
void ConsensusLedger::admitted(Group& group, std::uint64_t slot) {
  Admitted fresh = group.admissions.find(group.slots[slot - 1].value)->second;
  fresh.slot = slot;
  const auto place = std::ranges::lower_bound(group.admitted, slot, {}, &Admitted::slot);
  if (place != group.admitted.end() && place->slot == slot) return;
  group.admitted.insert(place, fresh);
  const std::uint64_t last = group.slots.size();
  for (std::uint64_t later = slot + 1; later <= last; ++later) recount(group, later);
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

void ConsensusLedger::unvote(Group& group, std::uint32_t number, std::uint64_t slot,
                             const Acceptance& voted) {
  voting_of(group, slot, voted.ballot, voted.value).voters &= ~bit_of(group.acceptors[number]);
  recount(group, slot);
}

void ConsensusLedger::recount(Group& group, std::uint64_t slot) {
  group.slots[slot - 1].chosen = false;
  std::erase_if(group.admitted, [&](const Admitted& each) { return each.slot == slot; });
  judge(group, slot, group.votings[slot - 1]);
  for (const auto& [of, voting] : group.more_votings) {
    if (of == slot) judge(group, slot, voting);
  }
  const auto settled = [&](const Slot& each) { return each.chosen || each.applied; };
  while (group.highest_chosen > 0 && !settled(group.slots[group.highest_chosen - 1])) {
    --group.highest_chosen;
  }
}

// The state after a slot is that of the first replica to apply it; the oracle compares the others.
void ConsensusLedger::restore(const trace::Header& header, const trace::StateRestored& restored) {
  if (!can_be(restored.group, restored.slot)) return;
  Group* group = find(restored.group);
  Replica& replica = in_life(group->replicas[number_of(*group, header)], header);
  replica.applied = std::max(replica.applied, restored.slot);
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
