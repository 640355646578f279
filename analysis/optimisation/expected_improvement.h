// How much less than the best known value a point may have (Jones, Schonlau and Welch, Journal of
// Global Optimization 13, 1998).
#pragma once

#include "analysis/optimisation/gaussian_process.h"

namespace photon::analysis {

// The logarithm of the expectation of max(0, best - f) where f is normal: it has a finite slope
// where the expectation itself is zero in floating point, so a search finds its way there too.
// Minus infinity only without variance and improvement. With noise `best` is a mean that the
// process has at an evaluated point, not the smallest value seen, which luck makes too small.
double log_expected_improvement(const Prediction& prediction, double best);

// The same of the augmented expected improvement (Huang, Allen, Notz and Zeng, Journal of Global
// Optimization 34, 2006): less by the factor 1 - sqrt(noise / (variance + noise)), where an
// evaluation with this noise variance tells little of what is already known. Without the factor a
// search with noise stays at its first good place: of 100 searches of Hartmann's function (noise of
// 2.6 % of its range, 60 evaluations) 94 came within 2 %, with it 100.
double log_augmented_improvement(const Prediction& prediction, double best, double noise_variance);

// The logarithm of P(f <= bound), by which a point meets a bound: it tells better from worse where
// the probability is zero in floating point; minus infinity only without variance.
double log_probability_below(const Prediction& prediction, double bound);

}  // namespace photon::analysis
