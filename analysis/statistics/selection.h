// Which of several configurations may be the best: all that the data cannot rule out.
//
// With probability of at least the confidence the best is among those that survive, for normal
// replications with unknown and unequal variances. One survivor is an answer; several need more
// replications, or do not differ by what matters (`indifference`).
//
// Configuration i is ruled out by j if j is better by more than max(0, W_ij - indifference):
//
//   independent seeds  W_ij = sqrt(t_i^2 S_i^2 / n_i + t_j^2 S_j^2 / n_j), with t_i the Student
//                      quantile of confidence^(1 / (k - 1)) at n_i - 1 degrees: screen-to-the-best
//                      (Nelson, Swann, Goldsman and Song, "Simple procedures for selecting the best
//                      simulated system when the number of alternatives is large", Operations
//                      Research 49, 2001).
//   common seeds       W_ij = t S_ij / sqrt(n) of the paired differences, with t the quantile of
//                      1 - (1 - confidence) / (k - 1): Bonferroni's inequality, which holds for any
//                      dependence between configurations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "analysis/statistics/interval.h"
#include "analysis/statistics/moments.h"

namespace photon::analysis {

enum class Goal : std::uint8_t { minimum, maximum };

struct SelectionRule {
  Goal goal = Goal::minimum;
  double confidence = kConfidence;
  // Differences up to this do not matter, in the unit of the values. At least zero. Above zero the
  // promise is only made where the best is better than all others by as much.
  double indifference = 0;
};

// Indices of the survivors in ascending order. One without two replications cannot be ruled out
// and rules out no other.
std::vector<std::size_t> select_best(std::span<const Moments> configurations,
                                     const SelectionRule& rule = {});

// One configuration minus another, at a confidence. Without an interval neither rules the other
// out.
using DifferenceOf =
    std::function<Estimate(std::size_t first, std::size_t second, double confidence)>;

// Of `count` configurations with common seeds. i is ruled out by j where i is worse, and the
// interval of i - j, at the two-sided confidence of W_ij above and narrowed by the indifference,
// lies wholly on the wrong side of zero.
std::vector<std::size_t> select_best_by(std::size_t count, const DifferenceOf& difference,
                                        const SelectionRule& rule = {});

// One row per configuration, all of the same length; replications at the same place ran with the
// same seed. With fewer than two of them all survive.
std::vector<std::size_t> select_best_paired(std::span<const std::vector<double>> configurations,
                                            const SelectionRule& rule = {});

}  // namespace photon::analysis
