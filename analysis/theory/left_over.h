// How many customers a bulk service leaves: the distribution of Y in bulk_service.h.
//
// Y is the maximum of a random walk with steps A - B, so by Spitzer's identity (F. Spitzer, "A
// combinatorial lemma and its application to probability theory", Trans. AMS 82 (1956) 323-339)
//   log E[z^Y] = sum over n > 0 of c(n) (z^n - 1),  c(n) = sum over k > 0 of P(S_k = n) / k,
// and the c(n) of both signs are the coefficients of -log(1 - e^(a (z - 1)) z^-B). A Fourier
// transform on a circle between 1 and the tail's singularity takes them out. O(N log N), with N in
// proportion to the length of the tail.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace photon::analysis::theory {

// P(Y = n) for n from 0 on, cut where the tail is below 1e-15. Absolute error about 1e-13. Nothing
// where bulk_service has no value, and less than 2e-5 from saturation (more than 2^22 points).
std::optional<std::vector<double>> left_over_distribution(double arrivals_per_service,
                                                          std::uint32_t batch_max);

}  // namespace photon::analysis::theory
