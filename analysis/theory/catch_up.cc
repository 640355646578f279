#include "analysis/theory/catch_up.h"

#include <algorithm>
#include <cmath>

#include "analysis/theory/duration_domain.h"

namespace photon::analysis::theory {
namespace {

bool is_number(double value) { return std::isfinite(value) && value >= 0; }

bool drains(const CatchUpRates& rates) {
  return is_number(rates.arrivals_per_second) && is_number(rates.capacity_per_second) &&
         rates.capacity_per_second > rates.arrivals_per_second;
}

double spare_per_second(const CatchUpRates& rates) {
  return rates.capacity_per_second - rates.arrivals_per_second;
}

}  // namespace

std::optional<double> drain_seconds(double backlog, const CatchUpRates& rates) {
  if (!is_number(backlog) || !drains(rates)) return {};
  return backlog / spare_per_second(rates);
}

std::optional<double> catch_up_seconds(double outage_seconds, const CatchUpRates& rates) {
  if (!is_duration(outage_seconds)) return {};
  return drain_seconds(outage_seconds * rates.arrivals_per_second, rates);
}

std::optional<double> catch_up_speed_up(const CatchUpRates& rates,
                                        double other_capacity_per_second) {
  const CatchUpRates other{.arrivals_per_second = rates.arrivals_per_second,
                           .capacity_per_second = other_capacity_per_second};
  if (!drains(rates) || !drains(other)) return {};
  return spare_per_second(rates) / spare_per_second(other);
}

std::optional<double> backlog_after(double outage_seconds, double seconds_since_end,
                                    const CatchUpRates& rates) {
  if (!is_duration(outage_seconds) || !is_duration(seconds_since_end) || !drains(rates)) return {};
  const double backlog = outage_seconds * rates.arrivals_per_second;
  return std::max(backlog - seconds_since_end * spare_per_second(rates), 0.0);
}

std::optional<double> worker_capacity_per_second(const ClickCosts& costs, double present_fraction) {
  if (!is_duration(costs.lookup_seconds) || !is_duration(costs.join_seconds)) return {};
  if (!(present_fraction >= 0 && present_fraction <= 1)) return {};
  const double click_seconds = costs.lookup_seconds + (1 - present_fraction) * costs.join_seconds;
  if (click_seconds <= 0) return {};
  return 1 / click_seconds;
}

}  // namespace photon::analysis::theory
