// The text of studies: the answer first, then one row for each point.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/over_time_text.h"
#include "analysis/reports/report_text.h"
#include "analysis/statistics/quantiles.h"
#include "campaigns/estimate_text.h"
#include "campaigns/point_columns.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/study_report.h"
#include "campaigns/text_table.h"
#include "scenarios/language/scale.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// "81.0 ms [80.2 ms, 81.9 ms]"; without an interval "81.0 ms (n too small)".
std::string value_text(const MetricEstimate& metric) {
  const auto one = [&](double value) { return analysis::value_text(metric.unit, value); };
  const analysis::Estimate estimate = metric.shown();
  if (metric.rate && estimate.value == 0 && estimate.interval) {
    return fmt::format("0 (none in {}: one has any in at most {:.0f} %)",
                       analysis::counted(estimate.n, "run"), 100 * estimate.interval->high);
  }
  return estimate_text(estimate, one) + (metric.is_too_correlated() ? " !" : "");
}

}  // namespace

// What the answer buys beside the first point, with the same seeds; or why the next cheaper point
// is not the answer.
std::string StudyReport::price_text() const {
  if (!study_.least.empty()) {
    const auto cheaper = next_cheaper();
    if (!cheaper) return "  nothing cheaper was tried\n";
    const PointReport& other = points_[*cheaper];
    std::string why;
    if (!other.estimates.stationary().value_or(true)) {
      why = fmt::format("is overloaded: bound by {}", other.estimates.bound_by());
    } else if (other.estimates.failed() > 0) {
      why = fmt::format("fails in {} of its replications", other.estimates.failed());
    } else {
      for (const Condition& term : study_.subject_to) {
        if (judged(term, other.estimates) == GateResult::met) continue;
        const std::string name = term.names().empty() ? std::string() : term.names().front();
        const auto found = other.estimates.of(name);
        why = fmt::format("does not surely meet {}: {} is {}", term.text(), name,
                          found ? value_text(*found) : "not measured");
        break;
      }
    }
    if (why.empty()) {
      why = is_doubtful(other) ? "may be overloaded: its runs are too short to tell"
                               : "has no replication that ended";
    }
    return fmt::format("  the next cheaper, {}, {}\n", other.point->label, why);
  }
  const auto paired = saving();
  if (!paired) return {};
  const MetricEstimate saved{paired->difference,
                             unit_of_metric(study_.best).value_or(analysis::Unit::count), true};
  return fmt::format("  {} is {} less than with {}, seed by seed{}\n", study_.best,
                     value_text(saved), points_[first_among()].point->label,
                     paired->correlation
                         ? fmt::format(" (correlation {:.2f})", *paired->correlation)
                         : std::string());
}

std::string StudyReport::answer_text() const {
  if (study_.least.empty() && study_.best.empty()) return {};
  if (!answer_) {
    return "answer: none\n" + misses_text();
  }
  const PointReport& chosen = points_[*answer_];
  const auto theory = theory_of(*chosen.point);
  std::string text = fmt::format("answer: {}\n", chosen.point->label);
  for (const std::string& name : shown_metrics()) {
    const auto found = chosen.estimates.of(name);
    if (!found) continue;
    text += fmt::format("  {:<32} {}", name, value_text(*found));
    if (const auto predicted = theory.find(name); predicted != theory.end()) {
      text += fmt::format(", in theory {}", analysis::value_text(found->unit, predicted->second));
    }
    text += "\n";
  }
  text += price_text();
  if (!rivals_.empty() && !study_.least.empty()) {
    text += fmt::format("  {} more at the same price {} the terms:\n",
                        analysis::counted(rivals_.size(), "point"),
                        rivals_.size() == 1 ? "meets" : "meet");
    constexpr std::size_t kShown = 4;
    for (std::size_t i = 0; i < std::min(rivals_.size(), kShown); ++i) {
      const PointReport& rival = points_[rivals_[i]];
      text += fmt::format("    {}", rival.point->label);
      for (const Condition& term : study_.subject_to) {
        text += fmt::format("; {}", measured_text(term, rival.estimates));
      }
      text += "\n";
    }
    if (rivals_.size() > kShown) text += fmt::format("    {} more\n", rivals_.size() - kShown);
  } else if (!rivals_.empty()) {
    std::size_t equal = 0;
    for (const std::size_t rival : rivals_) {
      if (!equals_answer(rival)) continue;
      ++equal;
      text += fmt::format("  {} has the same in every replication\n", points_[rival].point->label);
    }
    if (equal < rivals_.size()) {
      text += fmt::format("  {} may be as good: these replications cannot tell\n",
                          analysis::counted(rivals_.size() - equal, "other point"));
    }
  }
  return text;
}

// Why there is no answer: what each kind of point fails at, and which point comes nearest.
std::string StudyReport::misses_text() const {
  std::uint64_t among = 0, overloaded = 0, doubtful = 0, failing = 0, missing = 0;
  std::vector<const PointReport*> sound;
  for (const PointReport& each : points_) {
    if (!each.point->among) continue;
    ++among;
    const bool grows = !each.estimates.stationary().value_or(true);
    const bool fails = each.estimates.failed() > 0;
    const bool absent = !fails && each.estimates.replications() == 0;
    missing += absent ? 1 : 0;
    overloaded += grows ? 1 : 0;
    doubtful += !grows && is_doubtful(each) ? 1 : 0;
    failing += fails ? 1 : 0;
    if (!grows && !fails && !absent && !is_doubtful(each)) sound.push_back(&each);
  }
  std::string text;
  const auto count = [&](std::uint64_t points, std::string_view what) {
    if (points > 0) text += fmt::format("  {} of {}: {}\n", points, among, what);
  };
  count(overloaded, "not stationary" + bound_text(true));
  count(doubtful, "too short to tell whether it is stationary" + bound_text(false) +
                      ": lengthen run.duration");
  count(failing, "failed replications");
  count(missing, "not run yet");
  for (const Condition& term : study_.subject_to) {
    std::uint64_t missed = 0, open = 0, unmeasured = 0;
    for (const PointReport* each : sound) {
      const GateResult result = judged(term, each->estimates);
      missed += result == GateResult::missed ? 1 : 0;
      open += result == GateResult::undecided ? 1 : 0;
      unmeasured += result == GateResult::not_measured ? 1 : 0;
    }
    count(missed, fmt::format("missed {}", term.text()));
    count(open, fmt::format("more replications must decide {}", term.text()));
    count(unmeasured, fmt::format("no run of this workload measures what {} names", term.text()));
    text += nearest_text(term, sound);
  }
  return text;
}

// ", bound by X (2), Y (1)": what holds up the points that surely cannot keep up, or perhaps not.
std::string StudyReport::bound_text(bool surely) const {
  std::map<std::string, std::uint64_t> points;
  for (const PointReport& each : points_) {
    const bool grows = !each.estimates.stationary().value_or(true);
    if (!each.point->among || grows != surely || (!grows && !is_doubtful(each))) continue;
    if (const std::string by = each.estimates.bound_by(); !by.empty()) ++points[by];
  }
  std::string text;
  for (const auto& [name, count] : points) {
    text += fmt::format("{}{} ({})", text.empty() ? ", bound by " : ", ", name, count);
  }
  return text;
}

// Of the points that do not meet a bound of one figure: the one that comes nearest.
std::string StudyReport::nearest_text(const Condition& term,
                                      const std::vector<const PointReport*>& among) {
  const std::vector<std::string> names = term.names();
  const auto side = term.bounded_side();
  if (!side) return {};
  const bool upper = side == Condition::Side::less;
  const PointReport* nearest = nullptr;
  std::optional<MetricEstimate> best;
  for (const PointReport* each : among) {
    if (judged(term, each->estimates) == GateResult::met) continue;
    const auto found = each->estimates.of(names.front());
    if (!found) continue;
    const bool nearer = !best || (upper ? found->estimate.value < best->estimate.value
                                        : found->estimate.value > best->estimate.value);
    if (!nearer) continue;
    nearest = each;
    best = found;
  }
  if (nearest == nullptr) return {};
  return fmt::format("    nearest: {}, {}\n", nearest->point->label, value_text(*best));
}

// Without a question for the cheapest or the best: what each point has more than the first, seed by
// seed.
std::string StudyReport::differences_text() const {
  if (!study_.least.empty() || !study_.best.empty() || points_.size() < 2) return {};
  if (study_.sample || study_.search) return {};  // its first point is none to compare with
  if (!points_.front().estimates.stationary().value_or(true)) return {};
  const std::vector<std::string> metrics = shown_metrics();
  const PointColumns columns(engine_.plan().points());
  std::vector<std::string> headers{" "};
  for (std::string& each : columns.headers()) headers.push_back(std::move(each));
  headers.insert(headers.end(), metrics.begin(), metrics.end());
  TextTable table(std::move(headers));
  for (std::size_t i = 1; i < points_.size(); ++i) {
    if (!points_[i].estimates.stationary().value_or(true)) continue;
    std::vector<std::string> cells{" "};
    for (std::string& cell : columns.cells(*points_[i].point)) cells.push_back(std::move(cell));
    for (const std::string& name : metrics) {
      const auto paired = compared(i, 0, name);
      const auto unit = unit_of_metric(name).value_or(analysis::Unit::count);
      cells.push_back(paired ? value_text({paired->difference, unit, true}) : "-");
    }
    table.row(std::move(cells));
  }
  return fmt::format("\nmore than {}, seed by seed (a difference is clear where 0 lies outside)\n",
                     points_.front().point->label) +
         table.text();
}

bool StudyReport::is_too_correlated() const {
  const std::vector<std::string> names = shown_metrics();
  return std::ranges::any_of(points_, [&](const PointReport& point) {
    if (!point.estimates.stationary().value_or(true)) return false;  // its figures are not shown
    return std::ranges::any_of(names, [&](const std::string& name) {
      const auto found = point.estimates.of(name);
      return found && found->is_too_correlated();
    });
  });
}

// "latency.own.p99 is 2.20 s (n too small)"
std::string StudyReport::measured_text(const Condition& gate, const PointEstimates& estimates) {
  std::string text;
  for (const std::string& name : gate.names()) {
    const auto found = estimates.of(name);
    text += fmt::format("{}{} is {}", text.empty() ? "" : "; ", name,
                        found ? value_text(*found) : "not measured");
  }
  return text;
}

// What would give this figure an interval.
std::string remedy_of(const analysis::Estimate& estimate, std::uint64_t most) {
  using analysis::Shortage;
  if (estimate.shortage == Shortage::no_event) return "none of them shows it";
  if (estimate.shortage == Shortage::clusters) return "raise max: it is in too few of them";
  if (estimate.shortage == Shortage::replications) return "two must end well";
  if (!estimate.n_needed) return "lengthen the runs: the sample is too small for it";
  return fmt::format("the sample needs {} replications of this length, and max is {}",
                     *estimate.n_needed, most);
}

// Why a target of precision was not reached, and what would reach it.
std::string StudyReport::precision_text(const PointReport& point, const std::string& name) const {
  const auto found = point.estimates.of(name);
  const std::string done = analysis::counted(point.estimates.replications(), "replication");
  if (!found) return fmt::format("  precision of {}: no run measures it\n", name);
  if (!found->estimate.interval) {
    return fmt::format("  precision of {}: no interval with {}; {}\n", name, done,
                       remedy_of(found->estimate, study_.most_replications));
  }
  const auto target = std::ranges::find(study_.precision, name, &Precision::metric);
  const analysis::SequentialStep step = step_of(*target, *found, study_);
  return fmt::format(
      "  precision of {} not reached with {}: half-width {}, wanted {}; {}\n", name, done,
      analysis::value_text(found->unit, found->estimate.interval->half_width()),
      target->relative ? fmt::format("{:.3g} % of the mean", 100 * target->half_width)
                       : analysis::value_text(found->unit, target->half_width),
      step.projected ? fmt::format("about {} replications would do, and max is {}", *step.projected,
                                   study_.most_replications)
                     : "longer runs or a wider target would do");
}

// "; 2 gates missed; 1 gate undecided": of all points that have run.
std::string StudyReport::gates_text() const {
  std::uint64_t missed = 0, open = 0;
  for (const PointReport& each : points_) {
    if (each.estimates.replications() == 0 && !engine_.is_complete()) continue;
    for (const GateResult result : each.gates) {
      missed += result == GateResult::missed ? 1 : 0;
      open += result == GateResult::undecided || result == GateResult::not_measured ? 1 : 0;
    }
  }
  std::string text;
  if (missed > 0) text += fmt::format("; {} missed", analysis::counted(missed, "gate"));
  if (open > 0) text += fmt::format("; {} undecided", analysis::counted(open, "gate"));
  return text;
}

// What [precision] asks for, and at how many points it was reached.
std::string StudyReport::reached_text() const {
  std::string text;
  for (const Precision& target : study_.precision) {
    std::uint64_t points = 0, reached = 0;
    for (const PointReport& each : points_) {
      if (each.estimates.replications() < study_.least_replications) continue;
      if (!each.estimates.stationary().value_or(true)) continue;
      ++points;
      reached += std::ranges::find(each.imprecise, target.metric) == each.imprecise.end() ? 1 : 0;
    }
    if (points == 0) continue;
    const auto unit = unit_of_metric(target.metric);
    text += fmt::format("precision: {} within {} at {} of {}\n", target.metric,
                        target.relative || !unit ? fmt::format("{:.3g} %", 100 * target.half_width)
                                                 : analysis::value_text(*unit, target.half_width),
                        reached, analysis::counted(points, "point"));
  }
  return text;
}

std::string StudyReport::notes_text() const {
  std::string text;
  for (const PointReport& each : points_) {
    std::string notes;
    if (each.estimates.failed() > 0) {
      notes += fmt::format("  {} failed; the first: ",
                           analysis::counted(each.estimates.failed(), "replication"));
      const auto place = static_cast<std::size_t>(&each - points_.data());
      for (const auto& run : engine_.runs()[place]) {
        if (!run || run->exit_code == kOk) continue;
        notes += fmt::format("{}\n    {}\n", run->what, run->replay);
        break;
      }
    }
    const bool began = each.estimates.replications() > 0 || engine_.is_complete();
    for (std::size_t i = 0; began && i < each.gates.size(); ++i) {
      if (each.gates[i] == GateResult::met) continue;
      const bool grows = !each.estimates.stationary().value_or(true);
      notes += fmt::format("  gate {}: {}; {}{}\n", text_of(each.gates[i]), study_.gates[i].text(),
                           measured_text(study_.gates[i], each.estimates),
                           grows && names_latency(study_.gates[i])
                               ? ", which depends on the length of the runs: "
                                 "not stationary"
                               : "");
    }
    if (each.estimates.stationary().value_or(true)) {
      for (const std::string& name : each.imprecise) notes += precision_text(each, name);
    }
    if (!notes.empty()) text += each.point->label + "\n" + notes;
  }
  return text.empty() ? text : "\n" + text;
}

std::string StudyReport::table_text() const {
  const std::vector<std::string> metrics = shown_metrics();
  std::set<std::string> predicted;
  for (const PointReport& each : points_) {
    for (const auto& [name, value] : theory_of(*each.point)) predicted.insert(name);
  }
  const PointColumns columns(engine_.plan().points());
  std::vector<std::string> headers{" "};
  for (std::string& each : columns.headers()) headers.push_back(std::move(each));
  headers.emplace_back("n");
  for (const std::string& name : metrics) {
    headers.push_back(name);
    if (predicted.contains(name)) headers.emplace_back("theory");
  }
  TextTable table(std::move(headers));
  for (const std::size_t i : order()) {
    const PointReport& each = points_[i];
    const bool rival = std::ranges::find(rivals_, i) != rivals_.end();
    const bool on_front = std::ranges::find(front_, i) != front_.end();
    std::vector<std::string> cells{answer_ == i        ? "*"
                                   : rival             ? "~"
                                   : on_front          ? "+"
                                   : is_doubtful(each) ? "?"
                                                       : " "};
    for (std::string& cell : columns.cells(*each.point)) cells.push_back(std::move(cell));
    cells.push_back(fmt::format("{}", each.estimates.replications()));
    if (!each.estimates.stationary().value_or(true)) {
      cells.push_back(fmt::format("NOT STATIONARY: bound by {}", each.estimates.bound_by()));
      table.row(std::move(cells));
      continue;
    }
    const auto theory = theory_of(*each.point);
    for (const std::string& name : metrics) {
      const auto found = each.estimates.of(name);
      cells.push_back(found ? value_text(*found) : "not measured");
      if (!predicted.contains(name)) continue;
      const auto value = theory.find(name);
      cells.push_back(
          value == theory.end() || !found ? "-" : analysis::value_text(found->unit, value->second));
    }
    table.row(std::move(cells));
  }
  constexpr std::size_t kLeast = 3, kMost = 48;  // fewer are read at a glance, more than fit
  if (points_.size() >= kLeast && points_.size() <= kMost) {
    std::vector<std::string> cells(2 + columns.headers().size());
    for (const std::string& name : metrics) {
      cells.push_back(spark_line_of(name));
      if (predicted.contains(name)) cells.emplace_back();
    }
    table.row(std::move(cells));
  }
  return table.text();
}

// A figure of all points from top to bottom; a dot where none is shown.
std::string StudyReport::spark_line_of(const std::string& metric) const {
  std::vector<std::optional<double>> values;
  for (const std::size_t i : order()) {
    const PointReport& each = points_[i];
    const auto found =
        each.estimates.stationary().value_or(true) ? each.estimates.of(metric) : std::nullopt;
    values.push_back(found ? std::optional(found->estimate.value) : std::nullopt);
  }
  return analysis::spark_line(values);
}

std::string StudyReport::scale_of_points() const {
  std::vector<std::string> scales;
  for (const PointReport& each : points_) {
    std::string scale = scenarios::scale_text(each.point->config);
    if (scale.empty()) scale = "the whole deployment";
    if (std::ranges::find(scales, scale) == scales.end()) scales.push_back(std::move(scale));
  }
  if (scales == std::vector<std::string>{"the whole deployment"}) return {};
  return fmt::format("{}", fmt::join(scales, "; or "));
}

std::string StudyReport::scale_line() const {
  const std::string scale = scale_of_points();
  return scale.empty() ? scale : fmt::format("scale: {}\n", scale);
}

std::string StudyReport::text() const {
  std::uint64_t overloaded = 0, doubtful = 0;
  for (const PointReport& each : points_) {
    const bool grows = !each.estimates.stationary().value_or(true);
    overloaded += grows ? 1 : 0;
    doubtful += !grows && is_doubtful(each) ? 1 : 0;
  }
  std::string text = fmt::format(
      "{}: {}, {} replications done, {} failed{}{}{}{}\n", study_.name,
      analysis::counted(points_.size(), "point"), engine_.done(), failed(), gates_text(),
      overloaded == 0 ? std::string() : fmt::format("; {} NOT STATIONARY", overloaded),
      doubtful == 0
          ? std::string()
          : fmt::format("; {} undecided: too short to tell whether they keep up", doubtful),
      engine_.is_complete() ? std::string()
      : engine_.share_is_done()
          ? fmt::format("; share {} of {}", engine_.share().number, engine_.share().of)
          : std::string("; INCOMPLETE: the same command goes on"));
  if (!study_.question.empty()) text += study_.question + "\n";
  text += scale_line();
  text += search_text() + answer_text() + front_text() + claims_text() + sensitivity_text() +
          rare_text();
  text += "\n" + table_text();
  if (answer_) {
    text += rivals_.empty() ? "* the answer\n" : "* the answer   ~ may be as good\n";
  }
  if (is_too_correlated()) {
    text += fmt::format(
        "! worth fewer than {} independent latencies beyond it: the interval may be too narrow, "
        "and longer runs mend that\n",
        analysis::kBeyondQuantileMin);
  }
  if (!front_.empty()) text += "+ on the Pareto front\n";
  if (doubtful > 0) text += "? perhaps not stationary: too short to tell\n";
  return text + reached_text() + differences_text() + notes_text() + charts_text();
}

}  // namespace photonsim::campaigns
