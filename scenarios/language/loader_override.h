// `--set key=value`: an override becomes one value in the tree, with a place of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

// Adds the override to the tree. `source` is the source whose whole text it is. Unknown keys are
// added as well: `apply` reports them.
void apply_override(std::string_view text, std::uint32_t source, Value& tree, Report& report);

}  // namespace photonsim::scenarios
