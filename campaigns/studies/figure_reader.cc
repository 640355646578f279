#include "campaigns/studies/figure_reader.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "campaigns/studies/metric_names.h"
#include "campaigns/studies/series_figures.h"

namespace photonsim::campaigns {

using scenarios::Value;

std::optional<Formula> read_formula(const Value& value, StudyTables& tables) {
  std::string text;
  tables.text(value, text);
  if (text.empty()) return std::nullopt;
  Formula::Parsed parsed = Formula::parse(text);
  if (!parsed.formula) {
    tables.report().add(value.place, fmt::format("`{}`: {}", text, parsed.problem),
                        fmt::format("closed forms: {}", fmt::join(closed_forms(), ", ")));
  }
  return std::move(parsed.formula);
}

bool FigureReader::is_figure(const std::string& name) const {
  return is_metric(name) || (over_time_ && is_metric(of_interval(name, 0)));
}

void FigureReader::read(const Value& table, StudyFigure& into) {
  into.place = table.place;
  if (const Value* value = scenarios::find_member(table, "figure")) figure(*value, into);
  if (const Value* value = scenarios::find_member(table, "at")) tables_.conditions(*value, into.at);
  if (const Value* value = scenarios::find_member(table, "beside")) {
    tables_.conditions(*value, into.beside);
  }
  if (const Value* value = scenarios::find_member(table, "theory")) theory(*value, into);
}

void FigureReader::figure(const Value& value, StudyFigure& figure) {
  tables_.text(value, figure.figure);
  if (figure.figure.empty()) return;
  figure.factors = product_of(figure.figure);
  const bool product = std::ranges::all_of(figure.factors, [this](const Condition::Factor& each) {
    return quantity_of(each.text) || is_figure(each.text);
  });
  if (figure.factors.empty() || !product) {
    Formula::Parsed parsed = Formula::parse(figure.figure);
    if (!parsed.formula) {
      return tables_.report().add(value.place,
                                  fmt::format("`{}`: {}", figure.figure, parsed.problem),
                                  "as in \"registry.transactions / load.seconds\"");
    }
    figure.formula = std::move(parsed.formula);
    figure.factors.clear();
  }
  const std::vector<std::string> names = figure.figure_names();
  for (const std::string& each : names) {
    if (is_figure(each)) continue;
    tables_.report().add(value.place, fmt::format("there is no metric '{}'", each),
                         metric_hint(each));
  }
  for (const std::string& each : names) {
    if (each == figure.figure || !is_quantile(each)) continue;
    tables_.report().add(value.place, fmt::format("`{}` is a quantile in a product", each),
                         "a product is taken run by run, and a quantile of one run is another "
                         "than that of all; name it alone, or take a mean");
  }
}

void FigureReader::theory(const Value& value, StudyFigure& figure) {
  figure.theory = read_formula(value, tables_);
  if (!figure.theory) return;
  for (const std::string& name : figure.theory->names()) {
    if (!is_figure(name) || !is_quantile(name)) continue;
    tables_.report().add(value.place, fmt::format("`{}` is a quantile in a theory", name),
                         "theory is taken run by run, and a quantile of one run is another than "
                         "that of all; take a mean");
  }
}

}  // namespace photonsim::campaigns
