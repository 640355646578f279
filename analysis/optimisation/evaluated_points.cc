#include "analysis/optimisation/evaluated_points.h"

#include <algorithm>
#include <vector>

#include "analysis/sensitivity/designs.h"

namespace photon::analysis {

Exhausted::Exhausted(const SearchSpace& space, std::span<const Observation> evaluations,
                     std::size_t most)
    : most_(most) {
  for (const Observation& each : evaluations) {
    std::size_t& count = counts_[space.rounded(each.point)];
    count = each.noise_variance > 0 ? count + 1 : std::max(count + 1, most);
  }
}

bool Exhausted::operator()(const SearchPoint& rounded) const {
  const auto found = counts_.find(rounded);
  return found != counts_.end() && found->second >= most_;
}

double usual_noise(std::span<const Observation> evaluations) {
  std::vector<double> all;
  for (const Observation& each : evaluations) all.push_back(each.noise_variance);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

std::size_t first_points_of(const SearchSpace& space, std::size_t asked) {
  return std::max<std::size_t>(asked > 0 ? asked : 2 * space.factors() + 6, 2);
}

std::optional<SearchPoint> first_point(const SearchSpace& space, std::span<const Observation> known,
                                       std::uint64_t seed) {
  constexpr std::size_t kTries = 64;
  const Exhausted seen(space, known, 1);
  const Rows points = sobol_points(known.size() + kTries, space.factors(), seed);
  for (std::size_t i = known.size(); i < points.size(); ++i) {
    SearchPoint point = space.rounded(points[i]);
    if (!seen(point)) return point;
  }
  return std::nullopt;
}

}  // namespace photon::analysis
