#include "analysis/oracles/j_s6_consensus.h"

#include <algorithm>

#include <fmt/format.h>

namespace photon::analysis {

void Consensus::on_fact(const Fact& fact) {
  using trace::Kind;
  const bool sent = fact.source() == trace::Source::sent;
  switch (fact.header().kind) {
    case Kind::paxos_promise:
      return sent ? on_promise(fact) : void();
    case Kind::paxos_reported:
      return sent ? on_reported(fact) : void();
    case Kind::paxos_accept:
      return sent ? on_accept(fact) : void();
    case Kind::paxos_accepted:
      return states_acceptance(fact.header()) ? on_accepted(fact) : void();
    case Kind::slot_applied:
      return on_slot(fact);
    default:
      return on_operation(fact);
  }
}

Consensus::GroupState* Consensus::group_of(trace::GroupId group) {
  if (group.value() >= config().shards) return nullptr;
  if (groups_.size() < config().shards) groups_.resize(config().shards);
  return &groups_[group.value()];
}

Consensus::Acceptor& Consensus::acceptor_of(GroupState& group, NodeId node) {
  for (Acceptor& acceptor : group.acceptors) {
    if (acceptor.node == node) return acceptor;
  }
  Acceptor& fresh = group.acceptors.emplace_back();
  fresh.node = node;
  return fresh;
}

void Consensus::on_promise(const Fact& fact) {
  const auto& promise = fact.as<trace::PaxosPromise>();
  GroupState* group = group_of(promise.group);
  if (group == nullptr) return fail(fact, "a message names a group that does not exist");
  Acceptor& acceptor = acceptor_of(*group, fact.header().node);
  if (promise.ballot < acceptor.promised) {
    fail(fact, fmt::format("promised ballot {} of group {} although it had promised {}",
                           promise.ballot, promise.group.value(), acceptor.promised));
  }
  acceptor.promised = std::max(acceptor.promised, promise.ballot);
  if (acceptor.open && acceptor.open_ballot != promise.ballot) acceptor.reports.clear();
  acceptor.open = true;
  acceptor.open_ballot = promise.ballot;
  acceptor.open_from = promise.from_slot;
  acceptor.open_reports = promise.reported;
  if (acceptor.reports.size() >= promise.reported) close_promise(fact, promise.group, acceptor);
}

void Consensus::on_reported(const Fact& fact) {
  const auto& reported = fact.as<trace::PaxosReported>();
  GroupState* group = group_of(reported.group);
  if (group == nullptr) return;
  Acceptor& acceptor = acceptor_of(*group, fact.header().node);
  const bool other = !acceptor.reports.empty() &&
                     acceptor.reports.front().promised_ballot != reported.promised_ballot;
  if (other) acceptor.reports.clear();
  acceptor.reports.push_back(reported);
  const bool complete = acceptor.open && acceptor.open_ballot == reported.promised_ballot &&
                        acceptor.reports.size() >= acceptor.open_reports;
  if (complete) close_promise(fact, reported.group, acceptor);
}

// All reports of a promise are in: does it hide an acceptance?
void Consensus::close_promise(const Fact& fact, trace::GroupId group, Acceptor& acceptor) {
  acceptor.open = false;
  std::sort(acceptor.reports.begin(), acceptor.reports.end(),
            [](const auto& left, const auto& right) { return left.slot < right.slot; });
  auto report = acceptor.reports.begin();
  const std::uint64_t first = std::max<std::uint64_t>(acceptor.open_from, 1);
  for (std::uint64_t slot = first; slot <= acceptor.accepted.size(); ++slot) {
    const Acceptance& known = acceptor.accepted[slot - 1];
    if (known.ballot == 0 || known.ballot >= acceptor.open_ballot) continue;
    while (report != acceptor.reports.end() && report->slot < slot) ++report;
    if (report == acceptor.reports.end() || report->slot != slot) {
      fail(fact, fmt::format("the promise of ballot {} in group {} hides the acceptance of slot {} "
                             "at ballot {}",
                             acceptor.open_ballot, group.value(), slot, known.ballot));
      continue;
    }
    const Slot* settled = evidence_.consensus().slot(group, slot);
    const bool chosen_value =
        settled != nullptr && settled->chosen && settled->value == report->value_hash;
    const bool truthful =
        report->accepted_ballot > known.ballot ||
        (report->accepted_ballot == known.ballot && report->value_hash == known.value);
    if (!truthful && !chosen_value) {
      fail(fact,
           fmt::format("the promise of ballot {} in group {} reports slot {} at ballot {} with "
                       "value {:016x}, but ballot {} with {:016x} was accepted",
                       acceptor.open_ballot, group.value(), slot, report->accepted_ballot,
                       report->value_hash, known.ballot, known.value));
    }
  }
  acceptor.reports.clear();
}

void Consensus::on_accept(const Fact& fact) {
  const auto& accept = fact.as<trace::PaxosAccept>();
  if (group_of(accept.group) == nullptr) return fail(fact, "a message names an unknown group");
  const Voting* voting = evidence_.consensus().voting(accept.group, accept.slot, accept.ballot);
  if (voting != nullptr && voting->value != accept.value_hash) {
    fail(fact, fmt::format("ballot {} of group {} proposes value {:016x} in slot {}, and {:016x} "
                           "before",
                           accept.ballot, accept.group.value(), accept.value_hash, accept.slot,
                           voting->value));
  }
}

void Consensus::on_accepted(const Fact& fact) {
  const auto& accepted = fact.as<trace::PaxosAccepted>();
  GroupState* group = group_of(accepted.group);
  if (group == nullptr || accepted.slot == 0 || accepted.slot > ConsensusLedger::kMaxSlot) {
    return fail(fact, "an acceptance names a group or slot that cannot exist");
  }
  Acceptor& acceptor = acceptor_of(*group, fact.header().node);
  if (acceptor.accepted.size() < accepted.slot) acceptor.accepted.resize(accepted.slot);
  Acceptance& known = acceptor.accepted[accepted.slot - 1];
  const bool repeated = known.ballot == accepted.ballot && known.value == accepted.value_hash;
  if (accepted.ballot < acceptor.promised && !repeated) {
    fail(fact,
         fmt::format("accepted slot {} of group {} at ballot {} although it had promised {}",
                     accepted.slot, accepted.group.value(), accepted.ballot, acceptor.promised));
  }
  const Voting* voting =
      evidence_.consensus().voting(accepted.group, accepted.slot, accepted.ballot);
  if (voting != nullptr && voting->value != accepted.value_hash) {
    fail(fact, fmt::format("slot {} of group {}: two values at ballot {}, {:016x} and {:016x}",
                           accepted.slot, accepted.group.value(), accepted.ballot,
                           accepted.value_hash, voting->value));
  }
  acceptor.promised = std::max(acceptor.promised, accepted.ballot);
  if (accepted.ballot >= known.ballot) known = {accepted.ballot, accepted.value_hash};

  // Would this vote choose a second value?
  const Slot* settled = evidence_.consensus().slot(accepted.group, accepted.slot);
  const bool other_settled = settled != nullptr && (settled->chosen || settled->applied) &&
                             settled->value != accepted.value_hash;
  if (!other_settled) return;
  const std::uint32_t before = voting == nullptr ? 0 : voting->proven;
  const std::uint32_t own = evidence_.consensus().bit_of(accepted.group, fact.header().node);
  if (!evidence_.consensus().is_majority(before | own)) return;
  fail(fact,
       fmt::format("slot {} of group {}: value {:016x} is chosen at ballot {}, but {:016x} was "
                   "chosen before",
                   accepted.slot, accepted.group.value(), accepted.value_hash, accepted.ballot,
                   settled->value));
}

void Consensus::on_slot(const Fact& fact) {
  const auto& applied = fact.as<trace::SlotApplied>();
  GroupState* group = group_of(applied.group);
  if (group == nullptr) return fail(fact, "an applied slot names a group that does not exist");
  Progress* progress = nullptr;
  for (Progress& known : group->progress) {
    if (known.node == fact.header().node) progress = &known;
  }
  if (progress == nullptr) {
    progress = &group->progress.emplace_back();
    progress->node = fact.header().node;
  }
  if (progress->life != fact.header().incarnation) {
    *progress = {fact.header().node, fact.header().incarnation, 0};
  }
  if (applied.slot != progress->applied + 1) {
    fail(fact, fmt::format("applied slot {} of group {} after slot {}", applied.slot,
                           applied.group.value(), progress->applied));
  }
  progress->applied = applied.slot;

  const ConsensusLedger& ledger = evidence_.consensus();
  const Slot* slot = ledger.slot(applied.group, applied.slot);
  if (slot != nullptr && (slot->chosen || slot->applied) && slot->value != applied.value_hash) {
    return fail(fact, fmt::format("slot {} of group {}: applied value {:016x}, but {:016x} was {}",
                                  applied.slot, applied.group.value(), applied.value_hash,
                                  slot->value, slot->chosen ? "chosen" : "applied elsewhere"));
  }
  const bool first = slot == nullptr || !slot->applied;
  const bool chosen = slot != nullptr && slot->chosen;
  if (first && !chosen && !ledger.believable(applied.group, applied.slot, applied.value_hash)) {
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
  const AppliedOperation* known = evidence_.consensus().operation(applied);
  if (known == nullptr || known->digest == AppliedOperation::of(applied).digest) return;
  report(
      fact, applied.id,
      fmt::format("slot {} of group {}: operation {} had another outcome here (code {}) than where "
                  "it was first applied",
                  applied.slot, applied.shard.value(), applied.index,
                  static_cast<unsigned>(applied.code)));
}

}  // namespace photon::analysis
