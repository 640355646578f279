#include "analysis/optimisation/figure_model.h"

#include <utility>

#include "analysis/optimisation/expected_improvement.h"

namespace photon::analysis {

FigureModel::FigureModel(const SearchSpace& space, std::vector<Observation> observations)
    : space_(space),
      known_(std::move(observations)),
      noise_(usual_noise(known_)),
      process_(space, known_) {}

FigureModel::FigureModel(const SearchSpace& space, std::vector<Observation> observations,
                         const FigureModel& similar)
    : space_(space),
      known_(std::move(observations)),
      noise_(usual_noise(known_)),
      process_(GaussianProcess::near(space, known_, similar.process_.hyperparameters())) {}

void FigureModel::believe(std::span<const SearchPoint> points) {
  if (points.empty()) return;
  for (const SearchPoint& point : points) {
    known_.push_back({.point = point, .value = process_.predict(point).mean});
  }
  process_ = GaussianProcess(space_, known_, process_.hyperparameters());
}

BoundedFigures::BoundedFigures(const SearchSpace& space,
                               std::span<const ObjectivesObservation> evaluations,
                               std::size_t first, std::vector<double> bounds)
    : bounds_(std::move(bounds)) {
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    models_.emplace_back(space, figure_of(evaluations, first + i));
  }
}

double BoundedFigures::log_probability(const SearchPoint& point) const {
  double sum = 0;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    sum += log_probability_below(models_[i].predict(point), bounds_[i]);
  }
  return sum;
}

void BoundedFigures::believe(std::span<const SearchPoint> points) {
  for (FigureModel& each : models_) each.believe(points);
}

double BoundedFigures::noise() const {
  double sum = 0;
  for (const FigureModel& each : models_) sum += each.noise();
  return sum;
}

}  // namespace photon::analysis
