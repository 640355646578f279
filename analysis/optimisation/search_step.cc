#include "analysis/optimisation/search_step.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "analysis/optimisation/acquisition_search.h"
#include "analysis/optimisation/evaluated_points.h"
#include "analysis/optimisation/expected_improvement.h"

namespace photon::analysis {
namespace {

BestPoint best_of(const GaussianProcess& process, std::span<const Observation> evaluations) {
  BestPoint best{0, process.predict(evaluations.front().point)};
  for (std::size_t i = 1; i < evaluations.size(); ++i) {
    const Prediction prediction = process.predict(evaluations[i].point);
    if (prediction.mean < best.prediction.mean) best = {i, prediction};
  }
  return best;
}

// Huang's effective best solution: small, and known to be so.
Prediction effective_best_of(const GaussianProcess& process,
                             std::span<const Observation> evaluations) {
  const auto with_doubt = [](const Prediction& prediction) {
    return prediction.mean + prediction.standard_deviation();
  };
  Prediction best = process.predict(evaluations.front().point);
  for (const Observation& each : evaluations.subspan(1)) {
    const Prediction prediction = process.predict(each.point);
    if (with_doubt(prediction) < with_doubt(best)) best = prediction;
  }
  return best;
}

std::optional<SearchPoint> next_of(const GaussianProcess& process, const SearchSpace& space,
                                   std::span<const Observation> evaluations,
                                   const SearchOptions& options) {
  const Exhausted exhausted(space, evaluations, options.most_repetitions);
  const double best = effective_best_of(process, evaluations).mean;
  const double noise = usual_noise(evaluations);
  const auto improvement = [&](const SearchPoint& point) {
    if (exhausted(point)) return -std::numeric_limits<double>::infinity();
    // Without variance there is none either, but the point is legal.
    return std::max(log_augmented_improvement(process.predict(point), best, noise),
                    std::numeric_limits<double>::lowest());
  };
  const SearchPoint near[] = {evaluations[best_of(process, evaluations).evaluation].point};
  const auto found = acquisition_maximum(space, improvement, near);
  if (!found) return std::nullopt;
  return found->point;
}

}  // namespace

std::vector<SearchPoint> next_points(const SearchSpace& space,
                                     std::span<const Observation> evaluations, std::size_t count,
                                     const SearchOptions& options) {
  std::vector<Observation> known(evaluations.begin(), evaluations.end());
  std::vector<SearchPoint> next;
  const std::size_t first = first_points_of(space, options.first_points);
  while (next.size() < count && known.size() < first) {
    auto point = first_point(space, known, options.seed);
    if (!point) break;
    known.push_back({*point});
    next.push_back(std::move(*point));
  }
  // First points that are still to be evaluated have no value to believe in.
  if (!next.empty() || count == 0) return next;
  if (known.size() < 2) return {known.front().point};  // the only one of its space
  const GaussianProcess fitted(space, known);
  const double noise = usual_noise(known);
  while (next.size() < count) {
    const GaussianProcess process(space, known, fitted.hyperparameters());
    auto point = next_of(process, space, known, options);
    if (!point) break;
    known.push_back({*point, process.predict(*point).mean, noise});
    next.push_back(std::move(*point));
  }
  return next;
}

std::optional<SearchPoint> next_point(const SearchSpace& space,
                                      std::span<const Observation> evaluations,
                                      const SearchOptions& options) {
  std::vector<SearchPoint> next = next_points(space, evaluations, 1, options);
  if (next.empty()) return std::nullopt;
  return std::move(next.front());
}

BestPoint best_point(const SearchSpace& space, std::span<const Observation> evaluations) {
  return best_of(GaussianProcess(space, evaluations), evaluations);
}

}  // namespace photon::analysis
