#include "campaigns/runs/clocks.h"

#include <ctime>

namespace photonsim::campaigns {

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace photonsim::campaigns
