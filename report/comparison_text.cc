// A comparison as text and as JSON.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/text_table.h"
#include "report/comparison.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

constexpr std::size_t kChangesMost = 12;

// What a reader asks for first, where nothing changed clearly.
constexpr std::array<std::string_view, 7> kFirstFigures{"capacity.served_per_second",
                                                        "latency.own.p50",
                                                        "latency.own.p99",
                                                        "latency.total.p99",
                                                        "load.insert_latency.p99",
                                                        "waste.wasted_joins_per_joined",
                                                        "lost"};

std::string change_text(const FigureChange& figure) {
  const auto one = [&](double value) {
    return (value > 0 ? "+" : "") + analysis::value_text(figure.unit, value);
  };
  const auto& interval = figure.change.interval;
  if (!interval) return one(figure.change.value) + " (n too small)";
  return fmt::format("{} [{}, {}]", one(figure.change.value), one(interval->low),
                     one(interval->high));
}

void add_row(campaigns::TextTable& table, const FigureChange& figure) {
  table.row(
      {"  " + figure.metric, analysis::value_text(figure.unit, figure.before),
       analysis::value_text(figure.unit, figure.after), change_text(figure),
       figure.gate.empty() ? "" : fmt::format("{}: {}", text_of(figure.verdict), figure.gate)});
}

// How much of the value before the change is.
double weight(const FigureChange& figure) {
  return std::abs(figure.change.value) / std::max(std::abs(figure.before), 1e-12);
}

std::string unclear_text(const PointChange& point, campaigns::TextTable table) {
  std::string text = "  no figure changed clearly\n";
  bool any = false;
  bool without_interval = false;
  for (const std::string_view name : kFirstFigures) {
    const auto found = std::ranges::find(point.figures, name, &FigureChange::metric);
    if (found == point.figures.end()) continue;
    add_row(table, *found);
    any = true;
    without_interval = without_interval || !found->change.interval;
  }
  if (any) text += table.text();
  if (without_interval) {
    text += "  so few runs give no interval: a difference may be luck of the seed; compare more\n";
  }
  return text;
}

// Gated figures, then the largest clear changes.
std::string figures_text(const PointChange& point) {
  std::vector<const FigureChange*> gated, clear;
  for (const FigureChange& each : point.figures) {
    if (!each.gate.empty()) {
      gated.push_back(&each);
    } else if (each.is_clear()) {
      clear.push_back(&each);
    }
  }
  std::ranges::stable_sort(gated, std::ranges::greater{}, &FigureChange::verdict);
  std::ranges::stable_sort(clear, std::ranges::greater{},
                           [](const FigureChange* each) { return weight(*each); });
  campaigns::TextTable table({"  figure", "before", "after", "change", "gate"});
  if (gated.empty() && clear.empty()) return unclear_text(point, std::move(table));
  for (const FigureChange* each : gated) add_row(table, *each);
  for (std::size_t i = 0; i < std::min(clear.size(), kChangesMost); ++i) add_row(table, *clear[i]);
  std::string text = table.text();
  if (clear.size() > kChangesMost) {
    text +=
        fmt::format("  {} more changed clearly; --json lists all\n", clear.size() - kChangesMost);
  }
  return text;
}

json::value maybe(bool known, double value) {
  return known ? json::value(value) : json::value(nullptr);
}

json::value maybe(std::optional<bool> known) {
  return known ? json::value(*known) : json::value(nullptr);
}

json::object json_of(const FigureChange& figure) {
  const auto& interval = figure.change.interval;
  return {{"metric", figure.metric},
          {"unit", name_of(figure.unit)},
          {"before", figure.before},
          {"after", figure.after},
          {"change", figure.change.value},
          {"low", maybe(interval.has_value(), interval ? interval->low : 0)},
          {"high", maybe(interval.has_value(), interval ? interval->high : 0)},
          {"n", figure.change.n},
          {"clear", figure.is_clear()},
          {"gate", figure.gate},
          {"verdict", text_of(figure.verdict)}};
}

json::array names(const std::vector<std::string>& list) {
  json::array array;
  for (const std::string& each : list) array.emplace_back(each);
  return array;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text;
  if (comparison.is_identical() && !comparison.fails()) {
    return "identical: every run has the fingerprint of its partner\n";
  }
  for (const PointChange& point : comparison.points) {
    const bool renamed = point.before != point.after;
    text += fmt::format(
        "{}{}: {} before, {} after, {} with common seeds, {} of them identical{}\n", point.before,
        renamed ? " -> " + point.after : std::string(), analysis::counted(point.runs_before, "run"),
        point.runs_after, point.pairs, point.identical,
        point.failed_after > point.failed_before
            ? fmt::format("; {} FAIL, {} did before", point.failed_after, point.failed_before)
            : std::string());
    const bool grew = point.stationary_before == false, grows = point.stationary_after == false;
    if (grew || grows) {
      text += fmt::format("  NOT STATIONARY {}: latencies depend on the length of the runs\n",
                          !grows  ? "before"
                          : !grew ? "after"
                                  : "before and after");
    }
    text += figures_text(point);
  }
  for (const std::string& each : comparison.only_before) text += "only before: " + each + "\n";
  for (const std::string& each : comparison.only_after) text += "only after: " + each + "\n";
  text += fmt::format("intervals hold with {:.4g} % each\n", 100 * comparison.confidence);
  if (comparison.cpu_ratio) {
    text += fmt::format("processor time: {:.2f} of that before (advisory: machines differ)\n",
                        *comparison.cpu_ratio);
  }
  return text;
}

json::object comparison_json(const Comparison& comparison) {
  json::array points;
  for (const PointChange& point : comparison.points) {
    json::array figures;
    for (const FigureChange& each : point.figures) figures.emplace_back(json_of(each));
    points.emplace_back(json::object{{"before", point.before},
                                     {"after", point.after},
                                     {"pairs", point.pairs},
                                     {"identical", point.identical},
                                     {"runs_before", point.runs_before},
                                     {"runs_after", point.runs_after},
                                     {"failed_before", point.failed_before},
                                     {"failed_after", point.failed_after},
                                     {"stationary_before", maybe(point.stationary_before)},
                                     {"stationary_after", maybe(point.stationary_after)},
                                     {"figures", std::move(figures)}});
  }
  return {{"identical", comparison.is_identical()},
          {"fails", comparison.fails()},
          {"confidence", comparison.confidence},
          {"cpu_ratio", maybe(comparison.cpu_ratio.has_value(), comparison.cpu_ratio.value_or(0))},
          {"only_before", names(comparison.only_before)},
          {"only_after", names(comparison.only_after)},
          {"points", std::move(points)}};
}

}  // namespace photonsim::report
