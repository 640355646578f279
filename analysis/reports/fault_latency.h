// Latencies before, during and after each fault that took effect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/accounting/latency_periods.h"
#include "analysis/reports/latency_figures.h"
#include "analysis/trace_files/traced_fault.h"

namespace photon::analysis {

class Lines;

struct PeriodFigures {
  double from_seconds = 0;
  double until_seconds = 0;
  LatencyFigures latency{};  // of the clicks that were generated then
  LatencyFigures own{};
};

struct FaultLatency {
  std::uint32_t number = 0;
  std::string description{};
  PeriodFigures before{};
  PeriodFigures during{};  // empty if the fault has no known end
  PeriodFigures after{};

  // What it cost all clicks generated during and after it, beside those before it: seconds of own
  // share, all clicks together. 0 where no click was joined before it.
  double cost_seconds() const;
};

// `least`: of the periods before and after (latency_periods.h).
std::vector<FaultLatency> fault_latencies(const std::vector<TracedFault>& faults,
                                          const LatenciesByTime& latencies, Duration least);

// A line for each fault, as many as people read: those first that cost the clicks of their time
// and of the time after them most, beside those before.
void put_fault_latencies(const std::vector<FaultLatency>& faults, Lines& lines);

}  // namespace photon::analysis
