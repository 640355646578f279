// Mutation of a configuration: inserts faults; removes, moves, lengthens or shortens faults and
// operations; joins the faults of two configurations with the same root_seed; reseeds the run.
//
// New faults are drawn like those of the swarm, with the targets that the configuration's own seed
// allows (swarm/swarm_faults.h), and no change affects what its tier restricts. A configuration
// within tolerance therefore stays so. Changes that violate the scenario's rules
// (config_validate.h) are drawn again.
#pragma once

#include <cstdint>
#include <vector>

#include "campaigns/swarm/rng.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios::guided {

// A configuration of the search.
struct Candidate {
  std::uint64_t root_seed = 0;  // the swarm seed that generated its ancestor
  Config config{};              // its run.seed may differ
};

struct Hints {
  const std::vector<std::int64_t>* seconds = nullptr;  // of virtual time, worth a fault nearby
  const Candidate* other = nullptr;  // to join with, of the same root_seed; null: none
};

// Returns a valid configuration. Pure function of its arguments.
Candidate mutate(const Candidate& candidate, const Hints& hints, swarm::Rng& rng);

}  // namespace photonsim::scenarios::guided
