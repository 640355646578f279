// What holds for every scenario that was loaded, shared by the targets that load some.
#pragma once

#include "scenarios/language/loader.h"
#include "tests/fuzz/targets.h"

namespace photon::fuzz {

// Errors are readable; a config is written, loaded again, and the same; its world can be planned.
Outcome check_loaded(const photonsim::scenarios::LoadResult& loaded);

}  // namespace photon::fuzz
