// Decides whether a delaying fault took effect.
//
// A process does not notice a nanosecond, so an added delay alone is no effect. Two rules, for all
// faults that make something late:
//
//  * A late item (a message, the answer of a volume) makes a difference if something else reached
//    its receiver in between: after the instant at which the item would have arrived without this
//    fault, and before it arrived. Then the process saw another order of events; otherwise only its
//    clock could show the delay. Reordering requires more: the item in between was sent later by
//    the same sender. A duplicate has an effect when both copies have arrived.
//  * A process that is held up (a pause, steps that take longer) makes a difference when an item
//    that arrived for it waited longer because of that, by at least kLeastWait. That is less than
//    any step or delay that models draw. A fault may require more (a pause longer than a lease).
//
// If several faults make the same item late, each is compared with the arrival without it alone.
// Only faults without an effect so far are tracked: nothing is kept after a fault's first effect.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/fault_effects.h"

namespace photon::sim {

inline constexpr Duration kLeastWait = std::chrono::microseconds(1);

// Items in flight that arrive late, or twice, because of faults. An item is identified by a number.
class EffectTracker {
 public:
  explicit EffectTracker(FaultEffects& effects) : effects_(effects) {}

  bool any() const { return !under_way_.empty() || !links_.empty(); }

  // It would arrive at `due` without the fault.
  void late(std::uint64_t item, std::uint32_t fault, SimTime due);
  // A message that may be overtaken because it does not arrive at `due`. Numbers of messages grow
  // as they are sent.
  struct Link {
    NodeId from{};
    NodeId to{};
    friend auto operator<=>(const Link&, const Link&) = default;
  };
  void reordered(std::uint64_t item, std::uint32_t fault, SimTime due, const Link& link);
  // `copy` is a second one of `item`; `after_other_item`: the copy counts if it arrives after
  // `item`, with another item in between.
  enum class Copying : std::uint8_t { any_time, after_other_item };
  void duplicated(std::uint64_t item, std::uint64_t copy, std::uint32_t fault, Copying copying);

  // Where an item arrives, and when something arrived there last.
  struct Arrival {
    Link link{};
    SimTime now{};
    SimTime last{};
  };
  void arrived(std::uint64_t item, const Arrival& arrival);
  // It will never arrive, or arrives at a process that is down.
  void forget(std::uint64_t item);

 private:
  struct Claim {
    enum class Kind : std::uint8_t { late, twin, original, late_copy };
    Kind kind = Kind::late;
    std::uint32_t fault = kNoFault;
    SimTime due{};            // late; of a late copy: when the original arrived
    std::uint64_t other = 0;  // of two of the same message: the number of the other one
    bool other_arrived = false;
    bool is_of_two() const { return kind != Kind::late; }
  };
  bool is_open(std::uint32_t fault) const;
  void inform_other(const Claim& claim, SimTime now);
  static bool is_effect(const Claim& claim, const Arrival& arrival);
  void race(std::uint64_t item, const Arrival& arrival);

  FaultEffects& effects_;
  std::multimap<std::uint64_t, Claim> under_way_;
  // A message that may be overtaken, and is not yet.
  struct Racing {
    std::uint32_t fault = kNoFault;
    SimTime due{};
  };
  // By link, in the order in which they were sent. An arriving message checks those before it that
  // were due, which are overtaken then, and the few that were not: it never checks one repeatedly.
  std::map<Link, std::multimap<std::uint64_t, Racing>> racing_;
  std::map<std::uint64_t, Link> links_;                    // of those that race or are overtaken
  std::multimap<std::uint64_t, std::uint32_t> overtaken_;  // the fault that made them late
};

// The faults that hold up one process: until when, and since when something waits for it.
class HoldUps {
 public:
  // Without the fault it would be free at `free_at`, with it at `until`. The fault has an effect
  // when an item waits for `least` because of it.
  struct HoldUp {
    std::uint32_t fault = kNoFault;
    SimTime free_at{};
    SimTime until{};
    Duration least = kLeastWait;
  };
  bool any() const { return !all_.empty(); }
  // `waiting`: an item waits already.
  void add(const HoldUp& hold_up, bool waiting);
  // An item arrived at `now` and waits.
  void arrived(SimTime now);
  // Decides the effect of the faults that are over by `now`, or of all of them if they `end` now.
  enum class Ends : std::uint8_t { in_time, now };
  void settle(SimTime now, Ends ends, FaultEffects& effects);

 private:
  struct Held {
    HoldUp what{};
    SimTime since = SimTime::max();  // an item waits
  };
  std::vector<Held> all_;
};

}  // namespace photon::sim
