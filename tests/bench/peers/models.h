// PHOLD and M/M/1 for any simulator, so that all peers make the same draws and execute the same
// events.
//
// A model gives `kTargets`, the number of its processes, and
//   start(schedule)                    the events before the first
//   on_event(now, target, schedule)    an event of `target`
// where schedule(at, target) is the simulator's own, with times in nanoseconds. A simulator orders
// events of equal times as they were scheduled.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::bench {

inline constexpr std::uint64_t kModelSeed = 7;

// Every event schedules one event of a uniformly random process after an exponential delay.
template <std::uint32_t Processes>
class PholdOf {
 public:
  static constexpr std::uint32_t kTargets = Processes;

  explicit PholdOf(std::uint32_t pending) : pending_(pending) {
    for (std::uint32_t i = 0; i < kTargets; ++i) {
      states_.push_back({RandomStream(kModelSeed, Purpose::benchmark, i), 0});
    }
  }

  template <class Schedule>
  void start(Schedule&& schedule) {
    for (std::uint32_t i = 0; i < pending_; ++i) on_event(0, i % kTargets, schedule);
  }

  template <class Schedule>
  void on_event(std::int64_t now, std::uint32_t target, Schedule&& schedule) {
    State& state = states_[target];
    const auto words = state.stream.block(state.draws++);
    schedule(now + exponential(words[1], kMean).count(),
             static_cast<std::uint32_t>(uniform_below(words[0], kTargets)));
  }

 private:
  static constexpr Duration kMean = std::chrono::milliseconds(10);
  struct State {
    RandomStream stream;
    std::uint64_t draws = 0;
  };

  std::uint32_t pending_;
  std::vector<State> states_;
};

using Phold = PholdOf<1024>;

// A station that is busy 70 % of the time: at most two events pending.
class Mm1 {
 public:
  static constexpr std::uint32_t kTargets = 2;

  explicit Mm1(std::uint32_t /*pending*/) {}

  template <class Schedule>
  void start(Schedule&& schedule) {
    arrive_next(0, schedule);
  }

  template <class Schedule>
  void on_event(std::int64_t now, std::uint32_t target, Schedule&& schedule) {
    if (target == kArrival) {
      arrive_next(now, schedule);
      if (customers_++ == 0) serve(now, schedule);
    } else if (--customers_ > 0) {
      serve(now, schedule);
    }
  }

 private:
  static constexpr std::uint32_t kArrival = 0;
  static constexpr std::uint32_t kDeparture = 1;
  static constexpr Duration kGap = std::chrono::microseconds(10'000);
  static constexpr Duration kService = std::chrono::microseconds(7'000);

  template <class Schedule>
  void arrive_next(std::int64_t now, Schedule&& schedule) {
    schedule(now + exponential(gaps_.word(arrivals_++), kGap).count(), kArrival);
  }
  template <class Schedule>
  void serve(std::int64_t now, Schedule&& schedule) {
    schedule(now + exponential(services_.word(served_++), kService).count(), kDeparture);
  }

  RandomStream gaps_{kModelSeed, Purpose::benchmark, 0};
  RandomStream services_{kModelSeed, Purpose::benchmark, 1};
  std::uint64_t arrivals_ = 0;
  std::uint64_t served_ = 0;
  std::uint64_t customers_ = 0;
};

}  // namespace photon::bench
