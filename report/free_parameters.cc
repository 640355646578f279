#include "report/free_parameters.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/results/run_record.h"
#include "campaigns/studies/metric_names.h"
#include "campaigns/text_table.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(std::string_view(value.as_string())) : std::string("-");
}

// Outcomes of older programs lack some.
std::string text_at(const json::object& object, std::string_view name) {
  const json::value* const found = object.if_contains(name);
  return found == nullptr ? std::string("-") : text_of(*found);
}

// "by 1.20 s +- 0.10 s"; "by 0" where no trajectory moves it.
std::string effect_text(const json::object& of_key, analysis::Unit unit) {
  const json::object& effect = of_key.at("mu_star").as_object();
  const double mean = effect.at("mean").to_number<double>();
  const std::string text = analysis::value_text(unit, mean);
  if (!effect.at("high").is_number()) return text;
  return text + " +- " + analysis::value_text(unit, effect.at("high").to_number<double>() - mean);
}

std::string table_of(const json::object& study) {
  std::vector<const json::object*> figures;
  for (const json::value& each : study.at("sensitivity").as_array()) {
    const json::object& figure = each.as_object();
    if (figure.at("design") == "morris" && figure.at("missing").is_null()) {
      figures.push_back(&figure);
    }
  }
  if (figures.empty()) return {};
  std::vector<std::string> headers{"open input", "set to", "varied from", "to"};
  for (const json::object* each : figures)
    headers.push_back("moves " + text_of(each->at("metric")));
  campaigns::TextTable table(std::move(headers));
  // In the order of the first figure: the one that moves it most first.
  for (const auto& member : figures.front()->at("keys").as_object()) {
    const json::object& first = member.value().as_object();
    std::vector<std::string> cells{std::string(std::string_view(member.key())),
                                   text_at(first, "set"), text_at(first, "from"),
                                   text_at(first, "to")};
    for (const json::object* each : figures) {
      const auto unit =
          campaigns::unit_of_metric(text_of(each->at("metric"))).value_or(analysis::Unit::count);
      cells.push_back(effect_text(each->at("keys").at(member.key()).as_object(), unit));
    }
    table.row(std::move(cells));
  }
  return fmt::format("\nopen inputs ({}): by how much each moves a figure over its range\n{}",
                     text_of(study.at("study")), table.text());
}

}  // namespace

std::string free_parameters_text(const json::array& studies) {
  std::string text;
  for (const json::value& each : studies) {
    const json::value* const found = each.as_object().if_contains("sensitivity");
    if (found != nullptr && found->is_array()) text += table_of(each.as_object());
  }
  return text;
}

}  // namespace photonsim::report
