// Waste: the fraction of clicks that both pipelines process, in the cases with a closed form (SPEC
// G-15, G-09, G-16b).
//
// Two pipelines look up each click when its copy arrives. Both process it if the copies arrive less
// than the window w apart: w runs from the evaluation of a pipeline's lookup until its insert is
// visible to lookups. So waste = P(|D| < w), D being the difference of the two arrivals.
//
// Each function returns nothing for a time that is negative or not finite, and where a mean or a
// period must be above 0.
#pragma once

#include <optional>

namespace photon::analysis::theory {

// Independent exponential shipping delays of mean m > 0: D is Laplace, waste = 1 - e^(-w / m).
std::optional<double> waste_of_exponential_shipping(double window_seconds,
                                                    double shipping_mean_seconds);

// Only a scan of period P > 0 delays a click, with phases that are independent and uniform over
// files and datacenters: waste = 1 - (1 - w / P)^2, and 1 for w >= P.
std::optional<double> waste_of_scan_phase(double window_seconds, double scan_period_seconds);

// The same with pauses that are uniform in P (1 +- j), 0 <= j < 1. A click waits for the rest of a
// pause, whose density at t is P(pause > t) / P; the density of the difference of two such waits at
// zero is the integral of its square, (1 - j / 3) / P. So waste = (1 - (1 - w / P)^2) (1 - j / 3),
// to the first order in w / P.
std::optional<double> waste_of_jittered_scan(double window_seconds, double scan_period_seconds,
                                             double jitter);

// Each click reaches its near pipeline first and the far one later by `gap`, both with independent
// exponential noise of mean m > 0. D is Laplace around the gap:
//   w <= gap: waste = e^(-gap / m) sinh(w / m)       w > gap: waste = 1 - e^(-w / m) cosh(gap / m)
// With no gap, waste_of_exponential_shipping.
std::optional<double> waste_of_near_far_shipping(double window_seconds, double gap_seconds,
                                                 double noise_mean_seconds);

// The least mean of exponential shipping delays for which waste stays at or below `waste_max`:
// w / -ln(1 - waste_max), 19.5 w for 5 %. Nothing also unless 0 < waste_max < 1.
std::optional<double> shipping_mean_for_waste(double window_seconds, double waste_max);

// The share of clicks that the first pipeline outputs, G-09: 1 - e^(-d / m) / 2, if its window is
// shorter than the other's by d, with exponential shipping delays of mean m > 0. A negative d
// favours the other pipeline alike.
std::optional<double> share_of_first_pipeline(double window_difference_seconds,
                                              double shipping_mean_seconds);

}  // namespace photon::analysis::theory
