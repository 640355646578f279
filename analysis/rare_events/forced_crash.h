// What runs with one forced crash each say of crashes that are rare.
//
// Each run has one more crash than it would have by itself, at a place (joiner, time) that is
// uniform over all joiners and the measured window; `lost` are the clicks that this crash lost,
// zero if it found the joiner down. Then (Mecke's formula, scenarios/world/forced_crash.h), if each
// joiner crashes at a rate,
//
//   expected losses of a window = rate x joiners x window x E[lost]
//
// and through the clicks of the window: the share of clicks that crashes lose. It is exact for any
// rate at which crashes do not change what another crash loses; at a rate at which they do, the
// runs must have such crashes of their own besides the forced one ([[faults.random]]).
//
// Paper: Photon section 3.3.3; SPEC D-20, G-18.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/statistics/interval.h"

namespace photon::analysis {

// One run.
struct ForcedCrashRun {
  double lost = 0;
  double window = 0;          // attempts in the joiner's window at the crash (SPEC D-15)
  double clicks_per_day = 0;  // joinable ones; above zero
};

struct ForcedCrashEstimates {
  Estimate lost{};    // clicks per crash
  Estimate window{};  // attempts per crash: the theory of G-18 says that it equals `lost`
  Estimate any{};     // probability that a crash loses a click
  Estimate share{};   // of all joinable clicks, at the rate
  double most = 0;    // lost by one crash
  // Ascending: losses k, and the share of the crashes that lost k or more.
  std::vector<std::pair<std::uint64_t, double>> tail{};
  double effective_sample = 0;  // crashes of equal loss that would say as much
};

// `crashes_per_day`: of all joiners together. `runs`: two or more for intervals.
ForcedCrashEstimates forced_crash_estimates(std::span<const ForcedCrashRun> runs,
                                            double crashes_per_day,
                                            double confidence = kConfidence);

}  // namespace photon::analysis
