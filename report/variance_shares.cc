#include "report/variance_shares.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/interval.h"
#include "analysis/statistics/moments.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

// The choices of one parameter, as numbers from 0, for each point.
struct Axis {
  std::string name{};
  std::vector<std::size_t> choice{};
  std::size_t values = 0;
};

Axis axis_of(std::string_view name, const json::array& values) {
  std::map<std::string, std::size_t, std::less<>> numbers;
  Axis axis{std::string(name), {}, 0};
  for (const json::value& each : values) {
    const auto [found, is_new] = numbers.try_emplace(std::string(each.as_string()), numbers.size());
    axis.choice.push_back(found->second);
  }
  axis.values = numbers.size();
  return axis;
}

std::vector<Axis> varied(const json::object& parameters) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : parameters) {
    Axis axis = axis_of(name, values.as_array());
    const bool follows = std::ranges::find(axes, axis.choice, &Axis::choice) != axes.end();
    if (axis.values > 1 && !follows) axes.push_back(std::move(axis));
  }
  return axes;
}

using Choices = std::vector<std::size_t>;

// What the axes but those left out choose at a point.
Choices choices_at(const std::vector<Axis>& axes, std::size_t point, const Axis* left_out) {
  Choices choices;
  for (const Axis& axis : axes) {
    if (&axis != left_out) choices.push_back(axis.choice[point]);
  }
  return choices;
}

bool is_full_grid(const std::vector<Axis>& axes, std::size_t points) {
  std::size_t cells = 1;
  std::set<Choices> seen;
  for (const Axis& axis : axes) cells *= axis.values;
  for (std::size_t point = 0; point < points; ++point) {
    seen.insert(choices_at(axes, point, nullptr));
  }
  return seen.size() == points && cells == points;
}

// Of all of them: divided by their number.
double variance_of(const std::vector<double>& values) {
  analysis::Moments moments;
  for (const double value : values) moments.add(value);
  const auto n = static_cast<double>(values.size());
  return moments.variance() * (n - 1) / n;
}

double mean_of(const std::vector<double>& values) {
  analysis::Moments moments;
  for (const double value : values) moments.add(value);
  return moments.mean();
}

// The values by group: variance of the means, and mean of the variances.
template <typename Group>
std::pair<double, double> between_and_within(const std::vector<double>& values, Group group) {
  std::map<decltype(group(0)), std::vector<double>> groups;
  for (std::size_t i = 0; i < values.size(); ++i) groups[group(i)].push_back(values[i]);
  std::vector<double> means, variances;
  for (const auto& [key, own] : groups) {
    means.push_back(mean_of(own));
    variances.push_back(variance_of(own));
  }
  return {variance_of(means), mean_of(variances)};
}

std::optional<std::vector<double>> values_of(const json::object& metric) {
  std::vector<double> values;
  for (const json::value& each : metric.at("value").as_array()) {
    if (each.is_null()) return std::nullopt;
    values.push_back(each.to_number<double>());
  }
  return values;
}

// The mean variance of an estimate, from its interval; null where a point has none.
std::optional<double> variance_of_estimates(const json::object& metric) {
  const json::array& value = metric.at("value").as_array();
  const json::array& low = metric.at("low").as_array();
  const json::array& high = metric.at("high").as_array();
  const json::array& n = metric.at("n").as_array();
  std::vector<double> variances;
  for (std::size_t i = 0; i < low.size(); ++i) {
    const auto runs = n[i].to_number<std::uint64_t>();
    if (low[i].is_null() || high[i].is_null() || runs < 2) return std::nullopt;
    // Its longer side: the other one may end at zero.
    const auto middle = value[i].to_number<double>();
    const double half =
        std::max(high[i].to_number<double>() - middle, middle - low[i].to_number<double>());
    const double error = half / analysis::student_factor(runs, analysis::kConfidence);
    variances.push_back(error * error);
  }
  return mean_of(variances);
}

std::string why_missing(const std::vector<Axis>& axes, const json::object& points) {
  const json::array& stationary = points.at("stationary").as_array();
  if (axes.size() < 2) return "fewer than two parameters vary independently";
  if (!is_full_grid(axes, stationary.size())) return "the configurations are no full grid";
  const bool overloaded = std::ranges::any_of(
      stationary, [](const json::value& each) { return each.is_bool() && !each.as_bool(); });
  return overloaded ? "some configurations cannot keep up" : "";
}

}  // namespace

json::object variance_shares(const json::object& parameters, const json::object& points,
                             const json::object& metrics) {
  const std::vector<Axis> axes = varied(parameters);
  const std::string missing = why_missing(axes, points);
  json::array metric, parameter, first, total, luck;
  for (const auto& [name, column] : metrics) {
    if (!missing.empty()) break;
    const auto values = values_of(column.as_object());
    if (!values) continue;
    const double whole = variance_of(*values);
    if (!(whole > 0)) continue;
    const auto errors = variance_of_estimates(column.as_object());
    for (const Axis& axis : axes) {
      const auto alone =
          between_and_within(*values, [&](std::size_t point) { return axis.choice[point]; });
      const auto rest = between_and_within(
          *values, [&](std::size_t point) { return choices_at(axes, point, &axis); });
      metric.emplace_back(name);
      parameter.emplace_back(axis.name);
      first.emplace_back(alone.first / whole);
      total.emplace_back(rest.second / whole);
      luck.emplace_back(errors ? json::value(*errors / whole) : json::value(nullptr));
    }
  }
  return {{"missing", missing},
          {"metric", std::move(metric)},
          {"parameter", std::move(parameter)},
          {"first", std::move(first)},
          {"total", std::move(total)},
          {"luck", std::move(luck)}};
}

}  // namespace photonsim::report
