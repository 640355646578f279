// Verdicts of reports that judge the measurement, not the system: what each says, and what to do.
#pragma once

#include <span>
#include <string_view>

namespace photon::analysis {

struct VerdictRow {
  std::string_view name;  // as reports write it
  std::string_view meaning;
  std::string_view advice;
};

std::span<const VerdictRow> verdict_rows();

}  // namespace photon::analysis
