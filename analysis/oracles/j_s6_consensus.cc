#include "analysis/oracles/j_s6_consensus.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void Consensus::on_fact(const Fact& fact) {
  using trace::Kind;
  const bool sent = fact.source() == trace::Source::sent;
  const bool durable = fact.source() == trace::Source::durable;
  switch (fact.header().kind) {
    case Kind::paxos_promise:
      return sent ? on_promise(fact) : durable ? on_durable_promise(fact) : void();
    case Kind::paxos_reported:
      return sent ? on_reported(fact) : void();
    case Kind::paxos_accept:
      return sent ? on_accept(fact) : void();
    case Kind::paxos_accepted:
      return sent ? on_accepted(fact) : durable ? on_durable_acceptance(fact) : void();
    case Kind::slot_applied:
      return on_slot(fact);
    case Kind::paxos_log_restated:
      return on_restated(fact);
    case Kind::paxos_log_removed:
      return on_removed(fact);
    case Kind::paxos_snapshot:
      return durable ? on_snapshot(fact) : void();
    case Kind::state_restored:
      return on_restored(fact);
    default:
      return on_operation(fact);
  }
}

Consensus::GroupState* Consensus::group_of(trace::GroupId group) {
  if (group.value() >= config().shards) return nullptr;
  if (groups_.size() < config().shards) groups_.resize(config().shards);
  return &groups_[group.value()];
}

// A new disk has promised nothing yet.
Consensus::OpenPromise& Consensus::promise_of(trace::GroupId id, GroupState& group, NodeId node) {
  const std::uint64_t disk = registry_.consensus().disk_of(id, node);
  for (OpenPromise& promise : group.promises) {
    if (promise.node != node) continue;
    if (promise.disk != disk && promise.disk != 0) promise = {};
    promise.node = node;
    promise.disk = disk;
    return promise;
  }
  OpenPromise& fresh = group.promises.emplace_back();
  fresh.node = node;
  fresh.disk = disk;
  return fresh;
}

Consensus::Progress& Consensus::progress_of(GroupState& group, const trace::Header& header) {
  Progress* progress = nullptr;
  for (Progress& known : group.progress) {
    if (known.node == header.node) progress = &known;
  }
  if (progress == nullptr) progress = &group.progress.emplace_back();
  if (progress->node != header.node || progress->life != header.incarnation) {
    *progress = {header.node, header.incarnation, 0};
  }
  return *progress;
}

void Consensus::on_promise(const Fact& fact) {
  oblige();
  const auto& message = fact.as<trace::PaxosPromise>();
  GroupState* group = group_of(message.group);
  if (group == nullptr) return fail(fact, "a message names a group that does not exist");
  OpenPromise& promise = promise_of(message.group, *group, fact.header().node);
  if (message.ballot < promise.stated) {
    fail(fact, fmt::format("promised ballot {} of group {} although it had promised {}",
                           message.ballot, message.group.value(), promise.stated));
  }
  const Acceptor* disk = registry_.consensus().acceptor(message.group, fact.header().node);
  if (disk == nullptr || disk->promised < message.ballot) {
    fail(fact,
         fmt::format("promised ballot {} of group {}, but its log holds no promise above {}",
                     message.ballot, message.group.value(), disk == nullptr ? 0 : disk->promised));
  }
  promise.stated = std::max(promise.stated, message.ballot);
  if (promise.open && promise.ballot != message.ballot) promise.reports.clear();
  promise.open = true;
  promise.ballot = message.ballot;
  promise.from = message.from_slot;
  promise.reports_due = message.reported;
  if (promise.reports.size() >= message.reported) close_promise(fact, message.group, promise);
}

void Consensus::on_reported(const Fact& fact) {
  const auto& reported = fact.as<trace::PaxosReported>();
  GroupState* group = group_of(reported.group);
  if (group == nullptr) return;
  OpenPromise& promise = promise_of(reported.group, *group, fact.header().node);
  const bool other = !promise.reports.empty() &&
                     promise.reports.front().promised_ballot != reported.promised_ballot;
  if (other) promise.reports.clear();
  promise.reports.push_back(reported);
  const bool complete = promise.open && promise.ballot == reported.promised_ballot &&
                        promise.reports.size() >= promise.reports_due;
  if (complete) close_promise(fact, reported.group, promise);
}

// All reports of a promise are in: does it hide an acceptance?
void Consensus::close_promise(const Fact& fact, trace::GroupId group, OpenPromise& promise) {
  promise.open = false;
  std::sort(promise.reports.begin(), promise.reports.end(),
            [](const auto& left, const auto& right) { return left.slot < right.slot; });
  auto report = promise.reports.begin();
  const std::uint64_t first = std::max<std::uint64_t>(promise.from, 1);
  const Acceptor* disk = registry_.consensus().acceptor(group, promise.node);
  const std::uint64_t last = disk == nullptr ? 0 : std::max(disk->accepted.size(), disk->base);
  for (std::uint64_t slot = first; slot <= last; ++slot) {
    const Acceptance known =
        slot <= disk->accepted.size() ? disk->accepted[slot - 1] : Acceptance{};
    // Slots that the log has dropped are chosen: a replica that does not report them must not
    // promise any more. It may have promised before: then it had nothing to report about slots that
    // it never accepted.
    const bool gone = slot <= disk->base && promise.ballot > disk->promised_above;
    if (known.ballot >= promise.ballot || (known.ballot == 0 && !gone)) continue;
    while (report != promise.reports.end() && report->slot < slot) ++report;
    if (report == promise.reports.end() || report->slot != slot) {
      fail(fact, fmt::format("the promise of ballot {} in group {} hides the acceptance of slot {} "
                             "at ballot {}",
                             promise.ballot, group.value(), slot, known.ballot));
      continue;
    }
    const Slot* settled = registry_.consensus().slot(group, slot);
    const bool chosen_value =
        settled != nullptr && settled->chosen && settled->value == report->value_hash;
    const bool truthful =
        report->accepted_ballot > known.ballot ||
        (report->accepted_ballot == known.ballot && report->value_hash == known.value);
    if (!truthful && !chosen_value) {
      fail(fact,
           fmt::format("the promise of ballot {} in group {} reports slot {} at ballot {} with "
                       "value {:016x}, but ballot {} with {:016x} was accepted",
                       promise.ballot, group.value(), slot, report->accepted_ballot,
                       report->value_hash, known.ballot, known.value));
    }
  }
  promise.reports.clear();
}

void Consensus::on_accept(const Fact& fact) {
  oblige();
  const auto& accept = fact.as<trace::PaxosAccept>();
  if (group_of(accept.group) == nullptr) return fail(fact, "a message names an unknown group");
  const Voting* voting = registry_.consensus().voting(accept.group, accept.slot, accept.ballot);
  if (voting != nullptr && voting->value != accept.value_hash) {
    fail(fact, fmt::format("ballot {} of group {} proposes value {:016x} in slot {}, and {:016x} "
                           "before",
                           accept.ballot, accept.group.value(), accept.value_hash, accept.slot,
                           voting->value));
  }
}

// A vote counts for its receiver, so it must be on the sender's disk.
void Consensus::on_accepted(const Fact& fact) {
  oblige();
  const auto& accepted = fact.as<trace::PaxosAccepted>();
  const ConsensusLedger& ledger = registry_.consensus();
  const Voting* voting = ledger.voting(accepted.group, accepted.slot, accepted.ballot);
  const std::uint64_t own = ledger.disk_of(accepted.group, fact.header().node);
  const bool on_disk =
      voting != nullptr && voting->value == accepted.value_hash && (voting->voters & own) != 0;
  if (on_disk) return;
  // Where the disk has a snapshot of the chosen slots, no other value can be proposed, and a vote
  // only states the promise.
  const Acceptor* disk = ledger.acceptor(accepted.group, fact.header().node);
  const Slot* slot = ledger.slot(accepted.group, accepted.slot);
  const bool settled = disk != nullptr && accepted.slot <= disk->snapshot && slot != nullptr &&
                       slot->chosen && slot->value == accepted.value_hash;
  if (settled) return;
  fail(fact,
       fmt::format("stated the acceptance of value {:016x} in slot {} of group {} at ballot "
                   "{}, but its log does not hold it",
                   accepted.value_hash, accepted.slot, accepted.group.value(), accepted.ballot));
}

void Consensus::on_durable_promise(const Fact& fact) {
  oblige();
  const auto& promise = fact.as<trace::PaxosPromise>();
  const Acceptor* disk = registry_.consensus().acceptor(promise.group, fact.header().node);
  if (disk == nullptr || disk->void_bytes || promise.ballot >= disk->promised) return;
  if (disk->restated.open) return;
  fail(fact, fmt::format("wrote the promise of ballot {} of group {} after that of {}",
                         promise.ballot, promise.group.value(), disk->promised));
}

void Consensus::on_durable_acceptance(const Fact& fact) {
  oblige();
  const auto& accepted = fact.as<trace::PaxosAccepted>();
  if (!registry_.consensus().can_be(accepted.group, accepted.slot)) {
    return fail(fact, "an acceptance names a group or slot that cannot exist");
  }
  const Acceptor* disk = registry_.consensus().acceptor(accepted.group, fact.header().node);
  if (disk != nullptr && disk->void_bytes) return;
  if (disk != nullptr && !disk->restated.open && accepted.ballot < disk->promised) {
    fail(fact, fmt::format("accepted slot {} of group {} at ballot {} although it had promised {}",
                           accepted.slot, accepted.group.value(), accepted.ballot, disk->promised));
  }
  const Voting* voting =
      registry_.consensus().voting(accepted.group, accepted.slot, accepted.ballot);
  if (voting != nullptr && voting->value != accepted.value_hash) {
    fail(fact, fmt::format("slot {} of group {}: two values at ballot {}, {:016x} and {:016x}",
                           accepted.slot, accepted.group.value(), accepted.ballot,
                           accepted.value_hash, voting->value));
  }
  check_one_choice(fact, accepted);
}

// A new chain is complete: does it still state everything that counts?
void Consensus::on_restated(const Fact& fact) {
  oblige();
  const auto& restated = fact.as<trace::PaxosLogRestated>();
  const Acceptor* disk = registry_.consensus().acceptor(restated.group, fact.header().node);
  if (disk == nullptr || disk->void_bytes) return;
  if (disk->snapshot < restated.base) {
    fail(fact, fmt::format("the log of group {} drops the slots up to {}, but the snapshot of its "
                           "disk ends with {}",
                           restated.group.value(), restated.base, disk->snapshot));
  }
  if (disk->restated.promised < disk->promised) {
    fail(fact, fmt::format("the log of group {} begins anew with the promise of ballot {}, and "
                           "forgets that of {}",
                           restated.group.value(), disk->restated.promised, disk->promised));
  }
  for (std::uint64_t slot = restated.base + 1; slot <= disk->accepted.size(); ++slot) {
    if (disk->accepted[slot - 1].ballot == 0) continue;
    if (std::ranges::find(disk->restated.slots, slot) != disk->restated.slots.end()) continue;
    fail(fact,
         fmt::format("the log of group {} begins anew after slot {}, and forgets the "
                     "acceptance of slot {} at ballot {}",
                     restated.group.value(), restated.base, slot, disk->accepted[slot - 1].ballot));
  }
}

void Consensus::on_removed(const Fact& fact) {
  oblige();
  const auto& removed = fact.as<trace::PaxosLogRemoved>();
  const Acceptor* disk = registry_.consensus().acceptor(removed.group, fact.header().node);
  if (disk == nullptr || removed.segment < disk->chain) return;
  fail(fact, fmt::format("removed segment {} of the log of group {}, whose chain begins with {}",
                         removed.segment, removed.group.value(), disk->chain));
}

void Consensus::on_snapshot(const Fact& fact) {
  oblige();
  const auto& snapshot = fact.as<trace::PaxosSnapshot>();
  const ConsensusLedger& ledger = registry_.consensus();
  const Slot* slot = ledger.slot(snapshot.group, snapshot.slot);
  if (slot == nullptr || !slot->applied) {
    return fail(fact, fmt::format("a snapshot of group {} after slot {}, which no replica applied",
                                  snapshot.group.value(), snapshot.slot));
  }
  if (slot->state != snapshot.state_hash) {
    fail(fact,
         fmt::format("slot {} of group {}: a snapshot says that the store hashes to {:016x}, "
                     "but it was {:016x}",
                     snapshot.slot, snapshot.group.value(), snapshot.state_hash, slot->state));
  }
  if (ledger.generations_hash(snapshot.group, snapshot.slot) != snapshot.generations_hash) {
    fail(fact, fmt::format("a snapshot of group {} after slot {} names other disks than those that "
                           "were admitted up to there",
                           snapshot.group.value(), snapshot.slot));
  }
}

void Consensus::on_restored(const Fact& fact) {
  oblige();
  const auto& restored = fact.as<trace::StateRestored>();
  GroupState* group = group_of(restored.group);
  if (group == nullptr) return fail(fact, "a restored state names a group that does not exist");
  const Acceptor* disk = registry_.consensus().acceptor(restored.group, fact.header().node);
  if (disk == nullptr || disk->snapshot != restored.slot) {
    fail(fact, fmt::format("restored group {} to slot {} from a snapshot that its disk does not "
                           "hold",
                           restored.group.value(), restored.slot));
  }
  const Slot* slot = registry_.consensus().slot(restored.group, restored.slot);
  const bool known = slot != nullptr && slot->applied;
  if (!known || slot->state != restored.state_hash) {
    fail(fact, fmt::format("slot {} of group {}: the restored store hashes to {:016x}, {}",
                           restored.slot, restored.group.value(), restored.state_hash,
                           known ? fmt::format("but it was {:016x}", slot->state)
                                 : std::string("and no replica has applied that slot")));
  }
  Progress& progress = progress_of(*group, fact.header());
  if (restored.slot < progress.applied) {
    fail(fact, fmt::format("restored group {} to slot {}, below slot {}", restored.group.value(),
                           restored.slot, progress.applied));
  }
  progress.applied = restored.slot;
}

// Would this vote choose a second value?
void Consensus::check_one_choice(const Fact& fact, const trace::PaxosAccepted& accepted) {
  const ConsensusLedger& ledger = registry_.consensus();
  const Slot* settled = ledger.slot(accepted.group, accepted.slot);
  const bool other_settled = settled != nullptr && (settled->chosen || settled->applied) &&
                             settled->value != accepted.value_hash;
  if (!other_settled) return;
  const Voting* known = ledger.voting(accepted.group, accepted.slot, accepted.ballot);
  Voting voting = known == nullptr ? Voting{accepted.ballot, accepted.value_hash, 0} : *known;
  voting.voters |= ledger.disk_of(accepted.group, fact.header().node);
  if (!ledger.is_chosen(accepted.group, accepted.slot, voting)) return;
  fail(fact,
       fmt::format("slot {} of group {}: value {:016x} is chosen at ballot {}, but {:016x} was "
                   "chosen before",
                   accepted.slot, accepted.group.value(), accepted.value_hash, accepted.ballot,
                   settled->value));
}

void Consensus::on_slot(const Fact& fact) {
  oblige();
  const auto& applied = fact.as<trace::SlotApplied>();
  GroupState* group = group_of(applied.group);
  if (group == nullptr) return fail(fact, "an applied slot names a group that does not exist");
  Progress* progress = &progress_of(*group, fact.header());
  if (applied.slot != progress->applied + 1) {
    fail(fact, fmt::format("applied slot {} of group {} after slot {}", applied.slot,
                           applied.group.value(), progress->applied));
  }
  progress->applied = applied.slot;

  const ConsensusLedger& ledger = registry_.consensus();
  const Slot* slot = ledger.slot(applied.group, applied.slot);
  if (slot != nullptr && (slot->chosen || slot->applied) && slot->value != applied.value_hash) {
    return fail(fact, fmt::format("slot {} of group {}: applied value {:016x}, but {:016x} was {}",
                                  applied.slot, applied.group.value(), applied.value_hash,
                                  slot->value, slot->chosen ? "chosen" : "applied elsewhere"));
  }
  const bool first = slot == nullptr || !slot->applied;
  const bool chosen = slot != nullptr && slot->chosen;
  if (first && !chosen) {
    fail(fact, fmt::format("slot {} of group {}: value {:016x} was applied without a majority of "
                           "distinct acceptors at one ballot",
                           applied.slot, applied.group.value(), applied.value_hash));
  }
  if (first) return;
  if (slot->state != applied.state_hash) {
    fail(fact,
         fmt::format("slot {} of group {}: the store hashes to {:016x}, on another replica to "
                     "{:016x}",
                     applied.slot, applied.group.value(), applied.state_hash, slot->state));
  } else if (slot->operations != applied.operations) {
    fail(fact,
         fmt::format("slot {} of group {}: {} operations applied, {} on another replica",
                     applied.slot, applied.group.value(), applied.operations, slot->operations));
  }
}

void Consensus::on_operation(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (applied.operation == trace::RegistryOperation::collect) return;  // see the ledger
  const AppliedOperation* known = registry_.consensus().operation(applied);
  if (known == nullptr) return;
  oblige();
  if (known->digest == AppliedOperation::of(applied).digest) return;
  report(fact, applied.id,
         fmt::format("slot {} of group {}: operation {} had another outcome here (`{}`) than where "
                     "it was first applied",
                     applied.slot, applied.shard.value(), applied.index,
                     trace::name_of(applied.code)));
}

}  // namespace photon::analysis
