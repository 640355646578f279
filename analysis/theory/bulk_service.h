// The queue of a server that takes up to B waiting customers at a time, for a constant time.
//
// Embedded Markov chain at the ends of service: X customers wait; the next service takes min(X, B)
// of them, and leaves Y = max(X - B, 0); during it A more arrive, Poisson with mean `a`:
// X' = max(X - B, 0) + A. A server that finds none waits for one customer and serves it alone;
// X' = A holds then too. It is the chain of M/D/c with c = B (C. D. Crommelin 1932).
//
// Solved through the B - 1 roots inside the unit circle of z^B = e^(a (z - 1)): N. T. J. Bailey,
// "On queueing processes with bulk service", J. Royal Statistical Society B 16 (1954) 80-87;
// A. J. E. M. Janssen and J. S. H. van Leeuwaarden, "Analytic computation schemes for the
// discrete-time bulk service queue", Queueing Systems 50 (2005) 141-163. O(B).
#pragma once

#include <cstdint>
#include <optional>

namespace photon::analysis::theory {

struct BulkService {
  double none_waits = 1;  // probability that no customer waits at an end of service
  // Customers that the next service leaves: the mean of Y. Its absolute error is below 1e-12 B.
  double left_over_mean = 0;
};

// Nothing when unstable (arrivals_per_service >= batch_max), for a mean that is no finite number
// >= 0, and for a batch of none.
std::optional<BulkService> bulk_service(double arrivals_per_service, std::uint32_t batch_max);

}  // namespace photon::analysis::theory
