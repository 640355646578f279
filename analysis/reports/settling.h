// When the latency of a run has settled after its beginning, by MSER-5 (statistics/warm_up.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analysis/accounting/latency_periods.h"

namespace photon::analysis {

class Lines;

// Of the median own share of the clicks that were generated in each interval.
struct Settling {
  // From the beginning of the run; nothing: `refused` says why it is not known.
  std::optional<double> until_seconds{};
  // "series_too_short"; "not_settled": the run is too short for its transient, or not stationary;
  // "faults": some took effect, and each disturbs it anew. Empty: none.
  std::string_view refused{};
  std::uint64_t clicks_before = 0;  // measured clicks that were generated before it
  // Seconds: means of the medians of the intervals before it and from it on. MSER-5 finds a
  // beginning that differs by chance in a steady run too, by little.
  double before = 0;
  double after = 0;
};

// `interval`: of the samples; zero: nothing is known. Clicks from `measured_from` on count.
Settling settling_of(const LatenciesByTime& latencies, Duration interval, SimTime measured_from,
                     bool faults);

// Nothing unless what came before differs by more than a tenth.
void put_settling(const Settling& settling, Lines& lines);

}  // namespace photon::analysis
