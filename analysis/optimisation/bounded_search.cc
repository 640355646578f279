#include "analysis/optimisation/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/optimisation/acquisition_search.h"
#include "analysis/optimisation/expected_improvement.h"

namespace photon::analysis {
namespace {

// Where improvement begins.
struct EffectiveBest {
  const SearchPoint* point = nullptr;
  bool likely = false;  // to meet all bounds
};

EffectiveBest effective_best(const FigureModel& objective, const BoundedFigures& bounded,
                             std::span<const SearchPoint> known) {
  const double likely = std::log(0.5);
  EffectiveBest best;
  double least = 0, most = 0;
  for (const SearchPoint& point : known) {
    const double probability = bounded.log_probability(point);
    if (probability >= likely) {
      const Prediction prediction = objective.predict(point);
      const double value = prediction.mean + prediction.standard_deviation();
      if (best.likely && !(value < least)) continue;
      best = {&point, true};
      least = value;
    } else if (!best.likely && (best.point == nullptr || probability > most)) {
      best.point = &point;
      most = probability;
    }
  }
  return best;
}

}  // namespace

std::optional<SearchPoint> next_bounded_point(const SearchSpace& space,
                                              const FigureModel& objective,
                                              const BoundedFigures& bounded,
                                              std::span<const SearchPoint> known,
                                              const Exhausted& exhausted) {
  const EffectiveBest best = effective_best(objective, bounded, known);
  const double least = objective.predict(*best.point).mean;
  const auto promise = [&](const SearchPoint& point) {
    if (exhausted(point)) return -std::numeric_limits<double>::infinity();
    double value = bounded.log_probability(point);
    if (best.likely) {
      value += log_augmented_improvement(objective.predict(point), least, objective.noise());
    }
    // Without variance there is no improvement either, but the point is legal.
    return std::max(value, std::numeric_limits<double>::lowest());
  };
  const SearchPoint near[] = {*best.point};
  const auto found = acquisition_maximum(space, promise, near);
  if (!found) return std::nullopt;
  return found->point;
}

}  // namespace photon::analysis
