// Where the warm-up of a run ends: MSER-5.
//
// The series is cut into batches of five; the truncation point is the one that minimises the
// squared standard error of the mean of the batches that remain. A run that is still moving has its
// minimum late: it is refused, never truncated in silence.
//
// Sources: White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for
// simulation", WSC 2000: the statistic, batches of five, and the refusal of a minimum in the second
// half. Hoad, Robinson and Davies, "Automating warm-up length estimation", JORS 61 (2010): at
// least five batches remain, because fewer are alike by chance.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/result.h"

namespace photon::analysis {

inline constexpr std::uint64_t kWarmUpBatch = 5;
// With fewer, the five batches that must remain would be most of the series.
inline constexpr std::uint64_t kWarmUpBatchesMin = 10;

struct WarmUp {
  // Observations at the beginning to delete: a multiple of kWarmUpBatch.
  std::uint64_t length = 0;
  // The least value of MSER: sum of squares of the batches that remain over their count squared.
  double statistic = 0;
};

enum class WarmUpRefusal : std::uint8_t {
  series_too_short,        // fewer than kWarmUpBatchesMin batches
  minimum_in_second_half,  // the run is too short for its transient, or not stationary
};

// `series` holds finite observations in the order of time: of one run, or the means over several
// runs at the same place, which are smoother. An incomplete last batch is left out. Of equal
// minima the earliest counts.
Result<WarmUp, WarmUpRefusal> mser5(std::span<const double> series);

}  // namespace photon::analysis
