// The swarm: from a seed to a complete, explicit scenario (SPEC J-H2).
//
// A world is drawn in two steps, its shape (topology, registry, pipelines, workload) and what goes
// wrong in it. Whole classes of faults are switched off at random, and constants of the protocols
// are pushed to extremes (swarm_extremes.h): a world in which everything happens at once hides what
// happens when little does (swarm testing, Groce et al. 2012). All faults are written down one by
// one, none is left to be drawn later: so a run can be read, and a reducer can take single ones
// away.
//
// The scenario's tier says what may be demanded (DESIGN 6):
//   within    of each group of replicas fewer than half are out of reach or without their disk at a
//             time, some pipeline works; processes crash, pause and restart as they please
//   over      no such restraint, but disks of a majority are never lost: when all is mended, all
//             must come to rest
//   contract  an assumption is broken: the clock bound, the disks of a majority, what disks and
//             TrueTime say, output that comes back; damage must be detected (swarm_contract.h)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "scenarios/language/config.h"

namespace photonsim::scenarios::swarm {

enum class Profile : std::uint8_t {
  fast,  // a few hundred clicks in a few minutes: thousands of worlds in an hour
  deep,  // ten times as many, more of everything
};

struct Options {
  Profile profile = Profile::fast;
  std::optional<Tier> tier{};     // none: nine of ten within, the others over
  std::uint64_t most_events = 0;  // run.most_events of each world
};

// Valid (config_validate.h), a pure function of its arguments.
Config scenario(const Options& options, std::uint64_t seed);

}  // namespace photonsim::scenarios::swarm
