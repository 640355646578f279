#include "analysis/optimisation/pareto_front.h"

#include <algorithm>
#include <cmath>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

// By slices across the last of `count` objectives: in each the points below it, in one fewer.
double volume_below(std::vector<const Objectives*> points, const Objectives& reference,
                    std::size_t count) {
  const std::size_t last = count - 1;
  std::ranges::sort(points, {}, [last](const Objectives* point) { return (*point)[last]; });
  if (count == 1) return points.empty() ? 0 : reference[0] - (*points.front())[0];
  double volume = 0;
  std::vector<const Objectives*> below;
  for (std::size_t i = 0; i < points.size(); ++i) {
    below.push_back(points[i]);
    const double from = (*points[i])[last];
    const double to = i + 1 < points.size() ? (*points[i + 1])[last] : reference[last];
    if (to > from) volume += (to - from) * volume_below(below, reference, last);
  }
  return volume;
}

}  // namespace

bool dominates(const Objectives& one, const Objectives& other) {
  PHOTON_CHECK(one.size() == other.size(), "points have the same objectives");
  bool smaller = false;
  for (std::size_t i = 0; i < one.size(); ++i) {
    PHOTON_CHECK(std::isfinite(one[i]) && std::isfinite(other[i]), "objectives are finite");
    if (one[i] > other[i]) return false;
    smaller = smaller || one[i] < other[i];
  }
  return smaller;
}

std::vector<std::size_t> pareto_front(std::span<const Objectives> points) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool beaten = std::ranges::any_of(
        points, [&](const Objectives& other) { return dominates(other, points[i]); });
    if (!beaten) front.push_back(i);
  }
  return front;
}

double dominated_volume(std::span<const Objectives> points, const Objectives& reference) {
  PHOTON_CHECK(!reference.empty(), "there is an objective");
  std::vector<const Objectives*> below;
  for (const Objectives& point : points) {
    PHOTON_CHECK(point.size() == reference.size(), "points have the objectives of the reference");
    if (std::ranges::equal(point, reference, std::ranges::less{})) below.push_back(&point);
  }
  return volume_below(std::move(below), reference, reference.size());
}

}  // namespace photon::analysis
