// Whole searches of 60 evaluations, as a study makes them, one point and four at a time, beside
// random and Sobol' designs of as many, 20 times each. A design's answer is the better of two: the
// point of its smallest value and, so that the comparison is of the points alone, the first
// candidate of the same models. Seeds are fixed; -s shows the figures.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
#include "tests/analysis/optimisation/whole_search.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kEvaluations = 60;
constexpr std::uint64_t kRepetitions = 20;

WholeSearch search_of(std::size_t factors, std::size_t objectives, std::size_t together,
                      std::uint64_t seed) {
  return {.space = SearchSpace::of_reals(factors),
          .goal = {.objectives = objectives},
          .evaluations = kEvaluations,
          .together = together,
          .options = {.seed = seed}};
}

// A random and a Sobol' design.
std::array<Rows, 2> designs_of(std::size_t factors, std::uint64_t seed) {
  return {random_points(kEvaluations, factors, seed), sobol_points(kEvaluations, factors, seed)};
}

template <class Function>
ObjectivesObservation evaluated_at(const SearchPoint& point, Noise& noise) {
  return {point, {Function::at(point) + noise()}, {noise.variance()}};
}

// What a point is really above the minimum, as a part of the function's range.
template <class Function>
double regret(const SearchPoint& point) {
  return (Function::at(point) - Function::kMinimum) / Function::kRange;
}

template <class Function>
double regret_of_design(const Rows& points, std::uint64_t seed, double deviation) {
  Noise noise(seed + 1000, deviation);
  std::vector<ObjectivesObservation> evaluations;
  for (const SearchPoint& point : points) {
    evaluations.push_back(evaluated_at<Function>(point, noise));
  }
  const auto seen = std::ranges::min_element(evaluations, {},
                                             [](const auto& each) { return each.values.front(); });
  const SearchPoint& best = search_of(Function::kFactors, 1, 1, seed).best(evaluations);
  return std::min(regret<Function>(best), regret<Function>(seen->point));
}

struct Comparison {
  std::size_t within = 0;  // 2 % of the range above the minimum
  std::size_t ahead = 0;   // of both designs
  double worst = 0;
};

template <class Function>
Comparison compared(std::size_t together, double deviation) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
    const WholeSearch search = search_of(Function::kFactors, 1, together, seed);
    Noise noise(seed, deviation);
    const auto evaluations =
        search.of([&](const SearchPoint& point) { return evaluated_at<Function>(point, noise); });
    REQUIRE(evaluations.size() == kEvaluations);
    const double found = regret<Function>(search.best(evaluations));
    const auto [random, sobol] = designs_of(Function::kFactors, seed);
    comparison.within += found <= 0.02 ? 1 : 0;
    comparison.ahead += found < regret_of_design<Function>(random, seed, deviation) &&
                                found < regret_of_design<Function>(sobol, seed, deviation)
                            ? 1
                            : 0;
    comparison.worst = std::max(comparison.worst, found);
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

ObjectivesObservation evaluated_both(const SearchPoint& point, Noise& noise) {
  Objectives values = distances(point);
  for (double& each : values) each += noise();
  return {point, values, {noise.variance(), noise.variance()}};
}

// Of the real values at all candidates: the points that the models call the front.
double volume_of(const std::vector<ObjectivesObservation>& evaluations) {
  std::vector<Objectives> front;
  const auto space = SearchSpace::of_reals(3);
  for (const std::size_t each :
       goal_candidates(space, evaluations, {.objectives = 2}, kEvaluations)) {
    front.push_back(distances(evaluations[each].point));
  }
  return dominated_volume(front, {0.8, 0.8});
}

// Below the reference, above (sqrt(0.72) - sqrt(first))^2 up to 0.72, then 0.
double volume_of_whole_front() {
  constexpr int kSteps = 100'000;
  double whole = 0.8 * (0.8 - 0.72);
  for (int i = 0; i < kSteps; ++i) {
    const double first = 0.72 * (i + 0.5) / kSteps;
    whole += 0.72 / kSteps * (0.8 - std::pow(std::sqrt(0.72) - std::sqrt(first), 2));
  }
  return whole;
}

}  // namespace

TEST_CASE("60 noisy evaluations of Hartmann's function find its minimum, ahead of designs") {
  for (const std::size_t together : {1U, 4U}) {
    // Noise of one evaluation: 2.6 % of the range.
    const Comparison comparison = compared<Hartmann3>(together, 0.1);
    INFO(together << " together, worst " << comparison.worst);
    CHECK(comparison.within == kRepetitions);
    CHECK(comparison.ahead >= 18);
  }
}

TEST_CASE("60 noisy evaluations of Branin's function find a minimum, ahead of designs") {
  for (const std::size_t together : {1U, 4U}) {
    const Comparison comparison = compared<Branin>(together, 0.5);
    INFO(together << " together, worst " << comparison.worst);
    CHECK(comparison.within == kRepetitions);
    CHECK(comparison.worst < 0.002);
    CHECK(comparison.ahead >= 18);
  }
}

TEST_CASE("60 noisy evaluations find a better front than designs of as many") {
  for (const std::size_t together : {1U, 4U}) {
    std::size_t ahead = 0;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= kRepetitions; ++seed) {
      Noise noise(seed, 0.02);
      const auto evaluated = [&](const SearchPoint& point) { return evaluated_both(point, noise); };
      const double volume = volume_of(search_of(3, 2, together, seed).of(evaluated));
      bool best = true;
      for (const Rows& points : designs_of(3, seed)) {
        std::vector<ObjectivesObservation> design;
        for (const SearchPoint& point : points) design.push_back(evaluated(point));
        best = best && volume > volume_of(design);
      }
      ahead += best ? 1 : 0;
      sum += volume;
    }
    const double share = sum / kRepetitions / volume_of_whole_front();
    INFO(together << " together, a share of " << share << " of the volume of the whole front");
    CHECK(ahead >= 18);
    CHECK(share > 0.9);
  }
}

}  // namespace photon::analysis
