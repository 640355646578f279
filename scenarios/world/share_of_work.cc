#include "scenarios/world/share_of_work.h"

#include <algorithm>

namespace photonsim::scenarios {

double share_of_work(const WorkSoFar& work) {
  if (work.end <= 0) return 1;
  const double start = std::min(work.start, work.end);
  if (work.now <= start || work.asked == 0) return std::min(work.now / work.end, 1.0);
  const double arrived = work.now < work.end ? (work.now - start) / (work.end - start) : 1;
  const std::uint64_t finished = work.asked - std::min(work.open, work.asked);
  const double share = static_cast<double>(finished) / static_cast<double>(work.asked);
  return start / work.end + (1 - start / work.end) * arrived * share;
}

}  // namespace photonsim::scenarios
