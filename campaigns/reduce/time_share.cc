#include "campaigns/reduce/time_share.h"

#include <algorithm>

namespace photonsim::campaigns {

TimeShare::TimeShare(std::optional<std::chrono::nanoseconds> all,
                     std::optional<std::chrono::nanoseconds> of_runs, Clock::time_point began,
                     std::size_t repros) {
  const std::chrono::nanoseconds most = all.value_or(kForEach * repros);
  end_ = Clock::now() + most;
  if (of_runs) end_ = std::min(end_, began + *of_runs + all.value_or(kAfterRuns));
}

TimeShare::Clock::duration TimeShare::share(std::size_t left) const {
  const Clock::duration rest = std::max(end_ - Clock::now(), Clock::duration::zero());
  constexpr Clock::duration kUseful = std::chrono::seconds(10);
  return std::max(rest / static_cast<Clock::rep>(std::max<std::size_t>(left, 1)),
                  std::min(rest, kUseful));
}

}  // namespace photonsim::campaigns
