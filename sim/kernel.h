// The kernel: virtual time, the event queue, dispatch to actors.
//
// Invariants: time never decreases; events are dispatched in the total order of their keys; an
// actor is called with one event at a time and never makes the kernel dispatch another: of the
// kernel it calls `schedule`, `witness` and `stop`. In steady state nothing is allocated. Every
// event is witnessed exactly once by its target.
//
// The exception is `relive`, called by a target: time goes back once, events of the past are
// dispatched inside the one under way, and time is the present again. No event that was pending
// before lies in that past.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/time.h"
#include "sim/event.h"
#include "sim/event_queue.h"
#include "sim/fingerprint.h"

namespace photon::sim {

class Kernel;

// A target of events. Not owned by the kernel; outlives the kernel's last step.
class Actor {
 public:
  Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() = default;
  virtual void on_event(Kernel& kernel, const Event& event) = 0;
};

class Kernel {
 public:
  // `datacenters`: ids 0 .. datacenters-1; one more origin is the environment's. With `ties` above
  // 0 events of the same time have another order: by their keys, some of whose bits are inverted. A
  // caller that needs two events in order then makes the second later by `apart`. Events happen at
  // multiples of `tick` only, which is above 0: others are late by less than that.
  explicit Kernel(std::size_t datacenters, std::uint64_t ties = 0, Duration tick = Duration(1));

  // Actors get consecutive ids from 0.
  ActorId add(Actor& actor);

  SimTime now() const { return from_nanoseconds<SimTime>(now_); }
  std::uint64_t events() const { return events_; }  // dispatched so far
  std::size_t pending() const { return queue_.size(); }
  // The target of the event being dispatched, or of the last one; kNoActor before the first.
  ActorId current_target() const { return target_; }
  DatacenterId environment() const { return environment_; }
  // The counter of the next event made on behalf of `origin`.
  std::uint64_t next_counter(DatacenterId origin) const {
    PHOTON_CHECK(origin.value() < counters_.size(), "an origin is a datacenter or the environment");
    return counters_[origin.value()];
  }

  std::uint64_t counter_of(const Event& event) const {
    return (event.order ^ ties_) & ((std::uint64_t{1} << kCounterBits) - 1);
  }
  // The least distance at which events of one origin are always dispatched in order.
  Duration apart() const { return Duration(ties_ == 0 ? 0 : tick_); }

  // When an event that is scheduled for `at` happens.
  SimTime at_tick(SimTime at) const {
    if (tick_ == 1) return at;
    const std::int64_t over = nanoseconds_of(at) % tick_;
    return over > 0 ? at + Duration(tick_ - over) : at;
  }
  // `at` must not lie in the past; `origin` is the datacenter on whose behalf the event is made.
  void schedule(SimTime at, DatacenterId origin, ActorId target, std::uint32_t tag,
                std::uint64_t payload) {
    const std::int64_t time = nanoseconds_of(at_tick(at));
    PHOTON_CHECK(target.value() < actors_.size(), "an event has an actor");
    PHOTON_CHECK(origin.value() < counters_.size(), "an origin is a datacenter or the environment");
    PHOTON_CHECK(time >= now_, "an event is scheduled in the past");
    const std::uint64_t order =
        (std::uint64_t{origin.value()} << kCounterBits) | counters_[origin.value()]++;
    queue_.push(Event{time, order ^ ties_, target.value(), tag, payload});
  }

  // Dispatches the next event, if there is one.
  bool step() { return run(1) == 1; }
  // Dispatches everything up to and including `limit`, until stop() is called or `most` events are
  // dispatched; afterwards now() is `limit`, or, if it ended before, the time of the last event.
  // Returns the number of events dispatched.
  std::uint64_t run_until(SimTime limit,
                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  // Dispatches up to `count` events, or until stop() is called; returns the number dispatched.
  std::uint64_t run(std::uint64_t count) { return loop(kEndOfTime, count); }
  // Goes back to `from`, calls `begin`, and dispatches what it and its consequences schedule before
  // the present; what they schedule for later stays. May be called by the target of an event, once
  // at a time. Sound only if nothing else could see or disturb what happens there (quiet_rounds.h).
  template <class Begin>
  void relive(SimTime from, const Begin& begin) {
    const Past past(*this, from);
    begin();
    past.dispatch_all();
  }
  bool relives() const { return reliving_; }

  // Ends the current run_until after the current event.
  void stop() { stopped_ = true; }

  // Called by the target of the event that is being dispatched, once per event.
  void witness(DatacenterId datacenter, std::uint32_t incarnation, std::uint64_t digest) {
    fingerprints_.witness(*current_, events_, datacenter, incarnation, digest);
  }
  Fingerprints& fingerprints() { return fingerprints_; }
  const Fingerprints& fingerprints() const { return fingerprints_; }

  // Takes the next event out without dispatching it: for dismantling a run.
  bool discard(Event& event);

 private:
  static constexpr std::int64_t kEndOfTime = std::numeric_limits<std::int64_t>::max();

  // Its end restores the present, also when a failed check ends the run.
  class Past {
   public:
    Past(Kernel& kernel, SimTime from);
    Past(const Past&) = delete;
    Past& operator=(const Past&) = delete;
    ~Past();
    void dispatch_all() const;

   private:
    Kernel& kernel_;
    std::int64_t present_;
    const Event* current_;
    ActorId target_;
  };

  std::uint64_t loop(std::int64_t last, std::uint64_t count);
  void dispatch(const Event& event) {
    PHOTON_CHECK(event.time >= now_, "virtual time does not go back");
    now_ = event.time;
    ++events_;
    current_ = &event;
    target_ = ActorId(event.target);
    actors_[event.target]->on_event(*this, event);
  }

  EventQueue queue_;
  std::int64_t now_ = 0;
  std::uint64_t events_ = 0;
  bool stopped_ = false;
  bool reliving_ = false;
  const Event* current_ = nullptr;
  ActorId target_ = kNoActor;
  std::vector<Actor*> actors_;
  std::vector<std::uint64_t> counters_;
  DatacenterId environment_;
  std::uint64_t ties_;
  std::int64_t tick_;  // nanoseconds
  Fingerprints fingerprints_;
};

}  // namespace photon::sim
