// What the log of a trace workload holds: for a user who asks whether it was read as meant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/trace_log.h"
#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// In ns of the tables' epoch.
struct TimeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  Duration span() const { return Duration(last - first); }
};

// Nothing for a table without rows.
std::optional<TimeRange> range_of(const photon::models::TraceRows& rows);
// Of both tables.
TimeRange range_of(const photon::models::TraceLog& log);

// "10 min 12 s", "18.3 d".
std::string length_text(Duration length);

// Rows, files, times and keys of both tables: a few lines.
std::string facts_text(const Config& config, const photon::models::TraceLog& log);

}  // namespace photonsim::scenarios
