// Brute force beside the formulas: a queue simulated in a few lines, without the kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::analysis::theory {

// Independent draws of an exponential distribution with mean 1.
class Exponentials {
 public:
  Exponentials(std::uint64_t seed, std::uint32_t entity) : stream_(seed, Purpose::test, entity) {}
  double next() { return -std::log(unit_interval(stream_.word(drawn_++))); }

 private:
  RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// The smallest value that the fraction does not exceed. Sorts a copy.
inline double quantile_in(std::vector<double> values, double fraction) {
  const auto rank = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

}  // namespace photon::analysis::theory
