// Which windows allow the paper's claims of latency, waste and outages at the same time (SPEC G-16,
// G-16b), with independent exponential shipping delays of mean m.
//
// A click is joined when its first copy has arrived: with q = -ln(1 - fraction), the quantile of
// the latency is c0 + m q / 2 + w with two pipelines and c0 + m q + w with one. Little waste wants
// a large m, low latency a small one; so both hold only up to a bound of the window w.
#pragma once

#include <optional>

namespace photon::analysis::theory {

struct LatencyClaim {
  double fraction = 0.9;     // the quantile that is claimed, in (0, 1)
  double bound_seconds = 7;  // what it stays below (G-04)
  double waste_max = 0.05;   // in (0, 1), G-15
  double fixed_seconds = 0;  // c0: what every click takes besides shipping and the window
};

enum class Pipelines { one, two };

// The latency's quantile. Nothing for a fraction outside (0, 1), and for a time that is negative or
// not finite.
struct ShippedClick {
  double fixed_seconds = 0;
  double shipping_mean_seconds = 0;
  double window_seconds = 0;
};
std::optional<double> latency_quantile_seconds(const ShippedClick& click, double fraction,
                                               Pipelines pipelines);

// G-16: the largest window that allows the latency and the waste, (bound - c0) / (1 + k q / 2) with
// k = -1 / ln(1 - waste_max); 0.30 s for the defaults. Nothing if no window does (bound <= c0), or
// for impossible arguments.
std::optional<double> window_max_seconds(const LatencyClaim& claim);

// G-16b: the largest window if, besides, the latency of one pipeline may be at most `ratio_max` > 1
// times that of two, for the c0 that suits best: a large one hides the outage. With
// r = (q - ratio_max q / 2) / (ratio_max - 1), it needs c0 + w >= r m, so m <= bound / (r + q / 2);
// `claim.fixed_seconds` is not used. 0.08 s for the defaults and 1.25. From a ratio of 2 on an
// outage is never the tighter bound, and the answer is that of G-16 with c0 = 0.
std::optional<double> window_max_with_outage_seconds(const LatencyClaim& claim, double ratio_max);

}  // namespace photon::analysis::theory
