#include "analysis/theory/deterministic_wait.h"

#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "analysis/theory/tail_decay.h"
#include "core_impl/base/check.h"

namespace photon::analysis::theory {
DeterministicWait::DeterministicWait(double utilisation) : utilisation_(utilisation) {
  PHOTON_CHECK(utilisation >= 0 && utilisation < 1, "the queue has a steady state");
  if (utilisation == 0) return;
  decay_ = tail_decay(utilisation);
  // g(n) = P(more than n arrivals in a service). Tijms: p(j) (1 - g(0)) is the sum of g(j - k) p(k)
  // over k = 1 .. j - 1, and g(j - 1) p(0).
  std::array<double, kStates> many{};
  for (std::size_t n = 0; n < kStates; ++n) {
    many[n] = boost::math::gamma_p(static_cast<double>(n + 1), utilisation);
  }
  std::array<double, kStates> states{1 - utilisation};
  for (std::size_t j = 1; j < kStates; ++j) {
    double sum = many[j - 1] * states[0];
    for (std::size_t k = 1; k < j; ++k) sum += many[j - k] * states[k];
    states[j] = sum * std::exp(utilisation);
  }
  // The states beyond the last fall as a geometric series: its ratio is 1 + y / rho.
  const double ratio = 1 + decay_ / utilisation;
  double more = states[kStates - 1] / (ratio - 1);
  for (std::size_t n = kStates; n > 0; --n) {
    more_than_[n - 1] = more;
    more += states[n - 1];
  }
}

double DeterministicWait::exact_tail(double services) const {
  // (k - 1) <= x < k: P(W > x) is the sum over j < k of P(more than k - j customers) times
  // P(j arrivals in k - x), and P(k or more arrivals in k - x).
  const double ceiling = std::floor(services) + 1;
  const auto k = static_cast<std::size_t>(ceiling);
  const double mean = utilisation_ * (ceiling - services);
  double arrivals = std::exp(-mean);  // P(j arrivals)
  double tail = boost::math::gamma_p(ceiling, mean);
  for (std::size_t j = 0; j < k; ++j) {
    tail += more_than_[k - j] * arrivals;
    arrivals *= mean / static_cast<double>(j + 1);
  }
  return tail;
}

double DeterministicWait::tail(double services) const {
  PHOTON_CHECK(services >= 0, "no wait is negative");
  if (utilisation_ == 0) return 0;
  constexpr double kLast = kExact;
  if (services < kLast) return exact_tail(services);
  return exact_tail(kLast) * std::exp(-decay_ * (services - kLast));
}

}  // namespace photon::analysis::theory
