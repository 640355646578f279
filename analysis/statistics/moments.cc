#include "analysis/statistics/moments.h"

#include <cmath>

#include "core_impl/base/check.h"

namespace photon::analysis {

void Moments::add(double value) {
  PHOTON_CHECK(std::isfinite(value), "statistics are made of finite numbers");
  ++count_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (value - mean_);
}

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  const auto here = static_cast<double>(count_);
  const auto there = static_cast<double>(other.count_);
  const double apart = other.mean_ - mean_;
  mean_ += apart * (there / (here + there));
  squares_ += other.squares_ + apart * apart * (here * there / (here + there));
  count_ += other.count_;
}

double Moments::variance() const {
  return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
}

double Moments::standard_deviation() const { return std::sqrt(variance()); }

}  // namespace photon::analysis
