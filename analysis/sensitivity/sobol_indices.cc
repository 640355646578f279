#include "analysis/sensitivity/sobol_indices.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/sensitivity/purposes.h"
#include "analysis/statistics/moments.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"

namespace photon::analysis {
namespace {

// The figures of one design, row by row.
class Design {
 public:
  Design(std::size_t factors, std::span<const double> figures)
      : factors_(factors), figures_(figures) {}

  std::size_t size() const { return figures_.size() / (factors_ + 2); }

  // Of these rows, each as often as it is named: first and total index of each factor. Nothing if
  // they have no variance.
  std::optional<std::vector<std::pair<double, double>>> indices(
      std::span<const std::size_t> rows) const {
    Moments all;
    for (const std::size_t row : rows) {
      all.add(at(row, 0));
      all.add(at(row, 1));
    }
    if (!(all.variance() > 0)) return std::nullopt;
    std::vector<std::pair<double, double>> indices(factors_);
    const double scale = 2 * static_cast<double>(rows.size()) * all.variance();
    for (std::size_t factor = 0; factor < factors_; ++factor) {
      double without = 0, alone = 0;
      for (const std::size_t row : rows) {
        const double mixed = at(row, 2 + factor);
        without += (at(row, 1) - mixed) * (at(row, 1) - mixed);
        alone += (at(row, 0) - mixed) * (at(row, 0) - mixed);
      }
      indices[factor] = {1 - without / scale, alone / scale};
    }
    return indices;
  }

 private:
  double at(std::size_t row, std::size_t place) const {
    return figures_[row * (factors_ + 2) + place];
  }

  std::size_t factors_;
  std::span<const double> figures_;
};

Estimate estimate_of(double value, std::vector<double> resampled, std::uint64_t rows,
                     double confidence) {
  constexpr std::size_t kLeast = 100;  // resamples for a percentile of the tails
  if (resampled.size() < kLeast) {
    return Estimate::without_interval(value, rows, Shortage::replications);
  }
  std::ranges::sort(resampled);
  const auto percentile = [&](double share) {
    const auto last = static_cast<double>(resampled.size() - 1);
    return resampled[static_cast<std::size_t>(std::lround(share * last))];
  };
  const double tail = (1 - confidence) / 2;
  return Estimate::with_interval(value, {percentile(tail), percentile(1 - tail)}, rows);
}

}  // namespace

Rows saltelli_rows(const Rows& halves) {
  Rows rows;
  for (const std::vector<double>& both : halves) {
    const std::size_t factors = both.size() / 2;
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(factors);
    const std::vector<double> first(both.begin(), middle), second(middle, both.end());
    rows.push_back(first);
    rows.push_back(second);
    for (std::size_t factor = 0; factor < factors; ++factor) {
      rows.push_back(first);
      rows.back()[factor] = second[factor];
    }
  }
  return rows;
}

std::vector<SobolIndices> sobol_indices(std::size_t factors, std::span<const double> figures,
                                        std::uint64_t seed, std::size_t resamples,
                                        double confidence) {
  PHOTON_CHECK(figures.size() % (factors + 2) == 0, "each point of the design has a figure");
  const Design design(factors, figures);
  std::vector<std::size_t> rows(design.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = row;
  const auto whole = design.indices(rows);
  if (!whole) return {};
  std::vector<std::vector<double>> first(factors), total(factors);
  for (std::size_t resample = 0; resample < resamples; ++resample) {
    const RandomStream stream(seed, purpose::kBootstrap, static_cast<std::uint32_t>(resample));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows[row] = uniform_below(stream.word(row), rows.size());
    }
    const auto again = design.indices(rows);
    if (!again) continue;
    for (std::size_t factor = 0; factor < factors; ++factor) {
      first[factor].push_back((*again)[factor].first);
      total[factor].push_back((*again)[factor].second);
    }
  }
  std::vector<SobolIndices> all;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    all.push_back(
        {estimate_of((*whole)[factor].first, std::move(first[factor]), design.size(), confidence),
         estimate_of((*whole)[factor].second, std::move(total[factor]), design.size(),
                     confidence)});
  }
  return all;
}

}  // namespace photon::analysis
