// Latencies before, during and after each fault that took effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting/joiner_costs.h"
#include "analysis/accounting/latency_periods.h"
#include "analysis/reports/latency_figures.h"
#include "analysis/reports/recovery_times.h"
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
  bool ends = true;  // before the last click; false also if its effect lasts for good
  PeriodFigures before{};
  PeriodFigures during{};  // empty if the fault has no known end
  PeriodFigures after{};
  // The same periods of the same seed without any fault; nothing: that was not run (baseline.h).
  std::optional<PeriodFigures> during_without{};
  std::optional<PeriodFigures> after_without{};
  // Other faults whose clicks, generated from their beginning to the end of their `after`, are in
  // part those of this one: what they cost is in the cost of both.
  std::uint64_t overlapping = 0;
  std::uint64_t lost = 0;  // clicks lost with the joiners that died when it began
  // When backlog and latency were back (recovery_times.h).
  std::optional<ReturnTime> backlog_back{};
  std::optional<ReturnTime> own_p90_back{};

  // What it cost all clicks generated during and after it: seconds of own share, all clicks
  // together, beside the same seed without faults; or, if that was not run, beside the clicks
  // before it, whatever else happened since. 0 where no click was joined then.
  double cost_seconds() const;
};

// Of the faults that took effect. `interval`: of the series; the periods
// before and after a fault last for several (latency_periods.h).
std::vector<FaultLatency> fault_latencies(const std::vector<TracedFault>& faults,
                                          const LatenciesByTime& latencies, Duration interval);

// By the cost of their time, the greatest first. Which of several faults of the same time is the
// cause of that only runs without each of them tell.
std::vector<const FaultLatency*> dearest_first(const std::vector<FaultLatency>& faults);

// "outage.all us-west1 all" of "outage.all us-west1 all at 480s for 180s".
std::string_view name_of_fault(std::string_view description);

// Sets what was lost with the joiners that died at the very time when a fault began.
void charge_losses(const std::vector<JoinerEndCost>& ends, const std::vector<TracedFault>& faults,
                   std::vector<FaultLatency>& list);

// A line for each fault, the dearest first, as many as people read.
void put_fault_latencies(const std::vector<FaultLatency>& faults, Lines& lines);

}  // namespace photon::analysis
