#include "campaigns/studies/search_evaluations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "analysis/statistics/critical_values.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// A figure of all points, to be small.
struct Column {
  std::vector<std::optional<double>> values{};
  std::vector<std::optional<double>> variances{};  // of the values; nothing: not known
  std::vector<double> degrees{};                   // of freedom of each variance
  std::optional<double> bound{};                   // it is at most this
};

// The standard error of a mean or quantile over n replications, by its interval.
std::optional<double> standard_error(const analysis::Estimate& estimate) {
  if (!estimate.interval || estimate.n < 2) return std::nullopt;
  const double degrees = static_cast<double>(estimate.n - 1);
  return estimate.interval->half_width() /
         analysis::student_quantile((1 + analysis::kConfidence) / 2, degrees);
}

Column metric_column(const std::string& metric, const std::vector<PointEstimates>& estimates) {
  Column column;
  for (const PointEstimates& each : estimates) {
    const auto found = each.of(metric);
    column.values.push_back(found ? std::optional(found->estimate.value) : std::nullopt);
    const auto error = found ? standard_error(found->estimate) : std::nullopt;
    column.variances.push_back(error ? std::optional(*error * *error) : std::nullopt);
    column.degrees.push_back(found ? static_cast<double>(found->estimate.n) - 1 : 0);
  }
  return column;
}

// The values of a key that is searched over, ascending, without repetitions.
std::vector<double> ascending_values(const Search& search, const std::string& key) {
  std::vector<double> values;
  for (const Factor& factor : search.factors) {
    if (factor.key != key) continue;
    for (const std::string& each : factor.values) values.push_back(quantity_of(each).value_or(0));
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

double value_of_key(const StudyPoint& point, const std::string& key) {
  const auto found = std::ranges::find(point.parameters, key, &analysis::Parameter::name);
  return found == point.parameters.end() ? 0 : quantity_of(found->value).value_or(0);
}

// What `least` means as one number below 1: its first key decides, the next where that is the same,
// and so on, each by the rank of its value among those that it may have. It has no noise.
Column cost_column(const Study& study, const std::vector<StudyPoint>& points) {
  Column column;
  column.values.assign(points.size(), 0.0);
  column.variances.assign(points.size(), 0.0);
  column.degrees.assign(points.size(), std::numeric_limits<double>::infinity());
  double step = 1;
  for (const std::string& key : study.least) {
    const std::vector<double> values = ascending_values(*study.search, key);
    if (values.empty()) continue;
    step /= static_cast<double>(values.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto at = std::ranges::lower_bound(values, value_of_key(points[i], key));
      *column.values[i] += step * static_cast<double>(at - values.begin());
    }
  }
  return column;
}

// The number that a term bounds its figure by.
double bound_of(const Condition& term) {
  const bool left = term.left().size() == 1 && !quantity_of(term.left().front().text);
  double product = 1;
  for (const Condition::Factor& each : left ? term.right() : term.left()) {
    const double value = quantity_of(each.text).value_or(1);
    product = each.divides ? product / value : product * value;
  }
  return product;
}

// 1 where a point failed or could not keep up, or lacks a figure.
std::optional<Column> unsound_column(const std::vector<Column>& columns,
                                     const std::vector<PointEstimates>& estimates) {
  Column column{.bound = 0.5};
  bool any = false;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const bool lacks = std::ranges::any_of(
        columns, [i](const Column& each) { return !each.values[i].has_value(); });
    const bool bad =
        lacks || estimates[i].failed() > 0 || !estimates[i].stationary().value_or(true);
    any = any || bad;
    column.values.emplace_back(bad ? 1.0 : 0.0);
    column.variances.emplace_back(0.0);
    column.degrees.push_back(std::numeric_limits<double>::infinity());
  }
  return any ? std::optional(std::move(column)) : std::nullopt;
}

// A point without the figure is as bad as the worst that has it: the greatest, or the least of a
// figure that must be large.
void fill(Column& column, bool large_is_good) {
  std::optional<double> worst;
  for (const auto& value : column.values) {
    if (!value) continue;
    const double sofar = worst.value_or(*value);
    worst = large_is_good ? std::min(sofar, *value) : std::max(sofar, *value);
  }
  for (auto& value : column.values) value = value.value_or(worst.value_or(0));
}

void negate(Column& column) {
  for (auto& value : column.values) value = -*value;
  if (column.bound) column.bound = -*column.bound;
}

// Of a column whose values and bound are above zero.
void take_logarithms(Column& column) {
  const bool positive =
      std::ranges::all_of(column.values, [](const auto& value) { return *value > 0; });
  if (!positive || column.bound.value_or(1) <= 0) return;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    double& value = *column.values[i];
    if (column.variances[i]) *column.variances[i] /= value * value;
    value = std::log(value);
  }
  if (column.bound) column.bound = std::log(*column.bound);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Drawn to what is usual; that itself where a point has no variance of its own.
std::vector<double> noise_of(const Column& column) {
  std::vector<double> known;
  for (const auto& each : column.variances) {
    if (each) known.push_back(*each);
  }
  const double usual = known.empty() ? 0 : median(known);
  std::vector<double> noise;
  for (std::size_t i = 0; i < column.variances.size(); ++i) {
    const double degrees = column.degrees[i];
    if (!column.variances[i]) {
      noise.push_back(usual);
    } else if (std::isinf(degrees)) {
      noise.push_back(*column.variances[i]);
    } else {
      noise.push_back((degrees * *column.variances[i] + kPriorDegrees * usual) /
                      (degrees + kPriorDegrees));
    }
  }
  return noise;
}

}  // namespace

SearchEvaluations search_evaluations(const Study& study, const std::vector<StudyPoint>& points,
                                     const std::vector<analysis::SearchPoint>& places,
                                     const std::vector<PointEstimates>& estimates) {
  std::vector<Column> columns;
  if (!study.least.empty()) columns.push_back(cost_column(study, points));
  if (!study.best.empty()) columns.push_back(metric_column(study.best, estimates));
  for (const std::string& each : study.pareto) {
    if (each != study.best) columns.push_back(metric_column(each, estimates));
  }
  SearchEvaluations found;
  found.goal.objectives = columns.size();
  for (const Condition& term : study.subject_to) {
    columns.push_back(metric_column(term.names().front(), estimates));
    columns.back().bound = bound_of(term);
  }
  auto unsound = unsound_column(columns, estimates);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool lower =
        i >= found.goal.objectives &&
        study.subject_to[i - found.goal.objectives].bounded_side() == Condition::Side::more;
    fill(columns[i], lower);
    const bool is_cost = i == 0 && !study.least.empty();
    if (!is_cost) take_logarithms(columns[i]);
    if (lower) negate(columns[i]);
  }
  if (unsound) columns.push_back(*std::move(unsound));
  for (std::size_t point = 0; point < points.size(); ++point) {
    found.list.push_back({.point = places[point]});
  }
  for (const Column& column : columns) {
    const std::vector<double> noise = noise_of(column);
    for (std::size_t point = 0; point < points.size(); ++point) {
      found.list[point].values.push_back(*column.values[point]);
      found.list[point].noise_variances.push_back(noise[point]);
    }
    if (column.bound) found.goal.bounds.push_back(*column.bound);
  }
  return found;
}

}  // namespace photonsim::campaigns
