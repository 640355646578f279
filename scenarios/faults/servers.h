// Servers that write logs are numbered: first those of queries, then those of clicks (models/).
#pragma once

#include <cstdint>

#include "scenarios/config/config_names.h"

namespace photonsim::scenarios {

inline std::uint64_t servers_before(const Config& config, LogKind log) {
  return log == LogKind::kClicks ? servers_of(config, LogKind::kQueries) : 0;
}

}  // namespace photonsim::scenarios
