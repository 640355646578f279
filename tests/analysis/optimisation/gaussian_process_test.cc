#include "analysis/optimisation/gaussian_process.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "analysis/sensitivity/designs.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

double matern(const SearchPoint& one, const SearchPoint& other,
              const std::vector<double>& lengths) {
  double squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    squares += std::pow((one[i] - other[i]) / lengths[i], 2);
  }
  const double distance = std::sqrt(squares);
  return (1 + std::sqrt(5.0) * distance + 5 * squares / 3) * std::exp(-std::sqrt(5.0) * distance);
}

double normal(std::uint64_t seed, std::uint64_t ordinal) {
  return normal_quantile(unit_interval(RandomStream(seed, Purpose::test, 8).word(ordinal)));
}

// Values at these points of one process with the mean 50.
std::vector<double> process_at(const Rows& points, double variance,
                               const std::vector<double>& lengths, std::uint64_t seed) {
  const auto count = static_cast<Eigen::Index>(points.size());
  Eigen::MatrixXd covariance(count, count);
  Eigen::VectorXd normals(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    normals[i] = normal(seed, static_cast<std::uint64_t>(i));
    for (Eigen::Index j = 0; j < count; ++j) {
      covariance(i, j) = variance * matern(points[static_cast<std::size_t>(i)],
                                           points[static_cast<std::size_t>(j)], lengths);
    }
  }
  covariance.diagonal().array() += 1e-9 * variance;
  const Eigen::VectorXd values = covariance.llt().matrixL() * normals;
  std::vector<double> all;
  for (const double value : values) all.push_back(50 + value);
  return all;
}

// Noise whose variance differs from point to point.
std::vector<Observation> observed(const Rows& points, const std::vector<double>& values,
                                  std::size_t count, double noise, std::uint64_t seed) {
  std::vector<Observation> all;
  for (std::size_t i = 0; i < count; ++i) {
    const double deviation = noise * (i % 3 == 0 ? 2 : 1);
    const double drawn = deviation * normal(seed + 1000, i);
    all.push_back({points[i], values[i] + drawn, deviation * deviation});
  }
  return all;
}

}  // namespace

TEST_CASE("a prediction is the conditional normal distribution under a vague mean") {
  const auto space = SearchSpace::of_reals(2);
  Rows points = sobol_points(12, 2, 3);
  for (SearchPoint& point : points) point = space.rounded(point);
  const GaussianProcess::Hyperparameters known{4, {0.4, 0.9}};
  const auto observations =
      observed(points, process_at(points, known.variance, known.lengths, 1), 12, 0.3, 1);
  const GaussianProcess process(space, observations, known);

  // The mean is one more normal number, of a variance that is large beside all others.
  constexpr double kVague = 1e6;
  Eigen::MatrixXd covariance(12, 12);
  Eigen::VectorXd values(12), with(12);
  const SearchPoint at = space.rounded({0.37, 0.81});
  for (Eigen::Index i = 0; i < 12; ++i) {
    const Observation& each = observations[static_cast<std::size_t>(i)];
    values[i] = each.value;
    with[i] = kVague + 4 * matern(each.point, at, known.lengths);
    for (Eigen::Index j = 0; j < 12; ++j) {
      const Observation& other = observations[static_cast<std::size_t>(j)];
      covariance(i, j) = kVague + 4 * matern(each.point, other.point, known.lengths) +
                         (i == j ? each.noise_variance : 0);
    }
  }
  const Eigen::LDLT<Eigen::MatrixXd> solver(covariance);
  const Prediction prediction = process.predict(at);
  CHECK(prediction.mean == Approx(with.dot(solver.solve(values))).epsilon(1e-5));
  CHECK(prediction.variance == Approx(kVague + 4 - with.dot(solver.solve(with))).epsilon(1e-4));
}

TEST_CASE("without noise a process goes through its observations") {
  const Rows points = sobol_points(20, 3, 1);
  const auto observations = observed(points, process_at(points, 9, {0.5, 0.5, 2}, 2), 20, 0, 2);
  const GaussianProcess process(SearchSpace::of_reals(3), observations);
  for (const Observation& each : observations) {
    const Prediction prediction = process.predict(each.point);
    CHECK(prediction.mean == Approx(each.value).margin(1e-3));
    CHECK(prediction.standard_deviation() < 0.01);
  }
}

TEST_CASE("repetitions of a point average its noise; a very noisy one hardly counts") {
  const auto space = SearchSpace::of_reals(1);
  const GaussianProcess::Hyperparameters known{1, {0.2}};
  std::vector<Observation> observations{{{0.1}, 0, 0}, {{0.9}, 0, 0}};
  for (int i = 0; i < 16; ++i) observations.push_back({{0.5}, i % 2 == 0 ? 1.0 : 3.0, 0.16});
  const GaussianProcess repeated(space, observations, known);
  const Prediction prediction = repeated.predict({0.5});
  // A mean of 2 with the noise variance 0.01, which the prior draws towards the others a little.
  CHECK(prediction.mean == Approx(2).margin(0.05));
  CHECK(prediction.variance == Approx(0.01).epsilon(0.05));

  observations.push_back({{0.3}, 1000, 1e8});
  const GaussianProcess disturbed(space, observations, known);
  CHECK(disturbed.predict({0.3}).mean == Approx(repeated.predict({0.3}).mean).margin(0.01));
}

TEST_CASE("all coordinates of one value are one point of the process") {
  const SearchSpace space({0, 3});
  Rows points = sobol_points(15, 2, 4);
  std::vector<double> values;
  for (const SearchPoint& point : points) {
    values.push_back(std::sin(5 * point[0]) + static_cast<double>(space.value_at(1, point[1])));
  }
  const GaussianProcess process(space, observed(points, values, 15, 0.01, 4));
  const Prediction middle = process.predict({0.4, 0.5});
  for (const double same : {0.34, 0.4, 0.66}) {
    CHECK(process.predict({0.4, same}).mean == middle.mean);
    CHECK(process.predict({0.4, same}).variance == middle.variance);
  }
  CHECK(process.predict({0.4, 0.33}).mean == Approx(middle.mean - 1).margin(0.2));
  CHECK(process.predict({0.4, 0.67}).mean == Approx(middle.mean + 1).margin(0.2));
}

TEST_CASE("no other hyperparameters are likelier than the chosen ones, nor the true ones") {
  const auto space = SearchSpace::of_reals(2);
  const Rows points = sobol_points(40, 2, 6);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto observations =
        observed(points, process_at(points, 25, {0.3, 1}, seed), 40, 0.2, seed);
    const GaussianProcess chosen(space, observations);
    const double best = chosen.log_likelihood();
    CHECK(best >= GaussianProcess(space, observations, {25, {0.3, 1}}).log_likelihood());
    for (const double by : {0.8, 1.25}) {
      auto other = chosen.hyperparameters();
      other.variance *= by;
      CHECK(best >= GaussianProcess(space, observations, other).log_likelihood());
      for (std::size_t factor = 0; factor < 2; ++factor) {
        other = chosen.hyperparameters();
        other.lengths[factor] *= by;
        // Lengths at the end of their range may have likelier ones beyond it.
        if (chosen.hyperparameters().lengths[factor] > 15) continue;
        CHECK(best >= GaussianProcess(space, observations, other).log_likelihood());
      }
    }
  }
}

TEST_CASE("a fit from the hyperparameters of a similar figure is as likely as one from the start") {
  const auto space = SearchSpace::of_reals(2);
  const Rows points = sobol_points(40, 2, 6);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto values = process_at(points, 25, {0.3, 1}, seed);
    const auto observations = observed(points, values, 40, 0.2, seed);
    const GaussianProcess whole(space, observations);
    // The same function, bent and in another unit.
    std::vector<double> bent;
    for (const double value : values) bent.push_back(value / 1000 + std::exp(value / 20) / 5000);
    const GaussianProcess similar(space, observed(points, bent, 40, 0.0002, seed));
    const auto near = GaussianProcess::near(space, observations, similar.hyperparameters());
    CHECK(near.log_likelihood() >= whole.log_likelihood() - 0.01);
  }
}

TEST_CASE("maximum likelihood tells the factor that matters from the one that does not") {
  const Rows points = sobol_points(60, 2, 2);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto values = process_at(points, 4, {0.25, 10}, seed);
    const GaussianProcess process(SearchSpace::of_reals(2),
                                  observed(points, values, 60, 0.1, seed));
    const auto& lengths = process.hyperparameters().lengths;
    CHECK(lengths[0] == Approx(0.25).epsilon(0.6));
    CHECK(lengths[1] > 2);
  }
}

TEST_CASE("predictions are as uncertain as they say, at points of the process they did not see") {
  const Rows points = sobol_points(128, 2, 9);
  constexpr std::size_t kSeen = 40;
  std::size_t covered = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto values = process_at(points, 4, {0.4, 0.8}, seed);
    const GaussianProcess process(SearchSpace::of_reals(2),
                                  observed(points, values, kSeen, 0.3, seed));
    for (std::size_t i = kSeen; i < points.size(); ++i) {
      const Prediction prediction = process.predict(points[i]);
      const double error = std::fabs(prediction.mean - values[i]);
      covered += error <= 1.96 * prediction.standard_deviation() ? 1 : 0;
      ++all;
    }
  }
  const double share = static_cast<double>(covered) / static_cast<double>(all);
  CHECK(share > 0.90);
  CHECK(share < 0.98);
}

TEST_CASE("a shift and a scale of the values shift and scale the predictions") {
  const auto space = SearchSpace::of_reals(2);
  const Rows points = sobol_points(25, 2, 5);
  auto observations = observed(points, process_at(points, 1, {0.5, 0.5}, 7), 25, 0.1, 7);
  const Prediction before = GaussianProcess(space, observations).predict({0.3, 0.6});
  for (Observation& each : observations) {
    each.value = 1e6 + 1000 * each.value;
    each.noise_variance *= 1e6;
  }
  const Prediction after = GaussianProcess(space, observations).predict({0.3, 0.6});
  CHECK(after.mean == Approx(1e6 + 1000 * before.mean).epsilon(1e-6));
  CHECK(after.standard_deviation() == Approx(1000 * before.standard_deviation()).epsilon(1e-3));
}

TEST_CASE("equal values have a process") {
  const std::vector<Observation> equal{{{0.1}, 5, 0.01}, {{0.9}, 5, 0.01}, {{0.5}, 5, 0}};
  CHECK(GaussianProcess(SearchSpace::of_reals(1), equal).predict({0.3}).mean == Approx(5));
}

}  // namespace photon::analysis
