// How long making failures small may take (fuzz --shrink-time).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace photonsim::cli {

class ShrinkTime {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kForEach{1};  // unless it is said otherwise

  // `all`: of all stories together, and also behind the time that the runs had, if it was limited.
  ShrinkTime(std::optional<std::chrono::nanoseconds> all,
             std::optional<std::chrono::nanoseconds> of_runs, Clock::time_point began,
             std::size_t stories);
  // What the next of so many stories that are left may take: an equal part, but ten seconds if
  // there is so much left, as a part that is too short for a story is of no use to anybody. What it
  // does not take is for those behind it.
  Clock::duration share(std::size_t left) const;

 private:
  Clock::time_point end_;
};

}  // namespace photonsim::cli
