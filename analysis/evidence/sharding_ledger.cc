#include "analysis/evidence/sharding_ledger.h"

#include <algorithm>

namespace photon::analysis {

ShardingLedger::ShardingLedger(std::uint32_t first_shards) {
  intervals_.push_back({Stamp::min(), first_shards});
}

ShardingLedger::Effect ShardingLedger::apply(const trace::ShardingApplied& applied) {
  switch (applied.action) {
    case trace::ShardingAction::announce:
      return announce(applied);
    case trace::ShardingAction::confirm:
    case trace::ShardingAction::cancel:
      return decide(applied);
    case trace::ShardingAction::extend_horizon:
      if (!open_ || applied.start <= announced_.start) {
        horizon_ = std::max(horizon_, applied.start);
      }
      return Effect::none;
    case trace::ShardingAction::forget:
      return forget(applied);
  }
  return Effect::none;
}

ShardingLedger::Effect ShardingLedger::announce(const trace::ShardingApplied& applied) {
  const Interval& last = intervals_.back();
  const bool changes = applied.start < last.start || applied.shards != last.shards;
  if (open_ || applied.version != version_ || applied.shards == 0 || applied.start < horizon_ ||
      applied.start <= Stamp{} || !changes) {
    return Effect::none;
  }
  announced_ = {applied.start, applied.shards};
  open_ = true;
  ++version_;
  return Effect::announced;
}

ShardingLedger::Effect ShardingLedger::decide(const trace::ShardingApplied& applied) {
  if (!open_ || applied.version != version_) return Effect::none;
  open_ = false;
  ++version_;
  if (applied.action == trace::ShardingAction::cancel) return Effect::cancelled;
  cut();
  return Effect::confirmed;
}

// Back to the number before: one interval.
void ShardingLedger::cut() {
  std::erase_if(intervals_, [&](const Interval& old) { return old.start >= announced_.start; });
  if (intervals_.empty()) {
    intervals_.push_back({Stamp::min(), announced_.shards});
  } else if (intervals_.back().shards != announced_.shards) {
    intervals_.push_back(announced_);
  }
}

ShardingLedger::Effect ShardingLedger::forget(const trace::ShardingApplied& applied) {
  const bool at_an_end =
      std::ranges::find(intervals_, applied.start, &Interval::start) != intervals_.end();
  if (open_ || applied.version != version_ || applied.start <= forgotten_ || !at_an_end) {
    return Effect::none;
  }
  forgotten_ = applied.start;
  ++version_;
  return Effect::forgotten;
}

std::uint32_t ShardingLedger::shards_above(Stamp forgotten) const {
  std::uint32_t shards = 0;
  for (std::size_t i = 0; i < intervals_.size(); ++i) {
    const bool last = i + 1 == intervals_.size();
    if (last || intervals_[i + 1].start > forgotten) {
      shards = std::max(shards, intervals_[i].shards);
    }
  }
  return shards;
}

}  // namespace photon::analysis
