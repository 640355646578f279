#include "sim/effect_tracker.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::sim {

bool EffectTracker::is_open(std::uint32_t fault) const {
  return fault != kNoFault && !effects_.had_effect(fault);
}

void EffectTracker::late(std::uint64_t item, std::uint32_t fault, SimTime due) {
  if (!is_open(fault)) return;
  under_way_.emplace(item, Claim{Claim::Kind::late, fault, due});
}

void EffectTracker::reordered(std::uint64_t item, std::uint32_t fault, SimTime due,
                              const Link& link) {
  if (!is_open(fault)) return;
  racing_[link].emplace(item, Racing{fault, due});
  links_.emplace(item, link);
}

void EffectTracker::duplicated(std::uint64_t item, std::uint64_t copy, std::uint32_t fault,
                               Copying copying) {
  if (!is_open(fault)) return;
  const bool any_time = copying == Copying::any_time;
  const auto first = any_time ? Claim::Kind::twin : Claim::Kind::original;
  const auto second = any_time ? Claim::Kind::twin : Claim::Kind::late_copy;
  under_way_.emplace(item, Claim{first, fault, {}, copy});
  under_way_.emplace(copy, Claim{second, fault, {}, item});
}

// Of two copies the second one to arrive finds that the other has arrived.
void EffectTracker::inform_other(const Claim& claim, SimTime now) {
  const auto [begin, end] = under_way_.equal_range(claim.other);
  const auto other = std::find_if(begin, end, [&](const auto& each) {
    return each.second.is_of_two() && each.second.fault == claim.fault;
  });
  if (other == end) return;
  other->second.other_arrived = true;
  other->second.due = now;
}

bool EffectTracker::is_effect(const Claim& claim, const Arrival& arrival) {
  switch (claim.kind) {
    case Claim::Kind::late:
      return arrival.last > claim.due;
    case Claim::Kind::original:
      return false;
    case Claim::Kind::twin:
      return claim.other_arrived;
    case Claim::Kind::late_copy:
      return claim.other_arrived && arrival.last > claim.due;
  }
  return false;
}

// An arrived message may have been overtaken, and has overtaken those that were sent before it.
void EffectTracker::race(std::uint64_t item, const Arrival& arrival) {
  const auto [begin, end] = overtaken_.equal_range(item);
  for (auto each = begin; each != end; ++each) effects_.took_effect(each->second);
  const auto found = racing_.find(arrival.link);
  if (found == racing_.end()) return;
  auto& racing = found->second;
  for (auto each = racing.begin(); each != racing.end() && each->first < item;) {
    if (each->second.due < arrival.now) {
      overtaken_.emplace(each->first, each->second.fault);
      each = racing.erase(each);
    } else {
      ++each;
    }
  }
}

void EffectTracker::arrived(std::uint64_t item, const Arrival& arrival) {
  const auto [begin, end] = under_way_.equal_range(item);
  for (auto each = begin; each != end; ++each) {
    const Claim& claim = each->second;
    if (claim.is_of_two()) inform_other(claim, arrival.now);
    if (is_effect(claim, arrival)) effects_.took_effect(claim.fault);
  }
  race(item, arrival);
  forget(item);
}

void EffectTracker::forget(std::uint64_t item) {
  const auto [begin, end] = under_way_.equal_range(item);
  under_way_.erase(begin, end);
  const auto raced = links_.find(item);
  if (raced == links_.end()) return;
  const auto link = racing_.find(raced->second);
  if (link != racing_.end()) {
    link->second.erase(item);
    if (link->second.empty()) racing_.erase(link);
  }
  overtaken_.erase(item);
  links_.erase(raced);
}

void HoldUps::add(const HoldUp& hold_up, bool waiting) {
  PHOTON_CHECK(hold_up.fault != kNoFault && hold_up.least >= Duration::zero(),
               "a hold-up is the effect of a fault");
  if (hold_up.until <= hold_up.free_at) return;  // another reason holds it up as long
  all_.push_back({hold_up, waiting ? hold_up.free_at : SimTime::max()});
}

void HoldUps::arrived(SimTime now) {
  for (Held& each : all_) {
    if (now >= each.what.until) continue;
    each.since = std::min(each.since, std::max(now, each.what.free_at));
  }
}

void HoldUps::settle(SimTime now, Ends ends, FaultEffects& effects) {
  std::erase_if(all_, [&](const Held& each) {
    const bool over = each.what.until <= now;
    if (!over && ends == Ends::in_time) return false;
    const SimTime until = std::min(each.what.until, now);
    if (each.since < until && until - each.since >= each.what.least) {
      effects.took_effect(each.what.fault);
    }
    return true;
  });
}

}  // namespace photon::sim
