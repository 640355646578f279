// How long after a fault backlog and latency of the pipelines were back at their level before it.
#pragma once

#include <optional>
#include <vector>

namespace photon::analysis {

struct FaultLatency;
struct TimeSeries;

// From the end of a fault until a figure was back; nothing: not until the run ended.
struct ReturnTime {
  std::optional<double> seconds{};
};

// Sets, for each fault that has an end and lasts for an interval of the series or longer,
//
//   backlog_back   the end of the first later interval in which no pipeline has more waiting clicks
//                  than at the end of any interval before the fault, within the period `before`
//   own_p90_back   the same of the p90 of the own share; a pipeline that joins nothing in an
//                  interval is not slow then
//
// Nothing where no pipeline had such a figure in `before`, so that there is no level to come back
// to; pipelines without one are left out. Exact to an interval.
void set_return_times(const TimeSeries& series, std::vector<FaultLatency>& faults);

// The longest of the backlogs; nothing: none has one, or one of them was not back.
std::optional<double> longest_backlog_return(const std::vector<FaultLatency>& faults);

}  // namespace photon::analysis
