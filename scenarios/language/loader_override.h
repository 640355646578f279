// `--set key=value`: one override becomes one value in the tree, with a place of its own.
#pragma once

#include <cstdint>
#include <string_view>

#include "scenarios/language/diagnostic.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::scenarios {

// Puts the override into the tree. `source` is the source whose whole text the override is. Unknown
// keys go into the tree as well: `apply` reports them as it reports those of files.
void apply_override(std::string_view text, std::uint32_t source, Value& tree, Report& report);

}  // namespace photonsim::scenarios
