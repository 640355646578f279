// The distribution of the wait in M/D/1, in units of the service time.
//
// Up to kExact service times by Franx (Operations Research Letters 29, 2001), from the queue's
// states by a recursion of positive terms (H. Tijms, A First Course in Stochastic Models (2003),
// section 9.2). Beyond, by the exponential decay of the tail (the same section), whose relative
// error there is below 1e-15: the next root of its equation decays by a further factor of e^2 per
// service time.
#pragma once

#include <array>
#include <cstddef>

namespace photon::analysis::theory {

class DeterministicWait {
 public:
  // Requires 0 <= utilisation < 1.
  explicit DeterministicWait(double utilisation);

  // P(wait > services * service time). Requires services >= 0.
  double tail(double services) const;

 private:
  static constexpr std::size_t kExact = 40;
  static constexpr std::size_t kStates = 80;

  double exact_tail(double services) const;

  double utilisation_;
  double decay_ = 0;                         // of the tail, per service time
  std::array<double, kStates> more_than_{};  // P(more than n customers in the system)
};

}  // namespace photon::analysis::theory
