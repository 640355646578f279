#include "analysis/optimisation/evaluated_points.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "analysis/sensitivity/designs.h"

namespace photon::analysis {

std::vector<Observation> figure_of(std::span<const ObjectivesObservation> evaluations,
                                   std::size_t figure) {
  std::vector<Observation> all;
  for (const ObjectivesObservation& each : evaluations) {
    all.push_back({each.point, each.values[figure], each.noise_variances[figure]});
  }
  return all;
}

Exhausted::Exhausted(const SearchSpace& space, std::span<const ObjectivesObservation> evaluations,
                     std::size_t most)
    : most_(most) {
  for (const ObjectivesObservation& each : evaluations) {
    const auto& noise = each.noise_variances;
    add(space.rounded(each.point), std::accumulate(noise.begin(), noise.end(), 0.0));
  }
}

void Exhausted::add(const SearchPoint& rounded, double noise_variance) {
  std::size_t& count = counts_[rounded];
  count = noise_variance > 0 ? count + 1 : std::max(count + 1, most_);
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

std::optional<SearchPoint> first_point(const SearchSpace& space, std::span<const SearchPoint> known,
                                       std::uint64_t seed) {
  constexpr std::size_t kTries = 64;
  std::set<SearchPoint> seen;
  for (const SearchPoint& each : known) seen.insert(space.rounded(each));
  const Rows points = sobol_points(known.size() + kTries, space.factors(), seed);
  for (std::size_t i = known.size(); i < points.size(); ++i) {
    SearchPoint point = space.rounded(points[i]);
    if (!seen.contains(point)) return point;
  }
  return std::nullopt;
}

}  // namespace photon::analysis
