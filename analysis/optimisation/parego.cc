#include "analysis/optimisation/parego.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "analysis/sensitivity/purposes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"

namespace photon::analysis {
namespace {

constexpr double kAugmentation = 0.05;  // Knowles' rho

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  double width() const { return high > low ? high - low : 1; }
};

std::vector<Range> ranges_of(std::span<const ObjectivesObservation> evaluations) {
  std::vector<Range> ranges(evaluations.front().values.size());
  for (const ObjectivesObservation& each : evaluations) {
    PHOTON_CHECK(each.values.size() == ranges.size(), "evaluations have the same objectives");
    PHOTON_CHECK(each.noise_variances.size() == ranges.size(), "each objective has its noise");
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      ranges[i].low = std::min(ranges[i].low, each.values[i]);
      ranges[i].high = std::max(ranges[i].high, each.values[i]);
    }
  }
  return ranges;
}

Observation scalarised_one(const ObjectivesObservation& each, std::span<const double> weights,
                           const std::vector<Range>& ranges) {
  std::vector<double> terms;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    terms.push_back(weights[i] * (each.values[i] - ranges[i].low) / ranges[i].width());
  }
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(terms) - terms.begin());
  Observation one{.point = each.point, .value = terms[largest]};
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    one.value += kAugmentation * terms[i];
    const double slope = weights[i] / ranges[i].width() * (kAugmentation + (i == largest ? 1 : 0));
    one.noise_variance += slope * slope * each.noise_variances[i];
  }
  return one;
}

}  // namespace

std::vector<Observation> figure_of(std::span<const ObjectivesObservation> evaluations,
                                   std::size_t figure) {
  std::vector<Observation> all;
  for (const ObjectivesObservation& each : evaluations) {
    all.push_back({each.point, each.values[figure], each.noise_variances[figure]});
  }
  return all;
}

std::vector<double> scalarisation_weights(std::size_t objectives, std::uint64_t seed,
                                          std::uint64_t step) {
  PHOTON_CHECK(objectives > 0, "there is an objective");
  // The gaps between uniform cuts of [0, 1].
  const RandomStream stream(seed, purpose::kWeights, 0);
  std::vector<double> cuts{0, 1};
  for (std::uint32_t cut = 1; cut < objectives; ++cut) {
    cuts.push_back(static_cast<double>(stream.word(step, cut) >> 11U) * 0x1p-53);
  }
  std::ranges::sort(cuts);
  std::vector<double> weights;
  for (std::size_t i = 0; i < objectives; ++i) weights.push_back(cuts[i + 1] - cuts[i]);
  return weights;
}

std::vector<Observation> scalarised(std::span<const ObjectivesObservation> evaluations,
                                    std::span<const double> weights) {
  if (evaluations.empty()) return {};
  const std::vector<Range> ranges = ranges_of(evaluations);
  PHOTON_CHECK(weights.size() == ranges.size(), "each objective has a weight");
  std::vector<Observation> all;
  for (const ObjectivesObservation& each : evaluations) {
    all.push_back(scalarised_one(each, weights, ranges));
  }
  return all;
}

std::optional<SearchPoint> next_pareto_point(const SearchSpace& space,
                                             std::span<const ObjectivesObservation> evaluations,
                                             const SearchOptions& options) {
  if (evaluations.empty()) return next_point(space, {}, options);
  const std::size_t objectives = evaluations.front().values.size();
  const auto weights = scalarisation_weights(objectives, options.seed, evaluations.size());
  return next_point(space, scalarised(evaluations, weights), options);
}

std::vector<FrontPoint> predicted_front(const SearchSpace& space,
                                        std::span<const ObjectivesObservation> evaluations) {
  PHOTON_CHECK(evaluations.size() >= 2, "models are fit to two evaluations or more");
  std::vector<GaussianProcess> models;
  for (std::size_t i = 0; i < evaluations.front().values.size(); ++i) {
    models.emplace_back(space, figure_of(evaluations, i));
  }
  std::set<SearchPoint> seen;
  std::vector<FrontPoint> points;
  std::vector<Objectives> means;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    if (!seen.insert(space.rounded(evaluations[i].point)).second) continue;
    points.push_back({.evaluation = i});
    means.emplace_back();
    for (const GaussianProcess& model : models) {
      points.back().predictions.push_back(model.predict(evaluations[i].point));
      means.back().push_back(points.back().predictions.back().mean);
    }
  }
  std::vector<FrontPoint> front;
  for (const std::size_t i : pareto_front(means)) front.push_back(std::move(points[i]));
  return front;
}

}  // namespace photon::analysis
