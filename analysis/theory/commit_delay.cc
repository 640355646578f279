#include "analysis/theory/commit_delay.h"

#include <algorithm>
#include <cmath>

#include "core_impl/base/check.h"

namespace photon::analysis::theory {
namespace {

// E[(N - n)+] for n = 0, 1, ...; N Poisson. Sums of positive terms, from where they vanish.
std::vector<double> poisson_excess(double mean) {
  const auto end = static_cast<std::size_t>(mean + 40 * std::sqrt(mean) + 40);
  std::vector<double> excess(end + 1, 0.0);
  if (mean <= 0) return excess;
  double more = 0;  // P(N > n)
  for (std::size_t n = end; n-- > 0;) {
    const auto count = static_cast<double>(n + 1);
    more += std::exp(count * std::log(mean) - mean - std::lgamma(count + 1));
    excess[n] = excess[n + 1] + more;
  }
  return excess;
}

// I of the header times the arrivals: the integral of P(N(v) >= n) over v up to x is
// E[(N(x) - n)+] / a for n > 0, because P(N(v) >= n) is the derivative of that, and x for n <= 0.
double reached(const std::vector<double>& left_over, double mean, const std::vector<double>& excess,
               std::size_t least) {
  double sum = 0;
  for (std::size_t left = 0; left < left_over.size(); ++left) {
    if (left >= least) {
      sum += left_over[left] * mean;
    } else if (least - left < excess.size()) {
      sum += left_over[left] * excess[least - left];
    }
  }
  return sum;
}

}  // namespace

double CommitDelay::wait_tail(double commits) const {
  PHOTON_CHECK(commits >= 0, "no wait is negative");
  const double whole = std::floor(commits);
  if (whole * batch_max_ > 1e15) return 0;
  const double rest = 1 - (commits - whole);
  if (arrivals_ <= 0) return whole > 0 ? 0 : rest;
  const auto least = static_cast<std::size_t>(whole) * batch_max_;
  const std::vector<double> full = poisson_excess(arrivals_);
  const std::vector<double> part = poisson_excess(arrivals_ * rest);
  const double sum = reached(left_over_, arrivals_ * rest, part, least) +
                     reached(left_over_, arrivals_, full, least + batch_max_) -
                     reached(left_over_, arrivals_ * rest, part, least + batch_max_);
  return std::clamp(sum / arrivals_, 0.0, 1.0);
}

}  // namespace photon::analysis::theory
