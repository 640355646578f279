#include "analysis/sensitivity/sobol_indices.h"

#include <cmath>
#include <optional>

#include <Eigen/Core>

#include "analysis/sensitivity/purposes.h"
#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"

namespace photon::analysis {
namespace {

// What the estimators need of any set of rows: sums, which add up. A and B less the mean of all.
enum Place : Eigen::Index {
  kRows,
  kValues,   // A + B
  kSquares,  // A^2 + B^2
  kWithout   // (B - A with the factor of B)^2, by factor, then (A - A with the factor of B)^2
};
using Sums = Eigen::VectorXd;

struct Shares {
  Eigen::ArrayXd first, total;  // by factor
};

// Nothing if these rows have no variance beyond the noise.
std::optional<Shares> shares_of(const Sums& sums, double noise) {
  const double points = 2 * sums[kRows];
  const double variance =
      (sums[kSquares] - sums[kValues] * sums[kValues] / points) / (points - 1) - noise;
  if (!(variance > 0)) return std::nullopt;
  const Eigen::Index factors = (sums.size() - kWithout) / 2;
  return Shares{1 - (sums.segment(kWithout, factors).array() / points - noise) / variance,
                (sums.tail(factors).array() / points - noise) / variance};
}

double mean_of(std::span<const double> figures) {
  Moments moments;
  for (const double figure : figures) moments.add(figure);
  return moments.mean();
}

// The sums of each independent part of the design, one a column.
Eigen::MatrixXd parts_of(std::size_t factors, std::span<const double> figures, std::size_t parts) {
  const double mean = mean_of(figures);
  const std::size_t rows = figures.size() / (factors + 2);
  const auto count = static_cast<Eigen::Index>(factors);
  Eigen::MatrixXd all =
      Eigen::MatrixXd::Zero(kWithout + 2 * count, static_cast<Eigen::Index>(parts));
  for (std::size_t row = 0; row < rows; ++row) {
    const auto points = figures.subspan(row * (factors + 2), factors + 2);
    const double a = points[0] - mean, b = points[1] - mean;
    auto part = all.col(static_cast<Eigen::Index>(row / (rows / parts)));
    part[kRows] += 1;
    part[kValues] += a + b;
    part[kSquares] += a * a + b * b;
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const auto place = kWithout + static_cast<Eigen::Index>(factor);
      const double mixed = points[2 + factor] - mean;
      part[place] += (b - mixed) * (b - mixed);
      part[place + count] += (a - mixed) * (a - mixed);
    }
  }
  return all;
}

// The indices of samples with replacement, over the resamples.
struct Resampled {
  explicit Resampled(std::size_t factors) : first(factors), total(factors) {}
  std::vector<Moments> first, total;
};

Resampled bootstrap(const Eigen::MatrixXd& parts, std::size_t factors, std::uint64_t seed,
                    const SobolOptions& options) {
  Resampled resampled(factors);
  const auto count = static_cast<std::uint64_t>(parts.cols());
  for (std::size_t resample = 0; resample < options.resamples; ++resample) {
    const RandomStream stream(seed, purpose::kBootstrap, static_cast<std::uint32_t>(resample));
    Sums sums = Sums::Zero(parts.rows());
    for (std::uint64_t draw = 0; draw < count; ++draw) {
      sums += parts.col(static_cast<Eigen::Index>(uniform_below(stream.word(draw), count)));
    }
    const auto shares = shares_of(sums, options.noise_variance);
    if (!shares) continue;
    for (std::size_t factor = 0; factor < factors; ++factor) {
      resampled.first[factor].add(shares->first[static_cast<Eigen::Index>(factor)]);
      resampled.total[factor].add(shares->total[static_cast<Eigen::Index>(factor)]);
    }
  }
  return resampled;
}

// The bootstrap's variance is that of a mean over n whose own variance was divided by n, not by
// n - 1.
Estimate estimate_of(double value, const Moments& resampled, std::size_t n, double confidence) {
  if (n < 2 || resampled.count() < 2) {
    return Estimate::without_interval(value, n, Shortage::replications);
  }
  const auto count = static_cast<double>(n);
  const double error = resampled.standard_deviation() * std::sqrt(count / (count - 1));
  const double half = student_quantile((1 + confidence) / 2, count - 1) * error;
  return Estimate::with_interval(value, {value - half, value + half}, n);
}

}  // namespace

std::vector<SobolIndices> sobol_indices(std::size_t factors, std::span<const double> figures,
                                        std::uint64_t seed, const SobolOptions& options) {
  PHOTON_CHECK(figures.size() % (factors + 2) == 0, "each point of the design has a figure");
  const std::size_t rows = figures.size() / (factors + 2);
  const std::size_t n = options.designs == 0 ? rows : options.designs;
  if (rows == 0) return {};
  PHOTON_CHECK(rows % n == 0, "designs are of equal size");
  const Eigen::MatrixXd parts = parts_of(factors, figures, n);
  const auto shares = shares_of(parts.rowwise().sum(), options.noise_variance);
  if (!shares) return {};
  const Resampled resampled = bootstrap(parts, factors, seed, options);
  std::vector<SobolIndices> all;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    const auto place = static_cast<Eigen::Index>(factor);
    all.push_back(
        {estimate_of(shares->first[place], resampled.first[factor], n, options.confidence),
         estimate_of(shares->total[place], resampled.total[factor], n, options.confidence)});
  }
  return all;
}

}  // namespace photon::analysis
