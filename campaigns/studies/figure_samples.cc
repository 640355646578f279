#include "campaigns/studies/figure_samples.h"

#include <algorithm>

#include "analysis/statistics/student.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

analysis::Unit unit_of(const Dimension& dimension) {
  if (dimension == Dimension{1, 0}) return analysis::Unit::seconds;
  if (dimension == Dimension{-1, 0}) return analysis::Unit::per_second;
  if (dimension == Dimension{0, 1}) return analysis::Unit::bytes;
  return analysis::Unit::ratio;
}

// Nothing if the run lacks a figure, or a divisor is zero.
std::optional<double> figure_in(const analysis::RunRecord& run, const StudyFigure& figure) {
  if (figure.formula) {
    return figure.formula->value([&](const std::string& name) { return metric_of(run, name); });
  }
  double product = 1;
  for (const Condition::Factor& factor : figure.factors) {
    auto value = quantity_of(factor.text);
    if (!value) value = metric_of(run, factor.text);
    if (!value || (factor.divides && *value == 0)) return std::nullopt;
    product = factor.divides ? product / *value : product * *value;
  }
  return product;
}

std::vector<double> values_of(const std::vector<FigureSample>& samples) {
  std::vector<double> values;
  for (const FigureSample& each : samples) values.push_back(each.value);
  return values;
}

}  // namespace

std::optional<std::vector<FigureSample>> samples_of(const StudyFigure& figure,
                                                    const PointEstimates& at,
                                                    const PointEstimates* beside) {
  std::vector<FigureSample> samples;
  if (beside == nullptr) {
    for (const analysis::RunRecord* run : at.used()) {
      const auto value = figure_in(*run, figure);
      if (!value) return std::nullopt;
      samples.push_back({run, *value});
    }
    return samples;
  }
  const SeedPairs pairs = paired_by_seed(at, *beside);
  for (std::size_t i = 0; i < pairs.first.size(); ++i) {
    const auto value = figure_in(*pairs.first[i], figure);
    const auto other = figure_in(*pairs.second[i], figure);
    if (!value || !other || *other == 0) return std::nullopt;
    samples.push_back({pairs.first[i], *value / *other});
  }
  return samples;
}

std::optional<MeasuredFigure> measured_at(const StudyFigure& figure, const PointEstimates& at,
                                          const PointEstimates* beside) {
  if (figure.factors.size() == 1 && beside == nullptr && is_metric(figure.figure)) {
    const auto found = at.of(figure.figure);
    if (!found) return std::nullopt;
    return MeasuredFigure{found->shown(), found->unit, at.replications()};
  }
  const auto samples = samples_of(figure, at, beside);
  if (!samples || samples->empty()) return std::nullopt;
  const std::vector<double> values = values_of(*samples);
  const Dimension dimension = beside != nullptr ? Dimension{} : dimension_of(figure);
  MeasuredFigure measured{analysis::mean_of_replications(values), unit_of(dimension),
                          values.size()};
  auto& interval = measured.estimate.interval;
  if (interval && std::ranges::min(values) >= 0) interval->low = std::max(interval->low, 0.0);
  const bool counts = std::ranges::any_of(figure.factors, [](const Condition::Factor& factor) {
    return !factor.divides && counts_events(factor.text);
  });
  if (counts && std::ranges::all_of(values, [](double value) { return value == 0; })) {
    measured.estimate =
        analysis::Estimate::without_interval(0, values.size(), analysis::Shortage::no_event);
  }
  return measured;
}

std::optional<double> value_in(const analysis::RunRecord& run, const Formula& formula,
                               const std::map<std::string, double>& keys) {
  return formula.value([&](const std::string& name) {
    const auto key = keys.find(name);
    return key == keys.end() ? metric_of(run, name) : std::optional(key->second);
  });
}

}  // namespace photonsim::campaigns
