// One more crash than a run has by itself: of a joiner and at a time drawn from the seed.
//
// Crashes of joiners are a Poisson process. By Mecke's formula the losses that all its crashes
// cause together are, on average, rate x joiners x window times those that one additional crash
// causes at a uniform place (joiner, time), whatever other crashes the run has (Last and Penrose,
// Lectures on the Poisson Process, 2017, theorem 4.1). So runs with one forced crash each estimate
// rare losses without waiting for a crash (analysis/rare_events/forced_crash.h).
//
// Paper: Photon section 3.3.2; SPEC D-15, D-20, G-18.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/accounting/accounting.h"
#include "analysis/reports/summary.h"
#include "scenarios/config/config.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// Where such crashes fall: from the first measured click to the end of generation.
struct CrashWindow {
  Duration from{};
  Duration until{};

  Duration length() const { return until - from; }
};
CrashWindow crash_window(const Config& config, Duration generation);

// Nothing unless the scenario forces a crash. A pure function of its arguments.
std::optional<photon::sim::Fault> forced_crash(const Config& config,
                                               const photon::sim::Topology& topology,
                                               Duration generation, std::uint64_t seed);

// What that crash ended and lost: nothing if the joiner was down already or had received no click.
// `generation`: from the start of the run to the end of generation.
photon::analysis::RareFigures figures_of_forced_crash(
    const photon::sim::Fault& crash, const photon::analysis::Accounting& accounting,
    const Config& config, Duration generation);

}  // namespace photonsim::scenarios
