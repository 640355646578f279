#include "analysis/optimisation/bounded_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/optimisation/acquisition_search.h"
#include "analysis/optimisation/evaluated_points.h"
#include "analysis/optimisation/expected_improvement.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

constexpr double kLikely = 0.5;

// A model of each figure.
class Models {
 public:
  Models(const SearchSpace& space, std::span<const ObjectivesObservation> evaluations,
         std::span<const double> bounds)
      : bounds_(bounds) {
    for (std::size_t figure = 0; figure <= bounds.size(); ++figure) {
      models_.emplace_back(space, figure_of(evaluations, figure));
    }
  }

  Prediction objective(const SearchPoint& point) const { return models_.front().predict(point); }
  double log_probability(const SearchPoint& point) const {
    double sum = 0;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      sum += log_probability_below(models_[i + 1].predict(point), bounds_[i]);
    }
    return sum;
  }
  std::vector<Prediction> predictions(const SearchPoint& point) const {
    std::vector<Prediction> all;
    for (const GaussianProcess& model : models_) all.push_back(model.predict(point));
    return all;
  }

 private:
  std::span<const double> bounds_;
  std::vector<GaussianProcess> models_;
};

// Of the points that meet the bounds with this probability the smallest by mean plus `doubt`
// standard deviations; nothing without one.
std::optional<std::size_t> smallest(const Models& models,
                                    std::span<const ObjectivesObservation> evaluations,
                                    double probability, double doubt) {
  std::optional<std::size_t> best;
  double least = 0;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    if (models.log_probability(evaluations[i].point) < std::log(probability)) continue;
    const Prediction prediction = models.objective(evaluations[i].point);
    const double value = prediction.mean + doubt * prediction.standard_deviation();
    if (best && !(value < least)) continue;
    best = i;
    least = value;
  }
  return best;
}

std::size_t likeliest(const Models& models, std::span<const ObjectivesObservation> evaluations) {
  const auto most = std::ranges::max_element(
      evaluations, {}, [&](const auto& each) { return models.log_probability(each.point); });
  return static_cast<std::size_t>(most - evaluations.begin());
}

void check_figures(std::span<const ObjectivesObservation> evaluations, std::size_t bounds) {
  for (const ObjectivesObservation& each : evaluations) {
    PHOTON_CHECK(each.values.size() == bounds + 1 && each.noise_variances.size() == bounds + 1,
                 "an evaluation has the objective and a figure for each bound");
  }
}

}  // namespace

std::optional<SearchPoint> next_bounded_point(const SearchSpace& space,
                                              std::span<const ObjectivesObservation> evaluations,
                                              std::span<const double> bounds,
                                              const SearchOptions& options) {
  check_figures(evaluations, bounds.size());
  const std::vector<Observation> objective = figure_of(evaluations, 0);
  if (objective.size() < first_points_of(space, options.first_points)) {
    if (auto point = first_point(space, objective, options.seed)) return point;
  }
  if (objective.size() < 2) return objective.front().point;  // the only one of its space
  const Models models(space, evaluations, bounds);
  const Exhausted exhausted(space, objective, options.most_repetitions);
  const double noise = usual_noise(objective);
  const auto best = smallest(models, evaluations, kLikely, 1);
  const std::size_t place = best ? *best : likeliest(models, evaluations);
  const double least = models.objective(evaluations[place].point).mean;
  const auto promise = [&](const SearchPoint& point) {
    if (exhausted(point)) return -std::numeric_limits<double>::infinity();
    double value = models.log_probability(point);
    if (best) value += log_augmented_improvement(models.objective(point), least, noise);
    return std::max(value, std::numeric_limits<double>::lowest());
  };
  const SearchPoint near[] = {evaluations[place].point};
  const auto found = acquisition_maximum(space, promise, near);
  if (!found) return std::nullopt;
  return found->point;
}

BoundedBest best_bounded_point(const SearchSpace& space,
                               std::span<const ObjectivesObservation> evaluations,
                               std::span<const double> bounds, double probability) {
  check_figures(evaluations, bounds.size());
  const Models models(space, evaluations, bounds);
  const auto best = smallest(models, evaluations, probability, 0);
  const std::size_t place = best ? *best : likeliest(models, evaluations);
  const SearchPoint& point = evaluations[place].point;
  return {place, models.predictions(point), std::exp(models.log_probability(point))};
}

}  // namespace photon::analysis
