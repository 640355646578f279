// Searches of 60 evaluations beside random and Sobol' designs of as many, 20 times each. A design's
// answer is the point of its smallest value, and, so that the comparison is of the points alone,
// the best point of the same model. Seeds are fixed; -s shows the figures.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/optimisation/parego.h"
#include "analysis/optimisation/search_step.h"
#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kEvaluations = 60;
constexpr std::uint64_t kRepetitions = 20;

template <class Function>
Observation evaluated(const SearchPoint& point, Noise& noise) {
  return {point, Function::at(point) + noise(), noise.variance()};
}

// What the model's best point is really above the minimum, as a part of the function's range.
template <class Function>
double regret(const std::vector<Observation>& evaluations) {
  const auto space = SearchSpace::of_reals(Function::kFactors);
  const SearchPoint& best = evaluations[best_point(space, evaluations).evaluation].point;
  return (Function::at(best) - Function::kMinimum) / Function::kRange;
}

template <class Function>
double regret_of_search(std::uint64_t seed, double deviation) {
  Noise noise(seed, deviation);
  std::vector<Observation> evaluations;
  while (evaluations.size() < kEvaluations) {
    const auto next =
        next_point(SearchSpace::of_reals(Function::kFactors), evaluations, {.seed = seed});
    evaluations.push_back(evaluated<Function>(*next, noise));
  }
  return regret<Function>(evaluations);
}

// The better of its two answers.
template <class Function>
double regret_of_design(const Rows& points, std::uint64_t seed, double deviation) {
  Noise noise(seed + 1000, deviation);
  std::vector<Observation> evaluations;
  for (const SearchPoint& point : points) evaluations.push_back(evaluated<Function>(point, noise));
  const SearchPoint& seen = std::ranges::min_element(evaluations, {}, &Observation::value)->point;
  return std::min(regret<Function>(evaluations),
                  (Function::at(seen) - Function::kMinimum) / Function::kRange);
}

struct Comparison {
  std::size_t within = 0;  // 2 % of the range above the minimum
  std::size_t ahead = 0;   // of both designs
  double worst = 0;
};

template <class Function>
Comparison compared(double deviation) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
    const double search = regret_of_search<Function>(seed, deviation);
    const double random = regret_of_design<Function>(
        random_points(kEvaluations, Function::kFactors, seed), seed, deviation);
    const double sobol = regret_of_design<Function>(
        sobol_points(kEvaluations, Function::kFactors, seed), seed, deviation);
    comparison.within += search <= 0.02 ? 1 : 0;
    comparison.ahead += search < random && search < sobol ? 1 : 0;
    comparison.worst = std::max(comparison.worst, search);
  }
  return comparison;
}

// How far a point is from (0.2, 0.2, 0.5), and from (0.8, 0.8, 0.5), squared. The best points are
// those between, where the roots of the two have the sum of the whole distance.
Objectives distances(const SearchPoint& point) {
  Objectives both(2);
  for (std::size_t i = 0; i < 3; ++i) {
    both[0] += std::pow(point[i] - (i == 2 ? 0.5 : 0.2), 2);
    both[1] += std::pow(point[i] - (i == 2 ? 0.5 : 0.8), 2);
  }
  return both;
}

// Of the real values at the points that the models call the front.
double volume_of(const std::vector<ObjectivesObservation>& evaluations) {
  std::vector<Objectives> front;
  for (const FrontPoint& each : predicted_front(SearchSpace::of_reals(3), evaluations)) {
    front.push_back(distances(evaluations[each.evaluation].point));
  }
  return dominated_volume(front, {0.8, 0.8});
}

ObjectivesObservation evaluated_both(const SearchPoint& point, Noise& noise) {
  Objectives values = distances(point);
  for (double& each : values) each += noise();
  return {point, values, {noise.variance(), noise.variance()}};
}

}  // namespace

TEST_CASE("60 noisy evaluations of Hartmann's function find its minimum, ahead of designs") {
  // Noise of one evaluation: 2.6 % of the range.
  const Comparison comparison = compared<Hartmann3>(0.1);
  INFO("worst " << comparison.worst);
  CHECK(comparison.within == kRepetitions);
  CHECK(comparison.ahead >= 18);
}

TEST_CASE("60 noisy evaluations of Branin's function find a minimum, ahead of designs") {
  const Comparison comparison = compared<Branin>(0.5);
  INFO("worst " << comparison.worst);
  CHECK(comparison.within == kRepetitions);
  CHECK(comparison.worst < 0.002);
  CHECK(comparison.ahead >= 18);
}

TEST_CASE("60 noisy evaluations find a better front than designs of as many") {
  const auto space = SearchSpace::of_reals(3);
  std::size_t ahead = 0;
  double search_sum = 0;
  for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
    Noise noise(seed, 0.02);
    std::vector<ObjectivesObservation> search, random, sobol;
    while (search.size() < kEvaluations) {
      const auto next = next_pareto_point(space, search, {.seed = seed});
      search.push_back(evaluated_both(*next, noise));
    }
    for (const SearchPoint& point : random_points(kEvaluations, 3, seed)) {
      random.push_back(evaluated_both(point, noise));
    }
    for (const SearchPoint& point : sobol_points(kEvaluations, 3, seed)) {
      sobol.push_back(evaluated_both(point, noise));
    }
    const double volume = volume_of(search);
    ahead += volume > volume_of(random) && volume > volume_of(sobol) ? 1 : 0;
    search_sum += volume;
  }
  // Of the whole front: below the reference, above (sqrt(0.72) - sqrt(first))^2 up to 0.72, then 0.
  constexpr int kSteps = 100'000;
  double whole = 0.8 * (0.8 - 0.72);
  for (int i = 0; i < kSteps; ++i) {
    const double first = 0.72 * (i + 0.5) / kSteps;
    whole += 0.72 / kSteps * (0.8 - std::pow(std::sqrt(0.72) - std::sqrt(first), 2));
  }
  const double share = search_sum / kRepetitions / whole;
  INFO("a share of " << share << " of the volume of the whole front");
  CHECK(ahead >= 18);
  CHECK(share > 0.9);
}

}  // namespace photon::analysis
