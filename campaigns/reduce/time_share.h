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
  static constexpr std::chrono::minutes kForEach{1};  // unless it is said otherwise

  // `all`: for all minimized repros together; if the time of the runs was limited, both limits
  // together hold from `began`.
  TimeShare(std::optional<std::chrono::nanoseconds> all,
            std::optional<std::chrono::nanoseconds> of_runs, Clock::time_point began,
            std::size_t repros);
  // What the next one may take if `left` are left, itself included: an equal part, but ten seconds
  // if there are as many, because a part that is too short is of no use. What it does not take is
  // for the next ones.
  Clock::duration share(std::size_t left) const;

 private:
  Clock::time_point end_;
};

}  // namespace photonsim::campaigns
