#include "analysis/optimisation/acquisition_search.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/optimisation/box_maximum.h"
#include "analysis/sensitivity/designs.h"

namespace photon::analysis {
namespace {

constexpr std::uint64_t kSeed = 1;  // of the points that are tried first
constexpr std::size_t kPointsPerFactor = 256;
constexpr std::size_t kPointsNear = 64;       // each place, and each distance
constexpr double kDistances[] = {0.02, 0.1};  // of the cube's side, to both sides
constexpr std::size_t kClimbs = 4;
constexpr std::size_t kEvaluationsPerFactor = 40;
constexpr std::size_t kMostRounds = 20;
constexpr std::size_t kLargestListed = 4096;

using Function = std::function<double(const SearchPoint&)>;

// How many points there are; 0 for more than kLargestListed.
std::size_t points_of(const SearchSpace& space) {
  std::size_t points = 1;
  for (std::size_t factor = 0; factor < space.factors(); ++factor) {
    if (space.is_real(factor)) return 0;
    points *= space.values(factor);
    if (points > kLargestListed) return 0;
  }
  return points;
}

std::vector<SearchPoint> all_points(const SearchSpace& space, std::size_t count) {
  std::vector<SearchPoint> points(count, SearchPoint(space.factors()));
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t rest = i;
    for (std::size_t factor = 0; factor < space.factors(); ++factor) {
      points[i][factor] = space.middle_of(factor, rest % space.values(factor));
      rest /= space.values(factor);
    }
  }
  return points;
}

std::vector<SearchPoint> first_points(const SearchSpace& space, std::span<const SearchPoint> near) {
  const std::size_t factors = space.factors();
  std::vector<SearchPoint> points;
  for (SearchPoint& point : sobol_points(kPointsPerFactor * factors, factors, kSeed)) {
    points.push_back(space.rounded(std::move(point)));
  }
  const Rows around = sobol_points(kPointsNear, factors, kSeed + 1);
  for (const SearchPoint& place : near) {
    points.push_back(space.rounded(place));
    for (const double distance : kDistances) {
      for (const SearchPoint& offset : around) {
        SearchPoint point = place;
        for (std::size_t factor = 0; factor < factors; ++factor) {
          point[factor] += distance * (2 * offset[factor] - 1);
        }
        points.push_back(space.rounded(std::move(point)));
      }
    }
  }
  return points;
}

// Moves the real factors, with the others as they are.
AcquisitionMaximum along_real_factors(const SearchSpace& space, const Function& function,
                                      AcquisitionMaximum best) {
  std::vector<std::size_t> real;
  std::vector<double> start;
  for (std::size_t factor = 0; factor < space.factors(); ++factor) {
    if (!space.is_real(factor)) continue;
    real.push_back(factor);
    start.push_back(best.point[factor]);
  }
  if (real.empty()) return best;
  const auto point_at = [&](std::span<const double> coordinates) {
    SearchPoint point = best.point;
    for (std::size_t i = 0; i < real.size(); ++i) point[real[i]] = coordinates[i];
    return space.rounded(std::move(point));
  };
  const Box box{std::vector<double>(real.size(), 0), std::vector<double>(real.size(), 1)};
  const BoxMaximum found = maximum_in(
      box, start, [&](std::span<const double> at) { return function(point_at(at)); },
      kEvaluationsPerFactor * real.size());
  if (found.value > best.value) return {point_at(found.at), found.value};
  return best;
}

// The best of the points one value away in one factor that is not real, or the point itself.
AcquisitionMaximum to_neighbour(const SearchSpace& space, const Function& function,
                                const AcquisitionMaximum& here) {
  AcquisitionMaximum best = here;
  for (std::size_t factor = 0; factor < space.factors(); ++factor) {
    if (space.is_real(factor)) continue;
    const std::size_t value = space.value_at(factor, here.point[factor]);
    for (const std::size_t other : {value - 1, value + 1}) {  // below zero is a large number
      if (other >= space.values(factor)) continue;
      SearchPoint point = here.point;
      point[factor] = space.middle_of(factor, other);
      const double there = function(point);
      if (there > best.value) best = {std::move(point), there};
    }
  }
  return best;
}

AcquisitionMaximum climbed(const SearchSpace& space, const Function& function,
                           AcquisitionMaximum best) {
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    best = along_real_factors(space, function, std::move(best));
    AcquisitionMaximum next = to_neighbour(space, function, best);
    if (!(next.value > best.value)) break;
    best = std::move(next);
  }
  return best;
}

}  // namespace

std::optional<AcquisitionMaximum> acquisition_maximum(const SearchSpace& space,
                                                      const Function& function,
                                                      std::span<const SearchPoint> near) {
  const std::size_t listed = points_of(space);
  std::vector<AcquisitionMaximum> tried;
  for (SearchPoint& point : listed > 0 ? all_points(space, listed) : first_points(space, near)) {
    const double value = function(point);
    if (value > -HUGE_VAL) tried.push_back({std::move(point), value});
  }
  if (tried.empty()) return std::nullopt;
  std::ranges::stable_sort(tried, std::ranges::greater{}, &AcquisitionMaximum::value);
  if (listed > 0) return tried.front();
  AcquisitionMaximum best = tried.front();
  for (std::size_t i = 0; i < std::min(kClimbs, tried.size()); ++i) {
    AcquisitionMaximum found = climbed(space, function, tried[i]);
    if (found.value > best.value) best = std::move(found);
  }
  return best;
}

}  // namespace photon::analysis
