#include "sim/effect_tracker.h"

#include <algorithm>

namespace photon::sim {

bool EffectTracker::is_open(std::uint32_t fault) const {
  return fault != kNoFault && !effects_.had_effect(fault);
}

void EffectTracker::late(std::uint64_t thing, std::uint32_t fault, SimTime due) {
  if (!is_open(fault)) return;
  under_way_.emplace(thing, Claim{Claim::Kind::late, fault, due});
}

void EffectTracker::reordered(std::uint64_t thing, std::uint32_t fault, SimTime due,
                              const Link& link) {
  if (!is_open(fault)) return;
  racing_[link].emplace(thing, Racing{fault, due});
  links_.emplace(thing, link);
}

void EffectTracker::doubled(std::uint64_t thing, std::uint64_t copy, std::uint32_t fault,
                            Copying copying) {
  if (!is_open(fault)) return;
  const bool any_time = copying == Copying::any_time;
  const auto first = any_time ? Claim::Kind::twin : Claim::Kind::original;
  const auto second = any_time ? Claim::Kind::twin : Claim::Kind::late_copy;
  under_way_.emplace(thing, Claim{first, fault, {}, copy});
  under_way_.emplace(copy, Claim{second, fault, {}, thing});
}

// Of two copies the second one to arrive finds that the other has arrived.
void EffectTracker::tell_other(const Claim& claim, SimTime now) {
  const auto [begin, end] = under_way_.equal_range(claim.other);
  const auto other = std::find_if(begin, end, [&](const auto& each) {
    return each.second.is_of_two() && each.second.fault == claim.fault;
  });
  if (other == end) return;
  other->second.other_came = true;
  other->second.due = now;
}

bool EffectTracker::is_effect(const Claim& claim, const Arrival& arrival) {
  switch (claim.kind) {
    case Claim::Kind::late:
      return arrival.last > claim.due;
    case Claim::Kind::original:
      return false;
    case Claim::Kind::twin:
      return claim.other_came;
    case Claim::Kind::late_copy:
      return claim.other_came && arrival.last > claim.due;
  }
  return false;
}

// An arrived message may have been overtaken, and has overtaken those that were sent before it.
void EffectTracker::race(std::uint64_t thing, const Arrival& arrival) {
  const auto [begin, end] = overtaken_.equal_range(thing);
  for (auto each = begin; each != end; ++each) effects_.took_effect(each->second);
  const auto found = racing_.find(arrival.link);
  if (found == racing_.end()) return;
  auto& racing = found->second;
  for (auto each = racing.begin(); each != racing.end() && each->first < thing;) {
    if (each->second.due < arrival.now) {
      overtaken_.emplace(each->first, each->second.fault);
      each = racing.erase(each);
    } else {
      ++each;
    }
  }
}

void EffectTracker::came(std::uint64_t thing, const Arrival& arrival) {
  const auto [begin, end] = under_way_.equal_range(thing);
  for (auto each = begin; each != end; ++each) {
    const Claim& claim = each->second;
    if (claim.is_of_two()) tell_other(claim, arrival.now);
    if (is_effect(claim, arrival)) effects_.took_effect(claim.fault);
  }
  race(thing, arrival);
  forget(thing);
}

void EffectTracker::forget(std::uint64_t thing) {
  const auto [begin, end] = under_way_.equal_range(thing);
  under_way_.erase(begin, end);
  const auto raced = links_.find(thing);
  if (raced == links_.end()) return;
  const auto link = racing_.find(raced->second);
  if (link != racing_.end()) {
    link->second.erase(thing);
    if (link->second.empty()) racing_.erase(link);
  }
  overtaken_.erase(thing);
  links_.erase(raced);
}

void HoldUps::add(const HoldUp& hold_up, bool waiting) {
  if (hold_up.until <= hold_up.free_at) return;  // another reason holds it up as long
  all_.push_back({hold_up, waiting ? hold_up.free_at : SimTime::max()});
}

void HoldUps::came(SimTime now) {
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
