#include "report/differences.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>

#include "analysis/statistics/paired.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

constexpr std::array kMetrics{"latency.own.p50",
                              "latency.own.p99",
                              "latency.total.p50",
                              "latency.total.p99",
                              "latency.insert.p50",
                              "latency.insert.p99",
                              "registry.mean_batch",
                              "load.mean_batch",
                              "load.transactions_per_second",
                              "waste.wasted_joins_per_joined",
                              "waste.registry_lookups_per_click",
                              "lost"};

// Not of a point that cannot keep up: its figures depend on the length of its runs.
bool is_compared(const campaigns::PointEstimates& point) {
  return point.replications() > 0 && point.stationary().value_or(true);
}

json::value maybe(const std::optional<double>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

}  // namespace

json::object differences(const ReportPoints& points) {
  json::array metric, unit, point, value, low, high, n, correlation;
  std::vector<campaigns::PointEstimates> estimates;
  for (const ReportPoint& each : points.list) estimates.emplace_back(each.records);
  const auto keeps_up = std::ranges::find_if(estimates, is_compared);
  const auto place = static_cast<std::size_t>(keeps_up - estimates.begin());
  for (const std::string name : kMetrics) {
    for (std::size_t i = place + 1; i < estimates.size(); ++i) {
      if (!is_compared(estimates[i])) continue;
      const auto pairs = campaigns::paired_by_seed(estimates[i], *keeps_up);
      const auto found = campaigns::difference_of(pairs.first, pairs.second, name);
      if (!found) continue;
      const auto& interval = found->difference.interval;
      metric.emplace_back(name);
      unit.emplace_back(name_of(campaigns::unit_of_metric(name).value_or(analysis::Unit::count)));
      point.emplace_back(i);
      value.emplace_back(found->difference.value);
      low.emplace_back(interval ? json::value(interval->low) : json::value(nullptr));
      high.emplace_back(interval ? json::value(interval->high) : json::value(nullptr));
      n.emplace_back(found->difference.n);
      correlation.emplace_back(maybe(found->correlation));
    }
  }
  return {{"first", place < points.list.size() ? json::value(place) : json::value(nullptr)},
          {"metric", std::move(metric)},
          {"unit", std::move(unit)},
          {"point", std::move(point)},
          {"value", std::move(value)},
          {"low", std::move(low)},
          {"high", std::move(high)},
          {"n", std::move(n)},
          {"correlation", std::move(correlation)}};
}

}  // namespace photonsim::report
