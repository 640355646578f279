// The swarm: from a seed to a complete, explicit scenario (SPEC J-H2).
//
// A configuration is generated in two steps: its shape (topology, registry, pipelines, workload),
// then its faults. Whole fault classes are switched off at random, and protocol constants are
// pushed to extremes (swarm_extremes.h): with every fault enabled, some faults mask the effects of
// others (swarm testing, Groce et al. 2012). Every fault is listed explicitly; none is drawn at run
// time. The run is therefore readable, and the minimizer can remove single faults.
//
// The tier of the scenario determines what is checked (DESIGN 6):
//   within    fewer than half of the replicas of each group are unreachable or without their disk
//             at any time, and some pipeline works; processes crash, pause and restart freely
//   over      no such limit, but a majority never loses its disks: after the last repair the system
//             must become quiescent
//   contract  an assumption is broken: the clock bound, the disks of a majority,
//             honest disks and TrueTime, output that stays lost; the harness must
//             detect the damage (swarm_contract.h)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/config/config.h"

namespace photonsim::scenarios::swarm {

enum class Profile : std::uint8_t {
  fast,  // a few hundred clicks in a few minutes: thousands of configurations an hour
  deep,  // ten times as many clicks, and more faults
};

struct Options {
  Profile profile = Profile::fast;
  std::optional<Tier> tier{};     // none: kWithin with probability 0.9, else kOver
  std::uint64_t most_events = 0;  // run.most_events of each configuration
};

// Returns a valid configuration (config_validate.h). Pure function of its arguments.
Config scenario(const Options& options, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
