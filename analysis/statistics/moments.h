// Count, mean and variance of numbers that arrive one by one or in parts.
//
// Welford's recurrence (Technometrics 4, 1962) and the merge of Chan, Golub and LeVeque (1979):
// sums of squares, which cancel, are never subtracted.
#pragma once

#include <cstdint>

namespace photon::analysis {

class Moments {
 public:
  void add(double value);  // finite
  // As if the other's numbers had been added here, up to rounding.
  void merge(const Moments& other);

  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }  // 0 of none
  // Divided by count - 1; 0 below two.
  double variance() const;
  double standard_deviation() const;
  // Sum of squared deviations from the mean.
  double squares() const { return squares_; }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace photon::analysis
