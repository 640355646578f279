#include "report/recovery_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

namespace photonsim::report {
namespace {

namespace json = boost::json;

// A figure of one pipeline for each interval; 0 where there is none.
using Column = std::vector<double>;

std::vector<Column> columns_of(const json::object& series, std::string_view name) {
  std::vector<Column> list;
  const json::value* const pipelines = series.if_contains("pipelines");
  if (pipelines == nullptr || !pipelines->is_array()) return list;
  for (const json::value& each : pipelines->get_array()) {
    Column column;
    for (const json::value& value : each.at(name).as_array()) {
      column.push_back(value.is_number() ? value.to_number<double>() : 0);
    }
    list.push_back(std::move(column));
  }
  return list;
}

// Interval i ends at (i + 1) * step.
std::size_t first_ending_at(double seconds, double step) {
  const double index = std::ceil(seconds / step - 1e-9) - 1;
  return index > 0 ? static_cast<std::size_t>(index) : 0;
}

double most_between(const Column& column, double from, double until, double step) {
  double most = 0;
  for (std::size_t i = first_ending_at(from, step); i < column.size(); ++i) {
    if (static_cast<double>(i + 1) * step > until) break;
    most = std::max(most, column[i]);
  }
  return most;
}

double number(const json::object& object, std::string_view name) {
  return object.at(name).to_number<double>();
}

json::value back_after(const std::vector<Column>& columns, const json::object& before, double until,
                       double step) {
  // An interval that ends with the fault says how it was during it.
  auto place = static_cast<std::size_t>(std::max(0.0, std::floor(until / step + 1e-9)));
  for (; place < columns.front().size(); ++place) {
    const bool back = std::ranges::all_of(columns, [&](const Column& column) {
      return column[place] <= most_between(column, number(before, "from_seconds"),
                                           number(before, "until_seconds"), step);
    });
    if (back) return std::max(0.0, static_cast<double>(place + 1) * step - until);
  }
  return nullptr;
}

}  // namespace

void add_recovery_times(json::object& details) {
  const json::value* const series = details.if_contains("series");
  json::value* const faults = details.if_contains("around_faults");
  if (series == nullptr || !series->is_object() || faults == nullptr || !faults->is_array()) return;
  const double step = number(series->get_object(), "interval_seconds");
  for (const auto& [name, key] : {std::pair{"backlog", "backlog_back_after_seconds"},
                                  std::pair{"own_p90", "own_p90_back_after_seconds"}}) {
    const auto columns = columns_of(series->get_object(), name);
    if (columns.empty()) return;
    for (json::value& each : faults->get_array()) {
      json::object& fault = each.as_object();
      const json::object& during = fault.at("during").as_object();
      const double from = number(during, "from_seconds"), until = number(during, "until_seconds");
      if (until - from < step) continue;
      fault[key] = back_after(columns, fault.at("before").as_object(), until, step);
    }
  }
}

}  // namespace photonsim::report
