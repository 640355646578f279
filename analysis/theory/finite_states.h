// The states of M/M/c/K: how likely it is that n customers are in the system.
//
// Source: D. Gross et al., Fundamentals of Queueing Theory, 4th ed. (2008), section 2.5: p(n) is in
// proportion to a^n / n! up to c customers, and falls or grows by a / c from there on.
#pragma once

#include <cstdint>
#include <vector>

namespace photon::analysis::theory {

// Probabilities of 0 .. places customers, seen by a customer who arrives (PASTA). Requires a finite
// offered_erlangs >= 0 and places >= servers > 0. Computed by logarithms, so no load overflows.
std::vector<double> mmck_states(double offered_erlangs, std::uint32_t servers,
                                std::uint32_t places);

}  // namespace photon::analysis::theory
