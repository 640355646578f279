// A run beside the same seed without its faults: what they cost.
//
// Both runs have the same clicks and the same random streams, so that what is not the faults' doing
// cancels: retries of clicks whose query is late, slow shipping, the load.
#pragma once

#include <cstdint>

#include "analysis/accounting/latency_periods.h"
#include "analysis/reports/fault_latency.h"

namespace photon::analysis {

struct Summary;

struct Baseline {
  std::uint64_t joined = 0;
  std::uint64_t joined_without = 0;
  std::uint64_t lost = 0;
  std::uint64_t lost_without = 0;
  PeriodFigures whole{};  // all measured clicks
  PeriodFigures whole_without{};

  // Seconds of own share, all joined clicks together; negative where faults made them faster.
  double cost_seconds() const;
};

// Sets `baseline` of the summary of a run, and what each of its faults cost. `without`: of the same
// configuration and seed without faults, with its latencies.
void compare_with_baseline(const Summary& without, const LatenciesByTime& latencies_without,
                           Summary& summary);

}  // namespace photon::analysis
