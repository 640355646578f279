#include "analysis/optimisation/scalarisation.h"

#include <algorithm>
#include <limits>

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

// Of the first figures.
std::vector<Range> ranges_of(std::span<const ObjectivesObservation> evaluations,
                             std::size_t objectives) {
  std::vector<Range> ranges(objectives);
  for (const ObjectivesObservation& each : evaluations) {
    PHOTON_CHECK(each.values.size() >= objectives && each.noise_variances.size() >= objectives,
                 "each objective has its value and its noise");
    for (std::size_t i = 0; i < objectives; ++i) {
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
  const std::vector<Range> ranges = ranges_of(evaluations, weights.size());
  std::vector<Observation> all;
  for (const ObjectivesObservation& each : evaluations) {
    all.push_back(scalarised_one(each, weights, ranges));
  }
  return all;
}

}  // namespace photon::analysis
