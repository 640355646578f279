// The figures of a run over time as metrics, one for each interval (run.keep_series), so that
// studies estimate, chart and compare them like all others.
//
// "series.joins.first_pipeline.0007": the quantity, the place where there are several, and the
// number of the interval, from 0. Intervals in which nothing was measured have none.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reports/time_series.h"
#include "analysis/results/run_record.h"

namespace photon::analysis {

inline constexpr std::size_t kMostIntervals = 4096;  // of a run: SeriesLedger::kMost

// Empty without samples. They are not added up over the runs of a campaign.
std::vector<Metric> series_metrics(const TimeSeries& series);

// Of an interval, or their length.
bool is_of_series(std::string_view name);
// The name of the first interval: one known name stands for all. Another name as it is.
std::string of_first_interval(std::string_view name);
// The figure of the same name as `known`, of the interval of `name` if that has a number.
std::string of_interval_of(std::string_view name, std::string_view known);
// "series.offered.NNNN" of the figure of an interval, for lists. Another name as it is.
std::string pattern_of_intervals(std::string_view name);
// The figure of the first interval of such a pattern. Another name as it is.
std::string of_pattern(std::string_view name);

}  // namespace photon::analysis
