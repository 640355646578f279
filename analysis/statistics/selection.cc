#include "analysis/statistics/selection.h"

#include <algorithm>
#include <cmath>

#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/paired.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

// Those that no other rules out. `is_ruled_out(i, j)`: j is better than i beyond doubt.
std::vector<std::size_t> survivors(std::size_t count, const auto& is_ruled_out) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < count; ++i) {
    bool ruled_out = false;
    for (std::size_t j = 0; j < count && !ruled_out; ++j) ruled_out = j != i && is_ruled_out(i, j);
    if (!ruled_out) kept.push_back(i);
  }
  return kept;
}

// By how much the other is better.
double lead(double own, double other, Goal goal) {
  return goal == Goal::minimum ? own - other : other - own;
}

bool exceeds(double lead, double allowance, const SelectionRule& rule) {
  return lead > std::max(0.0, allowance - rule.indifference);
}

void check_rule(const SelectionRule& rule) {
  PHOTON_CHECK(rule.indifference >= 0, "a difference that does not matter is a magnitude");
  PHOTON_CHECK(rule.confidence > 0, "a confidence is a probability above zero");
  PHOTON_CHECK(rule.confidence < 1, "a confidence is a probability below one");
}

// Squared half-width of the one-sided interval of one configuration.
double squared_allowance(const Moments& moments, double probability) {
  const auto n = static_cast<double>(moments.count());
  const double t = student_quantile(probability, n - 1);
  return t * t * moments.variance() / n;
}

}  // namespace

std::vector<std::size_t> select_best(std::span<const Moments> configurations,
                                     const SelectionRule& rule) {
  check_rule(rule);
  const std::size_t k = configurations.size();
  if (k < 2) return survivors(k, [](std::size_t, std::size_t) { return false; });
  const double probability = std::pow(rule.confidence, 1 / static_cast<double>(k - 1));
  std::vector<double> allowances(k);
  for (std::size_t i = 0; i < k; ++i) {
    if (configurations[i].count() < 2) continue;
    allowances[i] = squared_allowance(configurations[i], probability);
  }
  return survivors(k, [&](std::size_t i, std::size_t j) {
    const Moments& own = configurations[i];
    const Moments& other = configurations[j];
    if (own.count() < 2 || other.count() < 2) return false;
    const double allowance = std::sqrt(allowances[i] + allowances[j]);
    return exceeds(lead(own.mean(), other.mean(), rule.goal), allowance, rule);
  });
}

std::vector<std::size_t> select_best_by(std::size_t count, const DifferenceOf& difference,
                                        const SelectionRule& rule) {
  check_rule(rule);
  if (count < 2) return survivors(count, [](std::size_t, std::size_t) { return false; });
  const double miss = (1 - rule.confidence) / static_cast<double>(count - 1);
  return survivors(count, [&](std::size_t i, std::size_t j) {
    const Estimate apart = difference(i, j, 1 - 2 * miss);
    if (!apart.interval) return false;
    const bool minimum = rule.goal == Goal::minimum;
    const double own_excess = minimum ? apart.value : -apart.value;
    const double surely = minimum ? apart.interval->low : -apart.interval->high;
    return exceeds(own_excess, own_excess - surely, rule);
  });
}

std::vector<std::size_t> select_best_paired(std::span<const std::vector<double>> configurations,
                                            const SelectionRule& rule) {
  const auto difference = [&](std::size_t i, std::size_t j, double confidence) {
    return compare_paired(configurations[i], configurations[j], confidence).difference;
  };
  return select_best_by(configurations.size(), difference, rule);
}

}  // namespace photon::analysis
