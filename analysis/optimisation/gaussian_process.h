// A Gaussian process through noisy observations: what a function may be at points where it was not
// evaluated (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, chapters 2, 5).
//
// Constant unknown mean, Matern 5/2 kernel with a length of its own for each factor, and a known
// variance of the noise of each observation. Variance and lengths have maximum likelihood. A factor
// with few values is rounded to them inside the kernel (Garrido-Merchan and Hernandez-Lobato,
// Neurocomputing 380, 2020): all coordinates of one value are one point.
//
// Assumption: noise is normal and independent, so the seeds of two observations differ. Costs
// grow with the third power of the number of observations; some hundreds are fit in seconds.
// Deterministic on one build, not bit by bit across compilers: it uses the mathematical library.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "analysis/optimisation/search_space.h"

namespace photon::analysis {

struct Observation {
  SearchPoint point{};
  double value = 0;           // finite
  double noise_variance = 0;  // of the value, in its unit squared: that of a mean over replications
};

// Of the function without noise, in the unit of the values.
struct Prediction {
  double mean = 0;
  double variance = 0;  // of what the function may be: it includes that of the constant mean

  double standard_deviation() const;
};

class GaussianProcess {
 public:
  struct Hyperparameters {
    double variance = 1;            // of the function about its mean, in the unit squared
    std::vector<double> lengths{};  // by factor, in parts of the cube's side
  };

  // Two observations or more. Repeated observations of a point are legal, with and without noise.
  GaussianProcess(SearchSpace space, std::span<const Observation> observations);
  // Those of maximum likelihood near these: a third of the time, where a similar figure is known.
  static GaussianProcess near(SearchSpace space, std::span<const Observation> observations,
                              const Hyperparameters& hyperparameters);
  // With these instead of those of maximum likelihood.
  GaussianProcess(SearchSpace space, std::span<const Observation> observations,
                  const Hyperparameters& hyperparameters);

  Prediction predict(const SearchPoint& point) const;
  const Hyperparameters& hyperparameters() const { return hyperparameters_; }
  // Logarithm of the density of the values, less a constant, at the most likely mean.
  double log_likelihood() const;

 private:
  struct Data;
  struct Solved;
  explicit GaussianProcess(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  // The likeliest by climbs from these.
  void fit(std::span<const Hyperparameters> starts);

  std::shared_ptr<const Data> data_;
  Hyperparameters hyperparameters_;
  std::shared_ptr<const Solved> solved_;
};

}  // namespace photon::analysis
