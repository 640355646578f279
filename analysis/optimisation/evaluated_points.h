// What every search knows of its evaluations, whatever it looks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "analysis/optimisation/gaussian_process.h"

namespace photon::analysis {

// Which points need no further evaluation: those with `most` of them, or with one without noise.
class Exhausted {
 public:
  Exhausted(const SearchSpace& space, std::span<const Observation> evaluations, std::size_t most);

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
std::optional<SearchPoint> first_point(const SearchSpace& space, std::span<const Observation> known,
                                       std::uint64_t seed);

}  // namespace photon::analysis
