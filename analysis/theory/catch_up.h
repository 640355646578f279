// How long a dispatcher takes to catch up after an outage or an overload (SPEC G-13).
//
// Fluid approximation: clicks arrive at a constant rate and are processed at a constant capacity
// while there is a backlog, so it drains at their difference. Fluctuations are left out: they are
// small against a backlog of hours. Source: L. Kleinrock, Queueing Systems II (1976), section 2.7.
//
// Each function returns nothing when unstable (the backlog never drains: capacity <= arrivals), and
// for a rate or a time that is negative or not finite.
#pragma once

#include <optional>

namespace photon::analysis::theory {

struct CatchUpRates {
  double arrivals_per_second = 0;  // while catching up
  double capacity_per_second = 0;  // with a backlog, mostly of clicks that are present already
};

// backlog / (R - lambda).
std::optional<double> drain_seconds(double backlog, const CatchUpRates& rates);

// The same with the backlog of an outage at the same rate: outage / (R / lambda - 1). Two days take
// 5.3 h with R = 10 lambda and 2.5 h with 20 lambda.
std::optional<double> catch_up_seconds(double outage_seconds, const CatchUpRates& rates);

// How much faster than with another capacity the same backlog drains, (R - lambda) / (R' - lambda):
// for the comparison with a dispatcher that sends without a lookup first. `rates` must be stable,
// and the other capacity above the arrivals too.
std::optional<double> catch_up_speed_up(const CatchUpRates& rates,
                                        double other_capacity_per_second);

// Clicks still unprocessed at a time after the end of an outage, 0 from the catch-up on.
std::optional<double> backlog_after(double outage_seconds, double seconds_since_end,
                                    const CatchUpRates& rates);

// Capacity of a worker whose clicks are present already with probability `present_fraction`: one
// click costs a lookup, and if it is absent a join besides; 1 / (l + (1 - p) j). Nothing also for a
// cost of 0, and for a fraction outside [0, 1].
struct ClickCosts {
  double lookup_seconds = 0;
  double join_seconds = 0;
};
std::optional<double> worker_capacity_per_second(const ClickCosts& costs, double present_fraction);

}  // namespace photon::analysis::theory
