// Applies the merged tree to the Config by the schema: unknown keys, kinds, units, ranges.
#pragma once

#include <filesystem>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/language/config_validate.h"
#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

struct Application {
  Config& config;
  Places& places;  // filled in: the place of each value
  Report& report;
  const std::vector<std::filesystem::path>& directories;  // of each source, for relative paths
  std::set<std::string, std::less<>> broken{};            // filled in: sections with errors
};

// Sets every value that the tree states. Values in error keep their default.
void apply(const Value& tree, Application& application);

}  // namespace photonsim::scenarios
