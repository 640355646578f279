// A world, changed a little: faults inserted; faults and operations taken out, moved in time, made
// longer or shorter; the faults of two worlds of one kind joined; another seed of the run.
//
// New faults are drawn as the swarm draws them, with the targets that the world's own seed allows
// (swarm/swarm_faults.h), and each change is one that its tier does not restrain: so a world within
// tolerance stays so. What the rules of a scenario refuse (config_validate.h) is drawn anew.
#pragma once

#include <cstdint>
#include <vector>

#include "campaigns/swarm/dice.h"
#include "scenarios/language/config.h"

namespace photonsim::scenarios::guided {

// A world of the search.
struct World {
  std::uint64_t world_seed = 0;  // from which the swarm drew it first
  Config config{};               // its own seed (run.seed) may be another one
};

struct Hints {
  const std::vector<std::int64_t>* seconds = nullptr;  // of virtual time, worth to be near to
  const World* other = nullptr;  // of the same world_seed, to be joined with; null: none
};

// Valid; a pure function of its arguments.
World mutate(const World& world, const Hints& hints, swarm::Dice& dice);

}  // namespace photonsim::scenarios::guided
