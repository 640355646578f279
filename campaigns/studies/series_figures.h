// Figures over the time of a run: "series.joins.first_pipeline" of interval 7 is stored as
// "series.joins.first_pipeline.0007" (scenario key run.keep_series).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "campaigns/studies/estimates.h"
#include "campaigns/studies/study_figure.h"

namespace photonsim::campaigns {

inline constexpr std::string_view kIntervalSeconds = "series.interval_seconds";

// "series.joins.first_pipeline" -> "series.joins.first_pipeline.0007"; another name as it is.
std::string of_interval(const std::string& name, std::uint64_t interval);

// The figure with the names that its series have in an interval; names of other figures stay.
StudyFigure figure_of_interval(const StudyFigure& figure, std::uint64_t interval);

// How many intervals the runs of a point have; 0 if they keep none.
std::uint64_t intervals_of(const PointEstimates& at);

}  // namespace photonsim::campaigns
