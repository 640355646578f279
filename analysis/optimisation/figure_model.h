// The models of a search: one of each figure, fit once for all points that are chosen together.
//
// A point that is chosen and not yet evaluated is believed to have what the model expects there,
// without noise (the "Kriging believer" of Ginsbourger, Le Riche and Carraro, 2010): predictions
// elsewhere keep their means, and lose variance near the point. With noise in the belief most of a
// batch would repeat its first point: of 60 searches of Hartmann's function by four points at a
// time one stayed at a local minimum, and without it none.
//
// The hyperparameters stay, so a belief costs one likelihood, of which a fit computes hundreds.
#pragma once

#include <span>
#include <vector>

#include "analysis/optimisation/evaluated_points.h"
#include "analysis/optimisation/gaussian_process.h"

namespace photon::analysis {

class FigureModel {
 public:
  // Two observations or more.
  FigureModel(const SearchSpace& space, std::vector<Observation> observations);
  // Fit from the hyperparameters of a similar figure.
  FigureModel(const SearchSpace& space, std::vector<Observation> observations,
              const FigureModel& similar);

  Prediction predict(const SearchPoint& point) const { return process_.predict(point); }
  // Predictions take the points as evaluated from now on.
  void believe(std::span<const SearchPoint> points);
  // The variance to expect of the next evaluation: the usual one of the observations.
  double noise() const { return noise_; }

 private:
  SearchSpace space_;
  std::vector<Observation> known_;
  double noise_;
  GaussianProcess process_;
};

// The figures that have a bound: from the first after the objectives on.
class BoundedFigures {
 public:
  // bounds[i] is the most that figure `first` + i may have.
  BoundedFigures(const SearchSpace& space, std::span<const ObjectivesObservation> evaluations,
                 std::size_t first, std::vector<double> bounds);

  // Of the probability that the point meets all bounds, as if the figures were independent.
  double log_probability(const SearchPoint& point) const;
  void believe(std::span<const SearchPoint> points);
  // Zero if no figure is noisy.
  double noise() const;

 private:
  std::vector<double> bounds_;
  std::vector<FigureModel> models_;  // by bound
};

}  // namespace photon::analysis
