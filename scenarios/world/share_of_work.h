// How far a run is, for its progress line.
#pragma once

#include <cstdint>

namespace photonsim::scenarios {

struct WorkSoFar {
  double now = 0;    // seconds of virtual time
  double start = 0;  // of clicks or operations
  double end = 0;    // of them, as planned
  std::uint64_t asked = 0;
  std::uint64_t open = 0;  // of these, not finished
};

// 0 to 1: the finished ones of all that come at the rate so far; the time before the first one
// counts as its share of the time. Where more comes than is finished, it is less than the share of
// time, and it grows on while a backlog is drained.
double share_of_work(const WorkSoFar& work);

}  // namespace photonsim::scenarios
