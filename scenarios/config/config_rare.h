// [rare] of a scenario: what one run does for estimates of rare events.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/config/config_kinds.h"
#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// From the event of that number on, the run draws from another seed.
struct LineageStep {
  std::uint64_t event{0};
  std::uint64_t seed{0};
  bool operator==(const LineageStep&) const = default;
};

struct RareLevel {
  std::uint64_t at{1};
  bool operator==(const RareLevel&) const = default;
};

// Estimates of rare events: what a single run does for them. Studies set these keys (M).
struct Rare {
  ForcedCrash forced_crash{ForcedCrash::kNone};
  Duration restart_after{1s};  // of the process that is crashed; exact
  // The measuring window is cut into so many parts of equal length; the crash of seed s is in part
  // s modulo their number.
  std::uint64_t strata{1};
  Importance importance{Importance::kJoinerWindow};
  std::vector<RareLevel> levels{};     // ascending
  std::uint64_t effort{32};            // trials from each level
  std::vector<LineageStep> lineage{};  // by event
  bool operator==(const Rare&) const = default;
};

}  // namespace photonsim::scenarios
