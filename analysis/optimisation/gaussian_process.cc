#include "analysis/optimisation/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "analysis/optimisation/box_maximum.h"
#include "analysis/statistics/moments.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

// Lengths in parts of the cube's side, variances in parts of the observed one.
constexpr double kLeastLength = 0.02, kGreatestLength = 20;
constexpr double kLeastVariance = 0.01, kGreatestVariance = 100;
constexpr double kStartLengths[] = {0.2, 0.6, 2};
constexpr std::size_t kEvaluationsPerVariable = 40;

// Of the variance, added to that of each observation: equal points without noise stay solvable.
constexpr double kJitter = 1e-8;

// Of two points at this distance in lengths.
double matern(double squared_distance) {
  const double r = std::sqrt(5 * squared_distance);
  return (1 + r + r * r / 3) * std::exp(-r);
}

}  // namespace

double Prediction::standard_deviation() const { return std::sqrt(variance); }

// The observations as the kernel sees them: rounded points, one a column, and values less their
// mean in parts of their standard deviation.
struct GaussianProcess::Data {
  Data(SearchSpace space_of, std::span<const Observation> observations);

  // In parts of the variance of the process.
  Eigen::MatrixXd correlations(const std::vector<double>& lengths) const;
  Eigen::VectorXd correlations_with(const SearchPoint& point,
                                    const std::vector<double>& lengths) const;

  SearchSpace space;
  Eigen::MatrixXd points;
  Eigen::VectorXd values, noise;
  double shift = 0, scale = 1;
};

GaussianProcess::Data::Data(SearchSpace space_of, std::span<const Observation> observations)
    : space(std::move(space_of)) {
  PHOTON_CHECK(observations.size() >= 2, "a process is fit to two observations or more");
  const auto count = static_cast<Eigen::Index>(observations.size());
  Moments moments;
  for (const Observation& each : observations) {
    PHOTON_CHECK(std::isfinite(each.value), "observations are finite");
    PHOTON_CHECK(std::isfinite(each.noise_variance) && each.noise_variance >= 0,
                 "the variance of noise is known");
    moments.add(each.value);
  }
  shift = moments.mean();
  if (moments.variance() > 0) scale = moments.standard_deviation();
  points.resize(static_cast<Eigen::Index>(space.factors()), count);
  values.resize(count);
  noise.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Observation& each = observations[static_cast<std::size_t>(i)];
    const SearchPoint point = space.rounded(each.point);
    points.col(i) = Eigen::Map<const Eigen::VectorXd>(point.data(), points.rows());
    values[i] = (each.value - shift) / scale;
    noise[i] = each.noise_variance / (scale * scale);
  }
}

Eigen::MatrixXd GaussianProcess::Data::correlations(const std::vector<double>& lengths) const {
  const auto scales = Eigen::Map<const Eigen::ArrayXd>(lengths.data(), points.rows());
  const Eigen::MatrixXd scaled = (points.array().colwise() / scales).matrix();
  const Eigen::Index count = points.cols();
  Eigen::MatrixXd all(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    all(i, i) = 1;
    for (Eigen::Index j = 0; j < i; ++j) {
      all(i, j) = all(j, i) = matern((scaled.col(i) - scaled.col(j)).squaredNorm());
    }
  }
  return all;
}

Eigen::VectorXd GaussianProcess::Data::correlations_with(const SearchPoint& point,
                                                         const std::vector<double>& lengths) const {
  const auto scales = Eigen::Map<const Eigen::ArrayXd>(lengths.data(), points.rows());
  const SearchPoint rounded = space.rounded(point);
  const auto at = Eigen::Map<const Eigen::VectorXd>(rounded.data(), points.rows());
  Eigen::VectorXd all(points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    all[i] = matern(((points.col(i) - at).array() / scales).matrix().squaredNorm());
  }
  return all;
}

// Everything that predictions share.
struct GaussianProcess::Solved {
  // The variance is in parts of the observed one.
  Solved(const Data& data, double variance, const std::vector<double>& lengths);

  Eigen::LLT<Eigen::MatrixXd> factor;  // of the covariance of the observations
  Eigen::VectorXd ones, deviations;    // the inverse covariance times ones, and times these
  double of_ones = 0;                  // the sum of `ones`: one over the variance of the mean
  double mean = 0;
  double log_likelihood = -std::numeric_limits<double>::infinity();
};

GaussianProcess::Solved::Solved(const Data& data, double variance,
                                const std::vector<double>& lengths) {
  Eigen::MatrixXd covariance = variance * data.correlations(lengths);
  covariance.diagonal() += data.noise;
  covariance.diagonal().array() += kJitter * variance;
  factor.compute(covariance);
  if (factor.info() != Eigen::Success) return;
  ones = factor.solve(Eigen::VectorXd::Ones(data.values.size()));
  of_ones = ones.sum();
  mean = ones.dot(data.values) / of_ones;
  const Eigen::VectorXd rest = data.values.array() - mean;
  deviations = factor.solve(rest);
  const double half_log_determinant = factor.matrixLLT().diagonal().array().log().sum();
  log_likelihood = -rest.dot(deviations) / 2 - half_log_determinant;
}

namespace {

// Logarithms of the variance and of the lengths.
GaussianProcess::Hyperparameters from_logarithms(std::span<const double> logarithms) {
  GaussianProcess::Hyperparameters all{.variance = std::exp(logarithms.front())};
  for (const double each : logarithms.subspan(1)) all.lengths.push_back(std::exp(each));
  return all;
}

}  // namespace

GaussianProcess::GaussianProcess(SearchSpace space, std::span<const Observation> observations)
    : data_(std::make_shared<const Data>(std::move(space), observations)) {
  const std::size_t variables = data_->space.factors() + 1;
  Box box{std::vector<double>(variables, std::log(kLeastLength)),
          std::vector<double>(variables, std::log(kGreatestLength))};
  box.low.front() = std::log(kLeastVariance);
  box.high.front() = std::log(kGreatestVariance);
  const auto likelihood = [this](std::span<const double> logarithms) {
    const Hyperparameters tried = from_logarithms(logarithms);
    return std::max(Solved(*data_, tried.variance, tried.lengths).log_likelihood,
                    std::numeric_limits<double>::lowest());
  };
  BoxMaximum best;
  for (const double length : kStartLengths) {
    std::vector<double> start(variables, std::log(length));
    start.front() = 0;
    const BoxMaximum found =
        maximum_in(box, start, likelihood, kEvaluationsPerVariable * variables);
    if (best.at.empty() || found.value > best.value) best = found;
  }
  hyperparameters_ = from_logarithms(best.at);
  solved_ =
      std::make_shared<const Solved>(*data_, hyperparameters_.variance, hyperparameters_.lengths);
  PHOTON_CHECK(solved_->factor.info() == Eigen::Success, "the covariance is positive definite");
  hyperparameters_.variance *= data_->scale * data_->scale;
}

GaussianProcess::GaussianProcess(SearchSpace space, std::span<const Observation> observations,
                                 const Hyperparameters& hyperparameters)
    : data_(std::make_shared<const Data>(std::move(space), observations)),
      hyperparameters_(hyperparameters) {
  PHOTON_CHECK(hyperparameters.lengths.size() == data_->space.factors(),
               "each factor has a length");
  solved_ = std::make_shared<const Solved>(
      *data_, hyperparameters.variance / (data_->scale * data_->scale), hyperparameters.lengths);
  PHOTON_CHECK(solved_->factor.info() == Eigen::Success, "the covariance is positive definite");
}

Prediction GaussianProcess::predict(const SearchPoint& point) const {
  const double scale = data_->scale;
  const double variance = hyperparameters_.variance / (scale * scale);
  const Eigen::VectorXd with = variance * data_->correlations_with(point, hyperparameters_.lengths);
  const double mean = solved_->mean + with.dot(solved_->deviations);
  const double explained = solved_->factor.matrixL().solve(with).squaredNorm();
  const double unexplained_mean = 1 - with.dot(solved_->ones);
  const double left = variance - explained + unexplained_mean * unexplained_mean / solved_->of_ones;
  return {data_->shift + scale * mean, scale * scale * std::max(left, 0.0)};
}

double GaussianProcess::log_likelihood() const {
  return solved_->log_likelihood -
         static_cast<double>(data_->values.size()) * std::log(data_->scale);
}

}  // namespace photon::analysis
