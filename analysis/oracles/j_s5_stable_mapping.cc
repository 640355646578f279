#include "analysis/oracles/j_s5_stable_mapping.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/evidence/spec_values.h"

namespace photon::analysis {

namespace {

// "Too old" is no acceptance: it is true at every shard whose boundary has passed the id.
bool accepts(trace::RegistryCode code) {
  return trace::is_definitive(code) && code != trace::RegistryCode::too_old;
}

}  // namespace

StableMapping::StableMapping(const OracleInput& input)
    : Oracle(input), ledger_(config().first_shards), registry_(input.registry()) {
  history_.push_back({Stamp::min(), config().first_shards, {}, false});
}

void StableMapping::on_fact(const Fact& fact) {
  switch (fact.header().kind) {
    case trace::Kind::operation_applied: {
      const auto& applied = fact.as<trace::OperationApplied>();
      if (fact.event == kNoIndex) return;  // about no id, or a replica's repetition
      if (accepts(applied.code)) on_accepted(fact, applied.id, applied.shard);
      return;
    }
    case trace::Kind::registry_answer: {
      const auto& answer = fact.as<trace::RegistryAnswer>();
      if (fact.source() != trace::Source::sent || is_outdated(answer)) return;
      if (accepts(answer.code)) on_accepted(fact, answer.id, answer.shard);
      return;
    }
    case trace::Kind::slot_applied:
      return on_slot(fact, fact.as<trace::SlotApplied>());
    default:
      on_configuration(fact, fact.as<trace::ShardingApplied>());
  }
}

// A replica that was cut off need not know yet that its shard calls the id too old, and the history
// says of such ids only that every shard does.
bool StableMapping::is_outdated(const trace::RegistryAnswer& answer) const {
  return answer.lookups == trace::LookupMode::replica &&
         answer.code == trace::RegistryCode::not_found && answer.id.stamp < ledger_.forgotten();
}

StableMapping::Interval& StableMapping::interval_of(Stamp stamp) {
  const auto after = std::ranges::upper_bound(history_, stamp, {}, &Interval::start);
  return after == history_.begin() ? *after : *std::prev(after);
}

void StableMapping::on_accepted(const Fact& fact, const EventId& id, ShardId shard) {
  oblige();
  std::uint32_t& first = accepted_by_[fact.event];
  Interval& interval = interval_of(id.stamp);
  const std::uint32_t owner = spec_shard_of(id, interval.shards);
  if (first == kNone) {
    first = shard.value();
    if (owner != shard.value()) {
      report(fact, id,
             fmt::format("accepted by shard {}, but shard {} of {} owns ids with that time stamp",
                         shard.value(), owner, interval.shards));
    }
  } else if (first != shard.value()) {
    report(fact, id,
           fmt::format("accepted by shard {}, and earlier by shard {}; by the history shard {} of "
                       "{} owns it",
                       shard.value(), first, owner, interval.shards));
  }
  if (!interval.used || id.stamp > interval.latest.stamp) interval.latest = id;
  interval.used = true;
}

void StableMapping::on_configuration(const Fact& fact, const trace::ShardingApplied& applied) {
  if (applied.group.value() != config().sharding_group) return;
  oblige();
  if (!is_chosen(applied)) {
    return report(fact, EventId{},
                  fmt::format("slot {} of the configuration group: the operation reported as "
                              "applied is not the one that the disks of a majority hold",
                              applied.slot));
  }
  if (applied.slot <= applied_) return;  // by another replica, or again after a restart
  applied_ = applied.slot;
  const Stamp forgotten = ledger_.forgotten();
  switch (ledger_.apply(applied)) {
    case ShardingLedger::Effect::confirmed:
      return cut(fact, ledger_.announced());
    case ShardingLedger::Effect::forgotten:
      return forget(fact, applied.start, ledger_.shards_above(forgotten));
    default:
      return;
  }
}

bool StableMapping::is_chosen(const trace::ShardingApplied& applied) const {
  const Slot* slot = registry_.consensus().slot(applied.group, applied.slot);
  return slot != nullptr && slot->chosen && slot->value == spec_value_of(applied);
}

// Nothing changes the configuration in silence.
void StableMapping::on_slot(const Fact& fact, const trace::SlotApplied& applied) {
  if (applied.group.value() != config().sharding_group || applied.slot <= applied_) return;
  if (applied.value_hash == kSpecNoValue) return;
  const Group* group = registry_.consensus().group(applied.group);
  if (group != nullptr && group->admissions.contains(applied.value_hash)) return;
  report(fact, EventId{},
         fmt::format("slot {} of the configuration group holds an operation that no record states",
                     applied.slot));
}

// Ids below the former horizon need no shard any more.
void StableMapping::forget(const Fact& fact, Stamp below, std::uint32_t shards) {
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    if (registry_.boundaries().last(ShardId(shard)).highest >= below) continue;
    report(fact, EventId{},
           fmt::format("the shards below stamp {} are forgotten, but shard {} does not call all "
                       "their ids too old yet",
                       nanoseconds_of(below), shard));
  }
}

void StableMapping::cut(const Fact& fact, const ShardingLedger::Interval& change) {
  const Stamp start = change.start;
  const std::uint32_t shards = change.shards;
  Interval fresh{start, shards, {}, false};
  for (const Interval& old : history_) {
    if (!old.used || old.latest.stamp < start) continue;
    if (old.shards != shards) {
      report(fact, old.latest,
             fmt::format("from stamp {} on there are {} shards instead of {}, but this id was "
                         "accepted before the change",
                         nanoseconds_of(start), shards, old.shards));
    }
    fresh.latest = old.latest;
    fresh.used = true;
  }
  std::erase_if(history_, [&](const Interval& old) { return old.start >= start; });
  if (history_.empty()) fresh.start = Stamp::min();
  if (history_.empty() || history_.back().shards != shards) {
    history_.push_back(fresh);
  } else if (fresh.used) {  // back to the number before: one interval
    history_.back().latest = fresh.latest;
    history_.back().used = true;
  }
}

}  // namespace photon::analysis
