#include "campaigns/study_report.h"

#include <algorithm>
#include <utility>

#include "analysis/statistics/selection.h"
#include "analysis/statistics/sequential.h"
#include "campaigns/studies/metric_names.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/predicted_figures.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Values of keys, for the order of the answer.
double key_value(const StudyPoint& point, const std::string& key) {
  for (const auto& [name, value] : scenarios::key_values(point.config)) {
    if (name == key) return quantity_of(value).value_or(0);
  }
  return 0;
}

}  // namespace

GateResult judged(const Condition& gate, const PointEstimates& estimates) {
  bool measured = true;
  const auto at = [&](int end) {
    std::string problem;
    return gate.evaluate(
        [&](const std::string& name) -> std::optional<Condition::Operand> {
          const auto found = estimates.of(name);
          if (!found) {
            measured = false;
            return std::nullopt;
          }
          double value = found->estimate.value;
          if (found->estimate.interval && end < 0) value = found->estimate.interval->low;
          if (found->estimate.interval && end > 0) value = found->estimate.interval->high;
          return Condition::Operand{value, {}};
        },
        problem);
  };
  const auto low = at(-1);
  const auto high = at(1);
  if (!measured || !low || !high) return GateResult::not_measured;
  if (*low && *high) return GateResult::met;
  return *low || *high ? GateResult::undecided : GateResult::missed;
}

std::map<std::string, double> theory_of(const StudyPoint& point) {
  std::map<std::string, double> list;
  for (const auto& each : scenarios::predicted_figures(point.config)) {
    list.emplace(spoken_name(each.name), each.predicted);
  }
  return list;
}

std::string_view text_of(GateResult result) {
  switch (result) {
    case GateResult::met:
      return "met";
    case GateResult::missed:
      return "missed";
    case GateResult::undecided:
      return "undecided";
    case GateResult::not_measured:
      return "not measured";
  }
  return "";
}

StudyReport::StudyReport(const StudyEngine& engine)
    : engine_(engine), study_(engine.plan().study()) {
  for (std::size_t i = 0; i < engine.plan().points().size(); ++i) {
    PointReport report;
    report.point = &engine.plan().points()[i];
    report.estimates = PointEstimates(engine.runs()[i]);
    report.wanted = engine.wanted()[i];
    judge_gates(report);
    points_.push_back(std::move(report));
  }
  choose();
}

void StudyReport::judge_gates(PointReport& report) const {
  for (const Condition& gate : study_.gates) {
    report.gates.push_back(judged(gate, report.estimates));
  }
  report.admissible = report.point->among && report.estimates.replications() > 0 &&
                      report.estimates.failed() == 0 &&
                      report.estimates.stationary().value_or(true) &&
                      !report.estimates.perhaps_growing();
  for (const Condition& term : study_.subject_to) {
    report.admissible = report.admissible && judged(term, report.estimates) == GateResult::met;
  }
  for (const Precision& precision : study_.precision) {
    const auto found = report.estimates.of(precision.metric);
    const auto scale = precision.relative ? analysis::Scale::relative : analysis::Scale::absolute;
    const bool reached =
        found && analysis::check_precision(found->estimate, {precision.half_width, scale},
                                           {study_.least_replications, study_.most_replications})
                         .verdict == analysis::PrecisionVerdict::reached;
    if (!reached) report.imprecise.push_back(precision.metric);
  }
}

// The least of the keys in their order, or the points that may have the least of the metric.
void StudyReport::choose() {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].admissible) candidates.push_back(i);
  }
  if (candidates.empty() || (study_.least.empty() && study_.best.empty())) return;
  if (!study_.least.empty()) {
    answer_ =
        *std::ranges::min_element(candidates, {}, [&](std::size_t point) { return costs(point); });
    for (const std::size_t point : candidates) {
      if (point != *answer_ && costs(point) == costs(*answer_)) rivals_.push_back(point);
    }
    return;
  }
  std::vector<std::vector<double>> values;
  std::size_t rows = std::string::npos;
  for (const std::size_t point : candidates) {
    std::vector<double> row;
    for (const auto& run : engine_.runs()[point]) {
      if (run && metric_of(*run, study_.best)) row.push_back(*metric_of(*run, study_.best));
    }
    rows = std::min(rows, row.size());
    values.push_back(std::move(row));
  }
  if (rows == 0) return;
  for (auto& row : values) row.resize(rows);
  std::vector<double> means;
  for (const auto& row : values) {
    double sum = 0;
    for (const double value : row) sum += value;
    means.push_back(sum / static_cast<double>(rows));
  }
  const auto least = static_cast<std::size_t>(std::ranges::min_element(means) - means.begin());
  answer_ = candidates[least];
  for (const std::size_t survivor : analysis::select_best_paired(values)) {
    if (candidates[survivor] != *answer_) rivals_.push_back(candidates[survivor]);
  }
}

std::vector<double> StudyReport::costs(std::size_t point) const {
  std::vector<double> values;
  for (const std::string& key : study_.least) {
    values.push_back(key_value(*points_[point].point, key));
  }
  return values;
}

std::optional<std::size_t> StudyReport::next_cheaper() const {
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!points_[i].point->among || costs(i) >= costs(*answer_)) continue;
    if (!next || costs(i) > costs(*next)) next = i;
  }
  return next;
}

std::optional<analysis::PairedDifference> StudyReport::saving() const {
  if (study_.best.empty() || !answer_ || *answer_ == 0) return std::nullopt;
  if (!points_.front().estimates.stationary().value_or(true)) return std::nullopt;
  // By replication, which is the seed: those that both points have.
  std::vector<double> first;
  std::vector<double> best;
  const auto& runs = engine_.runs();
  for (std::size_t i = 0; i < std::min(runs.front().size(), runs[*answer_].size()); ++i) {
    const auto value = [&](std::size_t point) {
      return runs[point][i] ? metric_of(*runs[point][i], study_.best) : std::nullopt;
    };
    if (!value(0) || !value(*answer_)) continue;
    first.push_back(*value(0));
    best.push_back(*value(*answer_));
  }
  if (first.empty()) return std::nullopt;
  return analysis::compare_paired(first, best);
}

bool StudyReport::gate_missed() const {
  return std::ranges::any_of(points_, [](const PointReport& point) {
    return std::ranges::any_of(point.gates,
                               [](GateResult result) { return result != GateResult::met; });
  });
}

std::uint64_t StudyReport::failed() const {
  std::uint64_t sum = 0;
  for (const PointReport& point : points_) sum += point.estimates.failed();
  return sum;
}

bool StudyReport::is_imprecise() const {
  return std::ranges::any_of(points_, [](const PointReport& point) {
    return !point.imprecise.empty() && point.estimates.stationary().value_or(true);
  });
}

std::vector<std::string> StudyReport::shown_metrics() const {
  if (!study_.metrics.empty()) return study_.metrics;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Precision& each : study_.precision) add(each.metric);
  for (const auto* conditions : {&study_.gates, &study_.subject_to}) {
    for (const Condition& each : *conditions) {
      for (const std::string& name : each.names()) add(name);
    }
  }
  if (!study_.best.empty()) add(study_.best);
  if (!names.empty()) return names;
  const bool load = !points_.empty() && points_.front().point->config.registry_only();
  return load ? std::vector<std::string>{"latency.insert.p50", "latency.insert.p99",
                                         "load.mean_batch"}
              : std::vector<std::string>{"latency.own.p50", "latency.own.p99",
                                         "registry.mean_batch"};
}

}  // namespace photonsim::campaigns
