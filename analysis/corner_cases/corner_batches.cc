#include "analysis/corner_cases/corner_batches.h"

#include <algorithm>

namespace photon::analysis {

using trace::Kind;
using trace::RegistryCode;
using trace::RegistryOperation;
using trace::Source;

namespace {

bool is_insert(const SlotOperation& operation) {
  return operation.applied.operation == RegistryOperation::insert;
}

}  // namespace

void CornerBatches::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case Kind::operation_applied:
      return on_operation(fact);
    case Kind::slot_applied:
      return on_slot(fact);
    case Kind::boundary_moved:
      return on_boundary(fact);
    case Kind::registry_ask:
      if (fact.source() == Source::delivered) on_look_up(fact);
      return;
    case Kind::registry_answer:
      if (fact.source() == Source::sent) on_answer(fact);
      return;
    default:
      return;
  }
}

void CornerBatches::on_operation(const Fact& fact) {
  const auto& applied = fact.as<trace::OperationApplied>();
  if (fact.event == kNoIndex || applied.operation != RegistryOperation::insert) return;
  const bool fresh = applied.code == RegistryCode::inserted && applied.fresh != 0;
  if (fresh && applied.id.stamp == evidence_.registry().boundaries().last(applied.shard).highest)
    counts_.hit(Corner::bc13);
  const auto& config = evidence_.config();
  const std::int64_t ahead = nanoseconds_of(applied.id.stamp) - config.calendar_epoch.count() -
                             nanoseconds_of(fact.header().at);
  if (fresh && ahead > 2 * config.clock_epsilon.count()) counts_.hit(Corner::bc30);
  const bool unknown = !evidence_.registry().registration(fact.event).was_owned();
  if (applied.code == RegistryCode::too_old && unknown) counts_.hit(Corner::bc31_insert);
}

void CornerBatches::on_slot(const Fact& fact) {
  const auto& applied = fact.as<trace::SlotApplied>();
  if (!groups_.is_first(applied.group, applied.slot)) return;
  const GroupTerm& group = groups_.of(applied.group);
  if (group.operations.empty()) return;
  const Proposal* proposal = GroupHistory::proposal(group, applied.slot);
  if (proposal != nullptr) batches_[applied.group] = *proposal;
  for (std::size_t i = 0; i < group.operations.size(); ++i) {
    if (is_insert(group.operations[i])) judge_id(group, i);
  }
  const auto same_id = [&](const SlotOperation& each) {
    return is_insert(each) && each.applied.id == group.operations.front().applied.id;
  };
  const auto answered_exists = [](const SlotOperation& each) {
    return each.applied.code == RegistryCode::already_exists;
  };
  const auto count = static_cast<std::ptrdiff_t>(group.operations.size());
  const bool full = proposal != nullptr && proposal->queued_after > 0;
  const bool all_one = std::ranges::all_of(group.operations, same_id);
  const bool one_wins = group.operations.front().applied.fresh != 0 &&
                        std::ranges::count_if(group.operations, answered_exists) == count - 1;
  if (full && count > 1 && all_one && one_wins) counts_.hit(Corner::bc26);
}

void CornerBatches::judge_id(const GroupTerm& group, std::size_t first) {
  const trace::OperationApplied& one = group.operations[first].applied;
  for (std::size_t i = 0; i < first; ++i) {
    if (is_insert(group.operations[i]) && group.operations[i].applied.id == one.id) return;
  }
  if (one.code != RegistryCode::inserted || one.fresh == 0) return;
  bool rival = false;
  bool again = false;
  bool again_after_rival = false;
  for (std::size_t i = first + 1; i < group.operations.size(); ++i) {
    const trace::OperationApplied& next = group.operations[i].applied;
    if (!is_insert(group.operations[i]) || next.id != one.id) continue;
    if (next.code == RegistryCode::already_exists) rival = true;
    if (next.token != one.token || next.code != RegistryCode::inserted) continue;
    again = true;
    again_after_rival |= rival;
  }
  if (rival) counts_.hit(Corner::bc01);
  if (again) counts_.hit(Corner::bc02);
  if (again_after_rival) counts_.hit(Corner::bc03);
}

// A master proposes the earliest end of its own TrueTime interval, less N, at once.
void CornerBatches::on_boundary(const Fact& fact) {
  const auto& moved = fact.as<trace::BoundaryMoved>();
  if (!groups_.is_first(moved.shard, moved.slot)) return;
  const GroupTerm& group = groups_.of(moved.shard);
  const Proposal* proposal = GroupHistory::proposal(group, moved.slot);
  if (proposal == nullptr) return;
  if (proposal->term < group.term) counts_.hit(Corner::bc15);
  const auto& config = evidence_.config();
  const std::int64_t proposed = nanoseconds_of(moved.boundary) + config.gc_age.count() -
                                config.calendar_epoch.count() - nanoseconds_of(proposal->at);
  Move& last = moves_[moved.shard];
  const bool another = last.master != kNoNode && last.master != proposal->master;
  if (another && proposed < last.after_boundary &&
      moved.boundary >= evidence_.registry().boundaries().last(moved.shard).highest) {
    counts_.hit(Corner::bc14);
  }
  last = {proposal->master, proposed};
}

void CornerBatches::on_look_up(const Fact& fact) {
  const auto& ask = fact.as<trace::RegistryAsk>();
  if (ask.operation != RegistryOperation::lookup) return;
  looked_up_.try_emplace(RequestKey{fact.header().peer, ask.request}, fact.header().at);
}

// An answer names the slot it depends on: the one of its batch, if that held anything else. A
// look-up that was queued when the batch was formed is part of it.
void CornerBatches::on_answer(const Fact& fact) {
  const auto& answer = fact.as<trace::RegistryAnswer>();
  if (answer.operation != RegistryOperation::lookup) return;
  const Registration& registration = evidence_.registry().registration(fact.event);
  if (answer.code == RegistryCode::too_old) {
    if (!registration.was_owned()) counts_.hit(Corner::bc31_lookup);
    return;
  }
  const bool inserted_here = registration.is_owned() && registration.owner_slot == answer.slot &&
                             registration.owner_shard == answer.shard;
  if (!inserted_here) return;
  if (answer.code == RegistryCode::not_found) return counts_.hit(Corner::bc05_before);
  const Proposal& batch = batches_[answer.shard];
  const auto asked = looked_up_.find(RequestKey{fact.header().peer, answer.request});
  const bool in_batch = batch.slot == answer.slot && batch.master == fact.header().node &&
                        asked != looked_up_.end() && asked->second <= batch.at;
  if (answer.code == RegistryCode::exists && in_batch) counts_.hit(Corner::bc05_after);
}

}  // namespace photon::analysis
