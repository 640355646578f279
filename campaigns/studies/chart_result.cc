#include "campaigns/studies/chart_result.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/statistics/student.h"
#include "campaigns/studies/figure_samples.h"
#include "campaigns/studies/series_figures.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

using Keys = std::map<std::string, double>;

// The mean over the runs of a point; nothing if one of them has no value.
std::optional<double> mean_of(const Formula& formula, const PointEstimates& at, const Keys& keys) {
  std::vector<double> values;
  for (const analysis::RunRecord* run : at.used()) {
    const auto value = value_in(*run, formula, keys);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return analysis::mean_of_replications(values).value;
}

class Drawing {
 public:
  Drawing(const Chart& chart, std::span<const PointEstimates* const> estimates)
      : chart_(chart), estimates_(estimates) {}

  DrawnLine line(const ChartLine& line, const FigurePoints& points) const {
    DrawnLine drawn{.label = line.label};
    for (std::size_t i = 0; i < points.at.size(); ++i) {
      const PointEstimates& at = *estimates_[points.at[i]];
      const PointEstimates* const beside = points.beside ? estimates_[*points.beside] : nullptr;
      if (chart_.across == Chart::Across::time) {
        over_time(line, at, beside, points.keys[i], points.at[i], drawn);
        continue;
      }
      ChartValue value{.point = points.at[i]};
      if (chart_.x) {
        value.x = mean_of(*chart_.x, at, points.keys[i]);
        if (!value.x) continue;
      }
      add(line, at, beside, points.keys[i], std::move(value), drawn);
    }
    if (chart_.x) std::ranges::stable_sort(drawn.values, {}, &ChartValue::x);
    return drawn;
  }

 private:
  static void add(const StudyFigure& figure, const PointEstimates& at, const PointEstimates* beside,
                  const Keys& keys, ChartValue value, DrawnLine& drawn) {
    const auto measured = measured_at(figure, at, beside);
    if (!measured) return;
    drawn.unit = measured->unit;
    value.estimate = measured->estimate;
    if (figure.theory) value.theory = mean_of(*figure.theory, at, keys);
    drawn.values.push_back(std::move(value));
  }

  // A value for each interval of the point, from the end of its warm-up until its load ends.
  void over_time(const ChartLine& line, const PointEstimates& at, const PointEstimates* beside,
                 const Keys& keys, std::size_t point, DrawnLine& drawn) const {
    const auto seconds = at.of(std::string(kIntervalSeconds));
    if (!seconds) return;
    const std::uint64_t intervals = intervals_of(at);
    const auto length = keys.find(std::string(kRunDuration));
    const auto warm_up = keys.find(std::string(kRunWarmUp));
    for (std::uint64_t i = 0; i < intervals; ++i) {
      Keys of_interval = keys;
      const double end = seconds->estimate.value * static_cast<double>(i + 1);
      if (length != keys.end() && end > length->second) break;
      if (warm_up != keys.end() && end <= warm_up->second) continue;
      of_interval[std::string(kTime)] = end;
      ChartValue value{.point = point};
      value.x = mean_of(*chart_.x, at, of_interval);
      if (value.x) add(figure_of_interval(line, i), at, beside, of_interval, value, drawn);
    }
  }

  const Chart& chart_;
  std::span<const PointEstimates* const> estimates_;
};

std::vector<DrawnBound> bounds_of(const Chart& chart, const std::vector<DrawnLine>& lines) {
  double from = 0, to = 0;
  for (const DrawnLine& line : lines) {
    for (const ChartValue& each : line.values) {
      from = std::min(from, each.x.value_or(0));
      to = std::max(to, each.x.value_or(0));
    }
  }
  std::vector<DrawnBound> drawn;
  for (const ChartBound& bound : chart.bounds) {
    DrawnBound curve{.label = bound.label, .least = bound.least};
    for (int i = 0; i < kBoundValues; ++i) {
      const double x = from + (1.25 * to - from) * i / (kBoundValues - 1);
      curve.values.emplace_back(x, bound.formula.value([x](const std::string&) { return x; }));
    }
    drawn.push_back(std::move(curve));
  }
  return drawn;
}

}  // namespace

ChartResult chart_result(const Chart& chart, std::span<const FigurePoints> points,
                         std::span<const PointEstimates* const> estimates) {
  ChartResult result;
  const Drawing drawing(chart, estimates);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    result.lines.push_back(drawing.line(chart.lines[i], points[i]));
  }
  result.bounds = bounds_of(chart, result.lines);
  return result;
}

}  // namespace photonsim::campaigns
