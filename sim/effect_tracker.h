// When a fault that only takes time has an effect.
//
// Nobody notices a nanosecond, so that a delay was added is no effect. Two rules, for all faults
// that make something late:
//
//  * What comes late (a message, the answer of a volume) makes a difference when whom it comes to
//    was reached by something else in between: after the instant at which it would have come
//    without this fault, and before it came. That process then saw another order of events; had
//    nothing come in between, only its clock could tell. Reordering asks for more: what came in
//    between was sent later by the same sender. A copy is one when both have come.
//  * A process that is held up (a pause, steps that take longer) makes a difference when something
//    that came for it waited longer for that, by a least time: kLeastWait, which is less than any
//    step or way that models draw, unless the fault asks for more (a pause longer than a lease).
//
// Of several faults that make the same thing late each is held to what would have been without it
// alone. What is followed is a fault that had no effect so far: nothing is kept behind its first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/fault_effects.h"

namespace photon::sim {

inline constexpr Duration kLeastWait = std::chrono::microseconds(1);

// Things under way that come late, or twice, on behalf of faults. A thing is known by a number.
class EffectTracker {
 public:
  explicit EffectTracker(FaultEffects& effects) : effects_(effects) {}

  bool any() const { return !under_way_.empty() || !links_.empty(); }

  // It would come at `due` but for the fault.
  void late(std::uint64_t thing, std::uint32_t fault, SimTime due);
  // A message that may be overtaken because it does not come at `due`. Numbers of messages grow as
  // they are sent.
  struct Link {
    NodeId from{};
    NodeId to{};
    friend auto operator<=>(const Link&, const Link&) = default;
  };
  void reordered(std::uint64_t thing, std::uint32_t fault, SimTime due, const Link& link);
  // `copy` is a second one of `thing`; `long_after`: that is to come behind it, and something else
  // in between.
  enum class Copying : std::uint8_t { any_time, long_after };
  void doubled(std::uint64_t thing, std::uint64_t copy, std::uint32_t fault, Copying copying);

  // Where a thing comes, and when something came there last.
  struct Arrival {
    Link link{};
    SimTime now{};
    SimTime last{};
  };
  void came(std::uint64_t thing, const Arrival& arrival);
  // It will never come, or comes to nobody.
  void forget(std::uint64_t thing);

 private:
  struct Claim {
    enum class Kind : std::uint8_t { late, twin, original, late_copy };
    Kind kind = Kind::late;
    std::uint32_t fault = kNoFault;
    SimTime due{};            // late; of a late copy when the original came
    std::uint64_t other = 0;  // of two of the same message: the number of the other one
    bool other_came = false;
    bool is_of_two() const { return kind != Kind::late; }
  };
  bool is_open(std::uint32_t fault) const;
  void tell_other(const Claim& claim, SimTime now);
  static bool is_effect(const Claim& claim, const Arrival& arrival);
  void race(std::uint64_t thing, const Arrival& arrival);

  FaultEffects& effects_;
  std::multimap<std::uint64_t, Claim> under_way_;
  // A message that may be overtaken, and is not yet.
  struct Racing {
    std::uint32_t fault = kNoFault;
    SimTime due{};
  };
  // By link, in the order in which they were sent. Whoever comes looks at those before it that were
  // due, which are overtaken then, and at the few that were not: never at one again and again.
  std::map<Link, std::multimap<std::uint64_t, Racing>> racing_;
  std::map<std::uint64_t, Link> links_;                    // of those that race or are overtaken
  std::multimap<std::uint64_t, std::uint32_t> overtaken_;  // on behalf of which fault
};

// What holds up one process on behalf of faults: until when, and since when something waits for it.
class HoldUps {
 public:
  // Without the fault it would be free at `free_at`, as it is it is free at `until`. It makes a
  // difference when something waits for `least` for that reason.
  struct HoldUp {
    std::uint32_t fault = kNoFault;
    SimTime free_at{};
    SimTime until{};
    Duration least = kLeastWait;
  };
  bool any() const { return !all_.empty(); }
  // `waiting`: something is there already.
  void add(const HoldUp& hold_up, bool waiting);
  // Something came at `now` and waits.
  void came(SimTime now);
  // By `now` those that are over, or all of them as they `end` here, have an effect or had none.
  enum class Ends : std::uint8_t { in_time, now };
  void settle(SimTime now, Ends ends, FaultEffects& effects);

 private:
  struct Held {
    HoldUp what{};
    SimTime since = SimTime::max();  // something waits
  };
  std::vector<Held> all_;
};

}  // namespace photon::sim
