#include "campaigns/study_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/statistics/selection.h"
#include "analysis/statistics/sequential.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/studies/metric_names.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

json::value number(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

// Parameters as the numbers and words that they are.
json::value typed(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  const auto plain = value.find_first_not_of("0123456789.-+eE") == std::string::npos;
  if (const auto quantity = quantity_of(value); plain && quantity) {
    const bool whole = value.find_first_of(".eE") == std::string::npos;
    if (whole) return static_cast<std::int64_t>(*quantity);
    return *quantity;
  }
  return json::value(value);
}

json::object parameters_of(const StudyPoint& point) {
  json::object object;
  for (const auto& [name, value] : point.parameters) object[name] = typed(value);
  return object;
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

json::array predicted_of(const StudyPoint& point) {
  json::array list;
  for (const scenarios::PredictedUse& each : point.predicted) {
    list.push_back(json::object{{"name", each.name},
                                {"where", each.where},
                                {"utilisation", number(each.utilisation)},
                                {"capacity_per_second", number(each.capacity_per_second)}});
  }
  return list;
}

json::object metrics_of(const PointEstimates& estimates) {
  json::object object;
  for (const std::string& name : estimates.names()) {
    const auto found = estimates.of(name);
    if (!found) continue;
    const analysis::Estimate& estimate = found->estimate;
    json::object metric{{"mean", number(estimate.value)},
                        {"low", nullptr},
                        {"high", nullptr},
                        {"n", estimate.n},
                        {"unit", name_of(found->unit)}};
    if (estimate.interval) {
      metric["low"] = number(estimate.interval->low);
      metric["high"] = number(estimate.interval->high);
    } else {
      metric["shortage"] = analysis::text_of(estimate.shortage);
    }
    object[name] = std::move(metric);
  }
  return object;
}

std::string value_text(const MetricEstimate& metric) {
  const bool time = metric.unit == analysis::Unit::seconds;
  const auto one = [&](double value) {
    return time ? analysis::spoken(value) : fmt::format("{:.4g}", value);
  };
  const analysis::Estimate& estimate = metric.estimate;
  if (!estimate.interval) return one(estimate.value) + " (?)";
  return fmt::format("{} [{}, {}]", one(estimate.value), one(estimate.interval->low),
                     one(estimate.interval->high));
}

// Whether the relation holds at every value of the interval, at none, or at some.
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

// Values of keys, for the order of the answer.
double key_value(const StudyPoint& point, const std::string& key) {
  for (const auto& [name, value] : scenarios::key_values(point.config)) {
    if (name == key) return quantity_of(value).value_or(0);
  }
  return 0;
}

}  // namespace

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
                      report.estimates.stationary().value_or(true);
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
    const auto costs = [&](std::size_t point) {
      std::vector<double> values;
      for (const std::string& key : study_.least) {
        values.push_back(key_value(*points_[point].point, key));
      }
      return values;
    };
    answer_ = *std::ranges::min_element(candidates, {}, costs);
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

std::string StudyReport::json(int exit_code) const {
  json::array points;
  for (const PointReport& each : points_) {
    const auto stationary = each.estimates.stationary();
    json::object gates;
    for (std::size_t i = 0; i < each.gates.size(); ++i) {
      gates[study_.gates[i].text()] = text_of(each.gates[i]);
    }
    json::array imprecise;
    for (const std::string& name : each.imprecise) imprecise.emplace_back(name);
    const std::string bound = each.estimates.bound_by();
    points.push_back(
        json::object{{"parameters", parameters_of(*each.point)},
                     {"label", each.point->label},
                     {"replications", each.estimates.replications()},
                     {"failed", each.estimates.failed()},
                     {"stationary", stationary ? json::value(*stationary) : json::value(nullptr)},
                     {"binding", bound.empty() ? json::value(nullptr) : json::value(bound)},
                     {"gates", std::move(gates)},
                     {"imprecise", std::move(imprecise)},
                     {"predicted", predicted_of(*each.point)},
                     {"metrics", metrics_of(each.estimates)}});
  }
  json::object object{
      {"study", study_.name},   {"question", study_.question},       {"base", study_.base.string()},
      {"exit_code", exit_code}, {"complete", engine_.is_complete()}, {"points", std::move(points)}};
  object["answer"] =
      answer_ ? json::value(parameters_of(*points_[*answer_].point)) : json::value(nullptr);
  return json::serialize(object);
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

std::string StudyReport::answer_text() const {
  if (study_.least.empty() && study_.best.empty()) return {};
  if (!answer_) {
    return "answer: no point is stationary, free of failures and within the terms of [answer]\n";
  }
  const PointReport& chosen = points_[*answer_];
  std::string text = fmt::format("answer: {}\n", chosen.point->label);
  for (const std::string& name : shown_metrics()) {
    if (const auto found = chosen.estimates.of(name)) {
      text += fmt::format("  {:<32} {}\n", name, value_text(*found));
    }
  }
  if (!rivals_.empty()) {
    text += fmt::format("  {} other {} may be as good: these replications cannot tell\n",
                        rivals_.size(), rivals_.size() == 1 ? "point" : "points");
  }
  return text;
}

std::string StudyReport::text() const {
  std::uint64_t overloaded = 0;
  for (const PointReport& each : points_) {
    overloaded += each.estimates.stationary().value_or(true) ? 0 : 1;
  }
  std::string text =
      fmt::format("{}: {}, {} replications done, {} failed{}{}\n", study_.name,
                  analysis::counted(points_.size(), "point"), engine_.done(), failed(),
                  overloaded == 0 ? std::string() : fmt::format("; {} NOT STATIONARY", overloaded),
                  engine_.is_complete() ? "" : "; INCOMPLETE");
  if (!study_.question.empty()) text += study_.question + "\n";
  text += answer_text();
  const std::vector<std::string> metrics = shown_metrics();
  text += "\n";
  for (const PointReport& each : points_) {
    text += fmt::format("{} (n = {})\n", each.point->label, each.estimates.replications());
    if (each.estimates.failed() > 0) {
      text += fmt::format("  {} failed; the first: ",
                          analysis::counted(each.estimates.failed(), "replication"));
      const auto place = static_cast<std::size_t>(&each - points_.data());
      for (const auto& run : engine_.runs()[place]) {
        if (!run || run->exit_code == kOk) continue;
        text += fmt::format("{}\n    {}\n", run->what, run->replay);
        break;
      }
    }
    if (!each.estimates.stationary().value_or(true)) {
      text += fmt::format("  NOT STATIONARY: bound by {}\n", each.estimates.bound_by());
      continue;
    }
    for (const std::string& name : metrics) {
      const auto found = each.estimates.of(name);
      text += fmt::format("  {:<32} {}\n", name, found ? value_text(*found) : "not measured");
    }
    for (std::size_t i = 0; i < each.gates.size(); ++i) {
      if (each.gates[i] == GateResult::met) continue;
      text += fmt::format("  gate {}: {}\n", text_of(each.gates[i]), study_.gates[i].text());
    }
    for (const std::string& name : each.imprecise) {
      text +=
          fmt::format("  precision of {} not reached with {} replications, nor likely with {}\n",
                      name, each.estimates.replications(), study_.most_replications);
    }
  }
  return text;
}

std::string plan_json(const StudyPlan& plan) {
  json::array points;
  const Study& study = plan.study();
  for (const StudyPoint& point : plan.points()) {
    points.push_back(json::object{{"parameters", parameters_of(point)},
                                  {"replications", study.least_replications},
                                  {"predicted", predicted_of(point)}});
  }
  return json::serialize(json::object{
      {"study", study.name},
      {"question", study.question},
      {"base", study.base.string()},
      {"excluded", plan.excluded()},
      {"replications",
       json::object{{"min", study.least_replications}, {"max", study.most_replications}}},
      {"runs", json::object{{"min", plan.points().size() * study.least_replications},
                            {"max", plan.points().size() * study.most_replications}}},
      {"core_seconds", number(plan.cost(study.least_replications).core_seconds)},
      {"bytes", number(plan.cost(study.least_replications).bytes)},
      {"points", std::move(points)}});
}

std::string plan_text(const StudyPlan& plan) {
  const Study& study = plan.study();
  std::string text =
      fmt::format("{}: {}, {}{} replications each: {} runs{}\n", study.name,
                  analysis::counted(plan.points().size(), "point"), study.least_replications,
                  study.most_replications == study.least_replications
                      ? std::string()
                      : fmt::format(" to {}", study.most_replications),
                  plan.points().size() * study.least_replications,
                  study.most_replications == study.least_replications
                      ? std::string()
                      : fmt::format(" to {}", plan.points().size() * study.most_replications));
  if (!study.question.empty()) text += study.question + "\n";
  const StudyPlan::Cost cost = plan.cost(study.least_replications);
  text += fmt::format("about {} on one core, and {:.1f} MB of results\n",
                      analysis::spoken(cost.core_seconds), cost.bytes / 1e6);
  if (plan.overloaded() > 0) {
    text += fmt::format("{} CANNOT KEEP UP, by theory\n",
                        analysis::counted(plan.overloaded(), "point"));
  }
  if (plan.excluded() > 0) {
    text += fmt::format("`where` excludes {}\n", analysis::counted(plan.excluded(), "combination"));
  }
  text += "\n";
  for (const StudyPoint& point : plan.points()) {
    text += point.label + "\n";
    if (point.predicted.empty()) continue;
    const scenarios::PredictedUse& first = point.predicted.front();
    text += fmt::format("  predicted: {} {} at {:.0f} %{}\n", first.name, first.where,
                        100 * first.utilisation, first.utilisation >= 1 ? ": CANNOT KEEP UP" : "");
  }
  return text;
}

}  // namespace photonsim::campaigns
