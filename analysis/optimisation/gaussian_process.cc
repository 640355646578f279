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

// Coordinates in parts of the lengths, a row for each point.
using Scaled = Eigen::ArrayXXd;

// Of the points from this one on with a point in the same parts, in parts of the variance of the
// process: Matern 5/2.
Eigen::ArrayXd correlations(const Scaled& points, Eigen::Index from,
                            const Eigen::Ref<const Eigen::ArrayXd>& with) {
  const Eigen::Index count = points.rows() - from;
  Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(count);
  for (Eigen::Index factor = 0; factor < points.cols(); ++factor) {
    squares += (points.col(factor).tail(count) - with[factor]).square();
  }
  const Eigen::ArrayXd distances = (5 * squares).sqrt();
  return (1 + distances + distances.square() / 3) * (-distances).exp();
}

}  // namespace

double Prediction::standard_deviation() const { return std::sqrt(variance); }

// The observations as the kernel sees them: rounded points, one a row, and values less their mean
// in parts of their standard deviation.
struct GaussianProcess::Data {
  Data(SearchSpace space_of, std::span<const Observation> observations);

  SearchSpace space;
  Eigen::ArrayXXd points;
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
  points.resize(count, static_cast<Eigen::Index>(space.factors()));
  values.resize(count);
  noise.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Observation& each = observations[static_cast<std::size_t>(i)];
    const SearchPoint point = space.rounded(each.point);
    points.row(i) = Eigen::Map<const Eigen::ArrayXd>(point.data(), points.cols()).transpose();
    values[i] = (each.value - shift) / scale;
    noise[i] = each.noise_variance / (scale * scale);
  }
}

// Everything that predictions share. A fit solves for many hyperparameters in the same memory.
struct GaussianProcess::Solved {
  // The variance is in parts of the observed one. False, with a likelihood of zero, if the
  // covariance is not positive definite in floating point.
  bool solve(const Data& data, double variance, const std::vector<double>& lengths);

  Scaled scaled;
  Eigen::MatrixXd factor;            // below its diagonal: the Cholesky factor of the covariance
  Eigen::VectorXd ones, deviations;  // the inverse covariance times ones, and times these
  double of_ones = 0;                // the sum of `ones`: one over the variance of the mean
  double mean = 0;
  double log_likelihood = -std::numeric_limits<double>::infinity();
};

bool GaussianProcess::Solved::solve(const Data& data, double variance,
                                    const std::vector<double>& lengths) {
  const Eigen::Index count = data.points.rows();
  const auto scales = Eigen::Map<const Eigen::ArrayXd>(lengths.data(), data.points.cols());
  scaled = data.points.rowwise() / scales.transpose();
  factor.resize(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    factor.col(i).tail(count - i) =
        variance * correlations(scaled, i, scaled.row(i).transpose()).matrix();
    factor(i, i) += data.noise[i] + kJitter * variance;
  }
  log_likelihood = -std::numeric_limits<double>::infinity();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(factor);
  if (in_place.info() != Eigen::Success) return false;
  ones = in_place.solve(Eigen::VectorXd::Ones(count));
  of_ones = ones.sum();
  mean = ones.dot(data.values) / of_ones;
  const Eigen::VectorXd rest = data.values.array() - mean;
  deviations = in_place.solve(rest);
  const double half_log_determinant = factor.diagonal().array().log().sum();
  log_likelihood = -rest.dot(deviations) / 2 - half_log_determinant;
  return true;
}

namespace {

// Logarithms of the variance and of the lengths.
GaussianProcess::Hyperparameters from_logarithms(std::span<const double> logarithms) {
  GaussianProcess::Hyperparameters all{.variance = std::exp(logarithms.front())};
  for (const double each : logarithms.subspan(1)) all.lengths.push_back(std::exp(each));
  return all;
}

std::vector<double> to_logarithms(const GaussianProcess::Hyperparameters& all, const Box& inside) {
  std::vector<double> logarithms{std::log(all.variance)};
  for (const double each : all.lengths) logarithms.push_back(std::log(each));
  for (std::size_t i = 0; i < logarithms.size(); ++i) {
    logarithms[i] = std::clamp(logarithms[i], inside.low[i], inside.high[i]);
  }
  return logarithms;
}

Box hyperparameter_box(std::size_t factors) {
  Box box{std::vector<double>(factors + 1, std::log(kLeastLength)),
          std::vector<double>(factors + 1, std::log(kGreatestLength))};
  box.low.front() = std::log(kLeastVariance);
  box.high.front() = std::log(kGreatestVariance);
  return box;
}

}  // namespace

GaussianProcess::GaussianProcess(SearchSpace space, std::span<const Observation> observations)
    : GaussianProcess(std::make_shared<const Data>(std::move(space), observations)) {
  std::vector<Hyperparameters> starts;
  for (const double length : kStartLengths) {
    starts.push_back({1, std::vector<double>(data_->space.factors(), length)});
  }
  fit(starts);
}

GaussianProcess GaussianProcess::near(SearchSpace space, std::span<const Observation> observations,
                                      const Hyperparameters& hyperparameters) {
  GaussianProcess process(std::make_shared<const Data>(std::move(space), observations));
  const double scale = process.data_->scale;
  const Hyperparameters start{hyperparameters.variance / (scale * scale), hyperparameters.lengths};
  PHOTON_CHECK(start.lengths.size() == process.data_->space.factors(), "each factor has a length");
  process.fit(std::span(&start, 1));
  return process;
}

void GaussianProcess::fit(std::span<const Hyperparameters> starts) {
  const Box box = hyperparameter_box(data_->space.factors());
  const std::size_t variables = box.low.size();
  const auto solved = std::make_shared<Solved>();
  const auto likelihood = [&](std::span<const double> logarithms) {
    const Hyperparameters tried = from_logarithms(logarithms);
    solved->solve(*data_, tried.variance, tried.lengths);
    return std::max(solved->log_likelihood, std::numeric_limits<double>::lowest());
  };
  BoxMaximum best;
  for (const Hyperparameters& start : starts) {
    const BoxMaximum found =
        maximum_in(box, to_logarithms(start, box), likelihood, kEvaluationsPerVariable * variables);
    if (best.at.empty() || found.value > best.value) best = found;
  }
  hyperparameters_ = from_logarithms(best.at);
  const bool legal = solved->solve(*data_, hyperparameters_.variance, hyperparameters_.lengths);
  PHOTON_CHECK(legal, "the covariance is positive definite");
  solved_ = solved;
  hyperparameters_.variance *= data_->scale * data_->scale;
}

GaussianProcess::GaussianProcess(SearchSpace space, std::span<const Observation> observations,
                                 const Hyperparameters& hyperparameters)
    : data_(std::make_shared<const Data>(std::move(space), observations)),
      hyperparameters_(hyperparameters) {
  PHOTON_CHECK(hyperparameters.lengths.size() == data_->space.factors(),
               "each factor has a length");
  const auto solved = std::make_shared<Solved>();
  const double scale = data_->scale;
  const bool legal =
      solved->solve(*data_, hyperparameters.variance / (scale * scale), hyperparameters.lengths);
  PHOTON_CHECK(legal, "the covariance is positive definite");
  solved_ = solved;
}

Prediction GaussianProcess::predict(const SearchPoint& point) const {
  const double scale = data_->scale;
  const double variance = hyperparameters_.variance / (scale * scale);
  const SearchPoint rounded = data_->space.rounded(point);
  const Eigen::Index factors = data_->points.cols();
  const Eigen::ArrayXd at =
      Eigen::Map<const Eigen::ArrayXd>(rounded.data(), factors) /
      Eigen::Map<const Eigen::ArrayXd>(hyperparameters_.lengths.data(), factors);
  Eigen::VectorXd with = variance * correlations(solved_->scaled, 0, at).matrix();
  const double mean = solved_->mean + with.dot(solved_->deviations);
  const double unexplained_mean = 1 - with.dot(solved_->ones);
  solved_->factor.triangularView<Eigen::Lower>().solveInPlace(with);
  const double left =
      variance - with.squaredNorm() + unexplained_mean * unexplained_mean / solved_->of_ones;
  return {data_->shift + scale * mean, scale * scale * std::max(left, 0.0)};
}

double GaussianProcess::log_likelihood() const {
  return solved_->log_likelihood -
         static_cast<double>(data_->values.size()) * std::log(data_->scale);
}

}  // namespace photon::analysis
