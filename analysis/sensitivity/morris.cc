#include "analysis/sensitivity/morris.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "analysis/sensitivity/purposes.h"
#include "analysis/statistics/critical_values.h"
#include "analysis/statistics/moments.h"
#include "analysis/statistics/student.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/shuffle.h"

namespace photon::analysis {

Rows morris_rows(std::size_t trajectories, std::size_t factors, std::size_t levels,
                 std::uint64_t seed) {
  PHOTON_CHECK(levels >= 2 && levels % 2 == 0, "the number of levels is even");
  const std::size_t half = levels / 2;  // a step is this many levels
  const auto value = [&](std::size_t level) {
    return static_cast<double>(level) / static_cast<double>(levels - 1);
  };
  Rows rows;
  for (std::size_t trajectory = 0; trajectory < trajectories; ++trajectory) {
    const RandomStream stream(seed, purpose::kMorris, static_cast<std::uint32_t>(trajectory));
    std::vector<std::size_t> at(factors), order(factors);
    for (std::size_t factor = 0; factor < factors; ++factor) {
      at[factor] = uniform_below(stream.word(factor), levels);
    }
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order, [&](std::uint64_t left) { return stream.word(left, 1); });
    const auto add = [&] {
      std::vector<double>& row = rows.emplace_back();
      for (const std::size_t level : at) row.push_back(value(level));
    };
    add();
    for (const std::size_t factor : order) {
      at[factor] = at[factor] < half ? at[factor] + half : at[factor] - half;
      add();
    }
  }
  return rows;
}

namespace {

// The effects of each factor, one for each trajectory.
std::vector<std::vector<double>> effects_of(const Rows& rows, std::span<const double> figures) {
  const std::size_t factors = rows.empty() ? 0 : rows.front().size();
  std::vector<std::vector<double>> effects(factors);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    if (row % (factors + 1) == 0) continue;  // a trajectory begins
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const double way = rows[row][factor] - rows[row - 1][factor];
      if (way == 0) continue;
      effects[factor].push_back((figures[row] - figures[row - 1]) / way);
    }
  }
  return effects;
}

Estimate magnitude_of(const std::vector<double>& effects, std::uint64_t seed,
                      const MorrisOptions& options) {
  Moments magnitudes;
  for (const double effect : effects) magnitudes.add(std::fabs(effect));
  const std::size_t n = effects.size();
  if (n < 2) return Estimate::without_interval(magnitudes.mean(), n, Shortage::replications);
  std::vector<double> means(options.resamples);
  for (std::size_t resample = 0; resample < options.resamples; ++resample) {
    // One stream for all factors: a resample is of whole trajectories, if each has an effect of
    // every factor.
    const RandomStream stream(seed, purpose::kBootstrap, static_cast<std::uint32_t>(resample));
    double sum = 0;
    for (std::size_t draw = 0; draw < n; ++draw) {
      sum += std::fabs(effects[uniform_below(stream.word(draw), n)]);
    }
    means[resample] = sum / static_cast<double>(n);
  }
  std::ranges::sort(means);
  const auto percentile = [&](double share) {
    const double place = share * static_cast<double>(means.size() - 1);
    return means[static_cast<std::size_t>(std::lround(place))];
  };
  // Hesterberg's expanded percentiles: as far out as Student's quantile is.
  const auto count = static_cast<double>(n);
  const double far =
      std::sqrt(count / (count - 1)) * student_quantile((1 + options.confidence) / 2, count - 1);
  const double tail = std::erfc(far / std::numbers::sqrt2) / 2;
  return Estimate::with_interval(magnitudes.mean(), {percentile(tail), percentile(1 - tail)}, n);
}

}  // namespace

std::vector<ElementaryEffects> elementary_effects(const Rows& rows, std::span<const double> figures,
                                                  std::uint64_t seed,
                                                  const MorrisOptions& options) {
  PHOTON_CHECK(rows.size() == figures.size(), "each row has a figure");
  PHOTON_CHECK(options.resamples > 0, "percentiles are of resamples");
  std::vector<ElementaryEffects> all;
  for (const std::vector<double>& effects : effects_of(rows, figures)) {
    Moments moments;
    for (const double effect : effects) moments.add(effect);
    all.push_back({magnitude_of(effects, seed, options), mean_of_replications(moments),
                   moments.standard_deviation()});
  }
  return all;
}

}  // namespace photon::analysis
