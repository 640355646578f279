#include "campaigns/study_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analysis/optimisation/pareto_front.h"
#include "analysis/statistics/ratios.h"
#include "analysis/statistics/selection.h"
#include "analysis/statistics/sequential.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/gates.h"
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

// Of a comparison at all values of two intervals.
struct Certainty {
  bool always = false;
  bool never = false;
};

GateResult result_of(const Certainty& certainty) {
  if (certainty.always) return GateResult::met;
  return certainty.never ? GateResult::missed : GateResult::undecided;
}

// What a count may be that no run has any of.
enum class NoEvent : std::uint8_t {
  observed,  // none
  rare,      // one in the share of runs that the rule of three leaves open
};

// Nothing is known of another figure without an interval.
analysis::Interval values_of(const MetricEstimate& metric, NoEvent none) {
  const analysis::Estimate shown = metric.shown();
  if (shown.interval) return *shown.interval;
  constexpr double kAnything = std::numeric_limits<double>::infinity();
  if (shown.shortage != analysis::Shortage::no_event) return {-kAnything, kAnything};
  if (none == NoEvent::observed) return {0, 0};
  return {0, analysis::rule_of_three(std::max<std::uint64_t>(shown.n, 1))};
}

// The values that a product may have while each factor lies in its interval. Nothing: a figure is
// not measured, or a divisor may be zero. That figures of one run move together is not used.
std::optional<analysis::Interval> values_of(const std::vector<Condition::Factor>& side,
                                            const PointEstimates& estimates, NoEvent none) {
  analysis::Interval product{1, 1};
  for (const Condition::Factor& factor : side) {
    analysis::Interval value{};
    if (const auto number = quantity_of(factor.text)) {
      value = {*number, *number};
    } else {
      const auto found = estimates.of(factor.text);
      if (!found) return std::nullopt;
      value = values_of(*found, none);
    }
    if (factor.divides) {
      if (value.contains(0)) return std::nullopt;
      value = {1 / value.high, 1 / value.low};
    }
    const auto [low, high] = std::minmax({product.low * value.low, product.low * value.high,
                                          product.high * value.low, product.high * value.high});
    // Zero times anything.
    if (std::isnan(low) || std::isnan(high)) return values_of(MetricEstimate{}, none);
    product = {low, high};
  }
  return product;
}

}  // namespace

analysis::SequentialStep step_of(const Precision& target, const MetricEstimate& metric,
                                 const Study& study) {
  const auto scale = target.relative ? analysis::Scale::relative : analysis::Scale::absolute;
  return analysis::check_precision(metric.estimate, {target.half_width, scale},
                                   {study.least_replications, study.most_replications});
}

GateResult judged(const Condition& gate, const PointEstimates& estimates) {
  auto left = values_of(gate.left(), estimates, NoEvent::rare);
  auto right = values_of(gate.right(), estimates, NoEvent::rare);
  if (!left || !right) return GateResult::not_measured;
  // "lost == 0" asks for what was observed.
  const auto is_zero = [](const analysis::Interval& each) {
    return each.low == 0 && each.high == 0;
  };
  if (is_zero(*right)) left = values_of(gate.left(), estimates, NoEvent::observed);
  if (is_zero(*left)) right = values_of(gate.right(), estimates, NoEvent::observed);
  const Certainty below = {left->high < right->low, left->low >= right->high};
  const Certainty at_most = {left->high <= right->low, left->low > right->high};
  const bool apart = left->high < right->low || left->low > right->high;
  const bool one = left->low == left->high && right->low == right->high;
  const Certainty equal = {one && left->low == right->low, apart};
  switch (gate.relation()) {
    case Relation::less:
      return result_of(below);
    case Relation::at_most:
      return result_of(at_most);
    case Relation::equal:
      return result_of(equal);
    case Relation::unequal:
      return result_of({equal.never, equal.always});
    case Relation::at_least:
      return result_of({below.never, below.always});
    case Relation::greater:
      return result_of({at_most.never, at_most.always});
  }
  return GateResult::not_measured;
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
    report.estimates = PointEstimates(engine.counted(i));
    report.confirmed = std::ranges::find(engine.confirmed(), i) != engine.confirmed().end();
    report.wanted = engine.wanted()[i];
    judge_gates(report);
    points_.push_back(std::move(report));
  }
  choose();
  find_front();
  std::vector<const PointEstimates*> estimates;
  for (const PointReport& each : points_) estimates.push_back(&each.estimates);
  for (std::size_t i = 0; i < study_.claims.size(); ++i) {
    claims_.push_back(claim_result(study_.claims[i], engine.plan().claims()[i], estimates,
                                   study_.least_replications));
  }
  for (std::size_t i = 0; i < study_.charts.size(); ++i) {
    charts_.push_back(chart_result(study_.charts[i], engine.plan().charts()[i], estimates));
  }
}

void StudyReport::find_front() {
  std::vector<std::size_t> measured;
  std::vector<analysis::Objectives> means;
  for (std::size_t i = 0; i < points_.size() && !study_.pareto.empty(); ++i) {
    if (!points_[i].admissible) continue;
    analysis::Objectives values;
    for (const std::string& metric : study_.pareto) {
      if (const auto found = points_[i].estimates.of(metric)) {
        values.push_back(found->estimate.value);
      }
    }
    if (values.size() < study_.pareto.size()) continue;
    measured.push_back(i);
    means.push_back(std::move(values));
  }
  for (const std::size_t place : analysis::pareto_front(means)) front_.push_back(measured[place]);
  std::ranges::sort(front_, {}, [&](std::size_t point) {
    return points_[point].estimates.of(study_.pareto.front())->estimate.value;
  });
}

// Runs for rare losses are short on purpose: whether they keep up decides on latencies alone.
bool StudyReport::is_doubtful(const PointReport& report) const {
  const auto is_latency = [](const std::string& metric) { return metric.starts_with("latency."); };
  const bool asks_latency = is_latency(study_.best) ||
                            std::ranges::any_of(study_.pareto, is_latency) ||
                            std::ranges::any_of(study_.subject_to, names_latency);
  return report.estimates.is_doubtful() && (!study_.rare || asks_latency);
}

void StudyReport::judge_gates(PointReport& report) const {
  for (const Condition& gate : study_.gates) {
    GateResult result = judged(gate, report.estimates);
    if (result == GateResult::met && !report.estimates.decides_latencies() && names_latency(gate)) {
      result = GateResult::undecided;
    }
    report.gates.push_back(result);
  }
  report.admissible = report.point->among && report.estimates.replications() > 0 &&
                      report.estimates.failed() == 0 &&
                      report.estimates.stationary().value_or(true) && !is_doubtful(report) &&
                      (!study_.search || report.confirmed);
  for (const Condition& term : study_.subject_to) {
    report.admissible = report.admissible && judged(term, report.estimates) == GateResult::met;
  }
  // Of a point whose first replications have not all ended nothing is known yet.
  if (report.estimates.replications() < study_.least_replications) return;
  for (const Precision& precision : study_.precision) {
    const auto found = report.estimates.of(precision.metric);
    const bool reached =
        found && step_of(precision, *found, study_).verdict == analysis::PrecisionVerdict::reached;
    if (!reached) report.imprecise.push_back(precision.metric);
  }
}

// The least of the keys in their order, of equal ones that which meets the terms best; or the
// points that may have the least of the metric.
void StudyReport::choose() {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].admissible) candidates.push_back(i);
  }
  if (candidates.empty() || (study_.least.empty() && study_.best.empty())) return;
  if (!study_.least.empty()) {
    answer_ = *std::ranges::min_element(candidates, {}, [&](std::size_t point) {
      return std::pair(costs(point), distance_to_terms(point));
    });
    for (const std::size_t point : candidates) {
      if (point != *answer_ && costs(point) == costs(*answer_)) rivals_.push_back(point);
    }
    return;
  }
  std::erase_if(candidates, [&](std::size_t i) { return !points_[i].estimates.of(study_.best); });
  if (candidates.empty()) return;
  answer_ = *std::ranges::min_element(candidates, {}, [&](std::size_t point) {
    return points_[point].estimates.of(study_.best)->estimate.value;
  });
  const auto difference = [&](std::size_t first, std::size_t second, double confidence) {
    const auto paired = compared(candidates[first], candidates[second], study_.best, confidence);
    return paired ? paired->difference : analysis::Estimate{};
  };
  for (const std::size_t survivor : analysis::select_best_by(candidates.size(), difference)) {
    if (candidates[survivor] != *answer_) rivals_.push_back(candidates[survivor]);
  }
}

std::vector<double> StudyReport::distance_to_terms(std::size_t point) const {
  std::vector<double> values;
  for (const Condition& term : study_.subject_to) {
    const auto side = term.bounded_side();
    const auto found = side ? points_[point].estimates.of(term.names().front()) : std::nullopt;
    if (!found) continue;
    values.push_back(side == Condition::Side::less ? found->estimate.value
                                                   : -found->estimate.value);
  }
  return values;
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
  const std::size_t first = first_among();
  if (study_.best.empty() || !answer_ || *answer_ == first) return std::nullopt;
  if (study_.search) return std::nullopt;  // its first point is none to compare with
  if (!points_[first].estimates.stationary().value_or(true)) return std::nullopt;
  return compared(first, *answer_, study_.best);
}

std::size_t StudyReport::first_among() const {
  const auto found =
      std::ranges::find_if(points_, [](const PointReport& each) { return each.point->among; });
  return found == points_.end() ? 0 : static_cast<std::size_t>(found - points_.begin());
}

std::optional<analysis::PairedDifference> StudyReport::compared(std::size_t point,
                                                                std::size_t other,
                                                                const std::string& metric,
                                                                double confidence) const {
  // As the table: not where a replication lacks the figure.
  for (const std::size_t each : {point, other}) {
    if (!points_[each].estimates.of(metric)) return std::nullopt;
  }
  const SeedPairs pairs = paired_by_seed(points_[point].estimates, points_[other].estimates);
  return difference_of(pairs.first, pairs.second, metric, confidence);
}

bool StudyReport::equals_answer(std::size_t point) const {
  return std::ranges::equal(engine_.counted(point), engine_.counted(*answer_),
                            [&](const auto& one, const auto& other) {
                              return one.has_value() == other.has_value() &&
                                     (!one || have_same(*one, *other, study_.best));
                            });
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

int StudyReport::exit_code() const {
  int worst = kOk;
  for (const PointReport& point : points_) {
    worst = worse_of(worst, point.estimates.worst_exit_code());
  }
  // Gates and precision are those of the study as a whole.
  if (worst != kOk || engine_.share_is_done()) return worst;
  if (gate_missed()) return kGateMissed;
  return is_imprecise() ? kIncomplete : kOk;
}

std::vector<std::string> StudyReport::shown_metrics() const {
  std::vector<std::string> names = study_.metrics;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  const auto add_all = [&](const std::vector<Condition>& conditions) {
    for (const Condition& each : conditions) {
      for (const std::string& name : each.names()) add(name);
    }
  };
  if (study_.metrics.empty()) {
    for (const Precision& each : study_.precision) add(each.metric);
    add_all(study_.gates);
  }
  // What the answer is chosen by.
  add_all(study_.subject_to);
  if (!study_.best.empty()) add(study_.best);
  for (const std::string& each : study_.pareto) add(each);
  if (!names.empty()) return names;
  const bool load = !points_.empty() && points_.front().point->config.registry_only();
  return load ? std::vector<std::string>{"latency.insert.p50", "latency.insert.p99",
                                         "load.mean_batch"}
              : std::vector<std::string>{"latency.own.p50", "latency.own.p99",
                                         "registry.mean_batch"};
}

}  // namespace photonsim::campaigns
