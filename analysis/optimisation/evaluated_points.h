// What a search knows of its evaluations: their figures, which points need no more of them, and the
// points before the first model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/optimisation/gaussian_process.h"
#include "analysis/optimisation/pareto_front.h"

namespace photon::analysis {

struct SearchOptions {
  // Sobol' points before the first model; 0: twice the number of factors, and six.
  std::size_t first_points = 0;
  // Evaluations of one point at the most. A point that was evaluated without noise has one.
  std::size_t most_repetitions = 4;
  std::uint64_t seed = 1;  // of the first points and of the weights of objectives
};

// A point with its figures: objectives first, then those that have a bound.
struct ObjectivesObservation {
  SearchPoint point{};
  Objectives values{};
  std::vector<double> noise_variances{};  // by figure, in its unit squared
};

// One figure of all evaluations.
std::vector<Observation> figure_of(std::span<const ObjectivesObservation> evaluations,
                                   std::size_t figure);

// Which points need no further evaluation: those with `most` of them, or with one whose figures
// have no noise.
class Exhausted {
 public:
  Exhausted(const SearchSpace& space, std::span<const ObjectivesObservation> evaluations,
            std::size_t most);

  // One more evaluation, such as one that is still to be made.
  void add(const SearchPoint& rounded, double noise_variance);
  bool operator()(const SearchPoint& rounded) const;

 private:
  std::size_t most_;
  std::map<SearchPoint, std::size_t> counts_;
};

// The noise variance to expect of the next evaluation: the median, because points near an overload
// may have any. One evaluation or more.
double usual_noise(std::span<const Observation> evaluations);

// How many points a search evaluates before its first model: `asked`, or twice the number of
// factors and six if that is 0; two or more.
std::size_t first_points_of(const SearchSpace& space, std::size_t asked);

// The next of those: of the Sobol' points from this evaluation's on, the first that stands for
// other parameters than all before, rounded. Nothing if there is hardly one: the space is small.
std::optional<SearchPoint> first_point(const SearchSpace& space, std::span<const SearchPoint> known,
                                       std::uint64_t seed);

}  // namespace photon::analysis
