#include "campaigns/studies/charts_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/figure_reader.h"
#include "campaigns/studies/plan_checks.h"

namespace photonsim::campaigns {

using scenarios::Value;

void ChartsReader::read(const Value& list) {
  tables_.each_table(list, "chart", [this](const Value& each) { read_one(each); });
}

void ChartsReader::read_one(const Value& table) {
  tables_.refuse_others(table, "chart");
  Chart chart;
  chart.place = table.place;
  const auto text = [&](std::string_view name, std::string& to) {
    if (const Value* value = scenarios::find_member(table, name)) tables_.text(*value, to);
  };
  text("id", chart.id);
  text("title", chart.title);
  text("x_title", chart.x_title);
  text("y_title", chart.y_title);
  if (const Value* value = scenarios::find_member(table, "x")) across(*value, chart);
  if (const Value* value = scenarios::find_member(table, "line")) {
    tables_.each_table(*value, "chart.line", [&](const Value& each) { line(each, chart); });
  }
  if (const Value* value = scenarios::find_member(table, "bound")) {
    tables_.each_table(*value, "chart.bound", [&](const Value& each) { bound(each, chart); });
  }
  check(table, chart);
  study_.charts.push_back(std::move(chart));
}

void ChartsReader::across(const Value& value, Chart& chart) {
  chart.x = read_formula(value, tables_);
  if (!chart.x) return;
  const auto& names = chart.x->names();
  if (chart.x->text() == kCase) {
    chart.across = Chart::Across::cases;
    chart.x.reset();
  } else if (std::ranges::find(names, kTime) != names.end()) {
    chart.across = Chart::Across::time;
  }
}

void ChartsReader::line(const Value& table, Chart& chart) {
  tables_.refuse_others(table, "chart.line");
  ChartLine line;
  if (const Value* value = scenarios::find_member(table, "label")) {
    tables_.text(*value, line.label);
  }
  FigureReader(tables_, chart.across == Chart::Across::time).read(table, line);
  if (line.label.empty() || line.figure.empty()) {
    tables_.report().add(table.place, "this line has no `label` or no `figure`",
                         "as in { label = \"shard 0\", figure = \"ids_held.first_shard\" }");
  }
  if (std::ranges::find(chart.lines, line.label, &ChartLine::label) != chart.lines.end()) {
    tables_.report().add(table.place, fmt::format("there are two lines '{}'", line.label),
                         "give each line of a chart a label of its own");
  }
  chart.lines.push_back(std::move(line));
}

void ChartsReader::bound(const Value& table, Chart& chart) {
  tables_.refuse_others(table, "chart.bound");
  std::string label, side;
  std::optional<Formula> formula;
  if (const Value* value = scenarios::find_member(table, "side")) tables_.text(*value, side);
  if (!side.empty() && side != "above" && side != "below") {
    tables_.report().add(table.place, fmt::format("a bound has no side '{}'", side),
                         "what holds lies \"below\" it, or \"above\"");
  }
  if (const Value* value = scenarios::find_member(table, "label")) tables_.text(*value, label);
  if (const Value* value = scenarios::find_member(table, "formula")) {
    formula = read_formula(*value, tables_);
  }
  const bool of_x = formula && std::ranges::all_of(formula->names(), [](const std::string& name) {
                      return name == "x";
                    });
  if (label.empty() || !of_x) {
    return tables_.report().add(table.place, "this bound has no `label`, or no `formula` of x",
                                "as in { label = \"waste below 5 %\", formula = \"x / 19.5\" }");
  }
  chart.bounds.push_back({std::move(label), std::move(*formula), side == "above"});
}

void ChartsReader::check(const Value& table, const Chart& chart) {
  const auto need = [&](bool there, std::string_view what) {
    if (there) return;
    tables_.report().add(table.place, fmt::format("this chart has no {}", what),
                         "docs/reference/study_keys.md lists what a chart states");
  };
  need(!chart.id.empty(), "`id`");
  need(!chart.title.empty(), "`title`");
  need(chart.x || chart.across == Chart::Across::cases, "`x`");
  need(!chart.lines.empty(), "`line`");
  if (std::ranges::find(study_.charts, chart.id, &Chart::id) != study_.charts.end()) {
    tables_.report().add(table.place, fmt::format("there are two charts '{}'", chart.id),
                         "write what tells them apart behind it, as in \"Fig 11/shards\"");
  }
  if (!chart.bounds.empty() && chart.across != Chart::Across::points) {
    tables_.report().add(table.place, "a bound needs an `x` of points",
                         "leave the bounds out, or give the chart a formula of keys and figures");
  }
}

}  // namespace photonsim::campaigns
