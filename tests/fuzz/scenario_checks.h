// Properties of every loaded scenario, shared by the targets that load some.
#pragma once

#include "scenarios/language/loader.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {

// Errors are readable; a config that is written and loaded again is the same; its faults
// can be planned.
Outcome check_loaded(const photonsim::scenarios::LoadResult& loaded);

}  // namespace photon::fuzz
