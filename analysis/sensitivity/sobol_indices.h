// How much of a figure's variance each factor explains: Sobol's indices (Mathematics and Computers
// in Simulation 55, 2001), estimated after Jansen (Computer Physics Communications 117, 1999) from
// the design of Saltelli et al. (saltelli.h).
//
// Intervals: value +- t s, where s is the bootstrap's standard error over what is independent in
// the design (Archer, Saltelli and Sobol, Journal of Statistical Computation and Simulation 58,
// 1997) and t Student's quantile for as many. What is independent:
//
//   independent rows     the rows, of random_points()
//   independent designs  the designs, of independent_sobol_points(): not their rows, which avoid
//                        each other. Intervals are narrower than those of as many independent rows
//   one Sobol' design    nothing: it does not know its own error, which is the smallest of all
//
// Of nominal 95 % intervals of Ishigami's indices the first two cover 94 to 97 % at 1,024 and 2,048
// rows, with noise and without, and at kWellCoveredRows rows (sobol_coverage_test.cc). 16 designs
// of two rows cover 85 to 95 %, of one row 82 to 95 %. Rows of one Sobol' design taken for
// independent ones cover 94 to 100 %, by index and size. Percentiles of the bootstrap over 16
// designs would cover about 90 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/sensitivity/saltelli.h"
#include "analysis/statistics/interval.h"

namespace photon::analysis {

// From fewer rows than these, in 16 designs, intervals cover less than 92 % for some functions.
inline constexpr std::size_t kWellCoveredRows = 256;

// Of one factor, as shares of the variance of the figure.
struct SobolIndices {
  Estimate first{};  // explained by the factor alone
  Estimate total{};  // that would be left if all others were known: with its interactions
};

struct SobolOptions {
  // Independent designs of equal size that the rows consist of, one after the other; 0: each row is
  // independent of the others.
  std::size_t designs = 0;
  // Of a figure at one point over seeds, in its unit squared, if the seeds of all points differ.
  // Zero:
  // noise is like one more factor, which interacts with all: first indices are shares of a
  // larger variance, and each total index contains the noise. Known noise is taken out.
  double noise_variance = 0;
  std::size_t resamples = 1000;
  double confidence = kConfidence;
};

// `figures`: one for each point of a design of that many factors, in the order of saltelli_rows().
// By factor; empty if the variance of the figure is zero, or not above that of the noise. The
// estimate of a share may lie outside of [0, 1]. Estimate::n counts rows, or designs if there are
// several. No intervals (Shortage::replications) from fewer than two.
//
// Terminates on a number of figures that is no design, as PHOTON_CHECK does.
std::vector<SobolIndices> sobol_indices(std::size_t factors, std::span<const double> figures,
                                        std::uint64_t seed, const SobolOptions& options = {});

}  // namespace photon::analysis
