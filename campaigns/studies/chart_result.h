// What the runs of a study draw in a chart.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/reports/figure.h"
#include "analysis/statistics/interval.h"
#include "campaigns/studies/chart.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/figure_points.h"

namespace photonsim::campaigns {

struct ChartValue {
  std::optional<double> x{};           // mean over the seeds; nothing: across cases
  std::optional<std::size_t> point{};  // of the study
  photon::analysis::Estimate estimate{};
  std::optional<double> theory{};  // mean over the seeds
};

struct DrawnLine {
  std::string label{};
  photon::analysis::Unit unit = photon::analysis::Unit::ratio;
  std::vector<ChartValue> values{};  // by x, across cases in the order of the points
};

// A curve of 61 values from the least x of the lines, 0 at most, to 1.25 times the greatest: so it
// shows where the bound leads.
struct DrawnBound {
  std::string label{};
  bool least = false;
  std::vector<std::pair<double, std::optional<double>>> values{};  // x and y, if it has one
};
inline constexpr int kBoundValues = 61;

struct ChartResult {
  std::vector<DrawnLine> lines{};
  std::vector<DrawnBound> bounds{};
};

// `points`: of each line. Points without the figure, and those without a number for x, are left
// out.
ChartResult chart_result(const Chart& chart, std::span<const FigurePoints> points,
                         std::span<const PointEstimates* const> estimates);

}  // namespace photonsim::campaigns
