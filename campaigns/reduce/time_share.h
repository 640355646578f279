// How long minimizing failures may take (fuzz --shrink-time), and the share of each of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "campaigns/runs/clocks.h"

namespace photonsim::campaigns {

class TimeShare {
 public:
  using Clock = WallClock;
  static constexpr std::chrono::minutes kForEach{1};  // the default
  // The default beyond the time limit of the runs: a campaign ends within ten seconds of it.
  static constexpr std::chrono::seconds kAfterRuns{7};

  // `all`: for all minimized repros together. If the runs had a time limit, it counts from `began`,
  // and `all` is added to it.
  TimeShare(std::optional<std::chrono::nanoseconds> all,
            std::optional<std::chrono::nanoseconds> of_runs, Clock::time_point began,
            std::size_t repros);
  // The time for the next of `left` repros: an equal part, but at least ten seconds if they remain,
  // because less is useless. Unused time is left to the following ones.
  Clock::duration share(std::size_t left) const;

 private:
  Clock::time_point end_;
};

}  // namespace photonsim::campaigns
