#include "report/latency_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/json/object.hpp>

#include "analysis/statistics/quantile_replications.h"
#include "analysis/statistics/quantiles.h"
#include "campaigns/studies/estimates.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

constexpr double kNanosecond = 1e-9;

// The histograms of the runs of a point that count.
std::vector<analysis::LatencyHistogram> histograms_of(const ReportPoint& point,
                                                      const std::string& name) {
  std::vector<analysis::LatencyHistogram> list;
  const campaigns::PointEstimates estimates(point.records);
  for (const analysis::RunRecord* run : estimates.used()) {
    const auto found = std::ranges::find(run->histograms, name, &analysis::StoredHistogram::name);
    if (found == run->histograms.end()) continue;
    list.push_back(found->histogram());
    if (list.back().count() == 0) list.pop_back();
  }
  return list;
}

analysis::LatencyHistogram merged(const std::vector<analysis::LatencyHistogram>& list) {
  analysis::LatencyHistogram all;
  for (const auto& each : list) all.merge(each);
  return all;
}

json::value seconds(std::optional<double> nanoseconds) {
  return nanoseconds ? json::value(*nanoseconds * kNanosecond) : json::value(nullptr);
}

json::object curve_of(const std::vector<analysis::LatencyHistogram>& runs) {
  const analysis::LatencyHistogram all = merged(runs);
  json::array nines, values, low, high, enough, beyond;
  for (int step = 1; step <= 20; ++step) {
    const double nine = step * 0.25;
    const double fraction = 1 - std::pow(10, -nine);
    // Beyond the last observation there is nothing to draw.
    if ((1 - fraction) * static_cast<double>(all.count()) < 1) break;
    const analysis::Estimate estimate = analysis::quantile_by_replications(runs, fraction);
    const auto& interval = estimate.interval;
    nines.emplace_back(nine);
    values.emplace_back(seconds(estimate.value));
    low.emplace_back(seconds(interval ? std::optional(interval->low) : std::nullopt));
    high.emplace_back(seconds(interval ? std::optional(interval->high) : std::nullopt));
    enough.emplace_back(!analysis::too_small(all.count(), fraction));
    beyond.emplace_back(estimate.beyond ? json::value(*estimate.beyond) : json::value(nullptr));
  }
  return {{"runs", runs.size()},          {"count", all.count()},       {"nines", std::move(nines)},
          {"seconds", std::move(values)}, {"low", std::move(low)},      {"high", std::move(high)},
          {"enough", std::move(enough)},  {"beyond", std::move(beyond)}};
}

json::object distribution_of(const analysis::LatencyHistogram& all) {
  constexpr int kSteps = 200;
  constexpr double kUpTo = 0.999;
  json::array times, shares;
  for (int step = 1; step <= kSteps; ++step) {
    const double share = kUpTo * step / kSteps;
    times.emplace_back(all.interpolated(all.rank_of(share)) * kNanosecond);
    shares.emplace_back(share);
  }
  return {{"seconds", std::move(times)}, {"share", std::move(shares)}};
}

template <class Function>
json::array for_each_curve(const ReportPoints& points, std::span<const std::string> names,
                           Function&& draw) {
  json::array list;
  for (std::size_t i = 0; i < points.list.size(); ++i) {
    for (const std::string& name : names) {
      const auto runs = histograms_of(points.list[i], name);
      if (runs.empty()) continue;
      json::object curve = draw(runs);
      curve["point"] = i;
      curve["name"] = name;
      list.emplace_back(std::move(curve));
    }
  }
  return list;
}

}  // namespace

json::array quantile_curves(const ReportPoints& points, std::span<const std::string> names) {
  return for_each_curve(points, names, [](const auto& runs) { return curve_of(runs); });
}

json::array distributions(const ReportPoints& points, std::span<const std::string> names) {
  return for_each_curve(points, names,
                        [](const auto& runs) { return distribution_of(merged(runs)); });
}

}  // namespace photonsim::report
