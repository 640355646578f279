// The quantile of a distribution that is known by the probability of a greater value.
#pragma once

#include <functional>
#include <optional>

namespace photon::analysis::theory {

// The probability that a value exceeds its argument: falls from at most 1 to 0, continuous above
// `least`, where it may jump. Tails are kept instead of distribution functions, because 1 - tail
// has no digits left where high quantiles lie.
using Tail = std::function<double(double)>;

struct QuantileSearch {
  double least = 0;  // no value is smaller
  double scale = 1;  // > 0: the first step of the search, of the order of the spread
};

// The smallest t with tail(t) <= 1 - fraction, to 12 digits. Nothing unless 0 <= fraction < 1, or
// if the tail does not get that low within 2^60 steps. Root by the method of Alefeld, Potra and Shi
// (TOMS 748, Boost.Math).
std::optional<double> quantile_of(const Tail& tail, double fraction, const QuantileSearch& search);

}  // namespace photon::analysis::theory
