// Faults at random times, expanded into an explicit list before the run, with draws of their own:
// so a replay or the minimizer can see, change and drop single faults (DESIGN 5).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/fault.h"

namespace photon::sim {

// A Poisson process in [from, until), with mean distance `mean_between`, above zero.
struct RandomFaults {
  SimTime from{};
  SimTime until{};
  Duration mean_between{};
  Duration shortest{};  // the duration of each is uniform in [shortest, longest]
  Duration longest{};
  // The possible actions: a group is drawn uniformly, then one action of the group. Empty:
  // nothing happens.
  std::vector<std::vector<Action>> candidates{};
  std::string_view kind{};  // of each fault (Fault::kind)
};

// A pure function of its arguments; sorted by time, stable in the order of `specs`.
std::vector<Fault> expand(const std::vector<RandomFaults>& specs, std::uint64_t seed);

}  // namespace photon::sim
