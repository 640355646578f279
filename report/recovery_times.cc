#include "report/recovery_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

namespace photonsim::report {
namespace {

namespace json = boost::json;

// A figure of one pipeline for each interval; nothing where it has none.
using Column = std::vector<std::optional<double>>;

std::vector<Column> columns_of(const json::object& series, std::string_view name) {
  std::vector<Column> list;
  const json::value* const pipelines = series.if_contains("pipelines");
  if (pipelines == nullptr || !pipelines->is_array()) return list;
  for (const json::value& each : pipelines->get_array()) {
    Column& column = list.emplace_back();
    for (const json::value& value : each.at(name).as_array()) {
      column.push_back(value.is_number() ? std::optional(value.to_number<double>()) : std::nullopt);
    }
  }
  return list;
}

// Interval i ends at (i + 1) * step: how many have ended by then. Multiples of a step are not exact.
std::size_t ended_by(double seconds, double step) {
  return static_cast<std::size_t>(std::max(0.0, std::floor(seconds / step + 1e-9)));
}

// How many ended before that.
std::size_t ended_before(double seconds, double step) {
  return static_cast<std::size_t>(std::max(0.0, std::ceil(seconds / step - 1e-9) - 1));
}

double number(const json::object& object, std::string_view name) {
  return object.at(name).to_number<double>();
}

// The most at the end of an interval of that period; nothing if none has a figure.
std::optional<double> level_of(const Column& column, const json::object& period, double step) {
  std::optional<double> most;
  const std::size_t end = std::min(column.size(), ended_by(number(period, "until_seconds"), step));
  for (std::size_t i = ended_before(number(period, "from_seconds"), step); i < end; ++i) {
    if (column[i]) most = std::max(most.value_or(*column[i]), *column[i]);
  }
  return most;
}

// One pipeline and the level that it has to come back to.
struct Levelled {
  const Column* column = nullptr;
  double level = 0;
};

std::vector<Levelled> levelled(const std::vector<Column>& columns, const json::object& before,
                               double step) {
  std::vector<Levelled> list;
  for (const Column& each : columns) {
    if (const auto level = level_of(each, before, step)) list.push_back({&each, *level});
  }
  return list;
}

json::value back_after(const std::vector<Levelled>& pipelines, double until, double step) {
  // An interval that ends with the fault says how it was during it.
  for (std::size_t i = ended_by(until, step); i < pipelines.front().column->size(); ++i) {
    const bool back = std::ranges::all_of(pipelines, [i](const Levelled& each) {
      return (*each.column)[i].value_or(0) <= each.level;
    });
    if (back) return std::max(0.0, static_cast<double>(i + 1) * step - until);
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
    for (json::value& each : faults->get_array()) {
      json::object& fault = each.as_object();
      const json::object& during = fault.at("during").as_object();
      const double from = number(during, "from_seconds"), until = number(during, "until_seconds");
      const json::value* const ends = fault.if_contains("ends");
      if (until - from < step || (ends != nullptr && !ends->as_bool())) continue;
      const auto pipelines = levelled(columns, fault.at("before").as_object(), step);
      if (!pipelines.empty()) fault[key] = back_after(pipelines, until, step);
    }
  }
}

}  // namespace photonsim::report
