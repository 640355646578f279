#include "analysis/sensitivity/morris.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/sensitivity/purposes.h"
#include "analysis/statistics/moments.h"
#include "analysis/statistics/student.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"

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
    for (std::size_t left = factors; left > 1; --left) {
      std::swap(order[left - 1], order[uniform_below(stream.word(left, 1), left)]);
    }
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

std::vector<ElementaryEffects> elementary_effects(const Rows& rows,
                                                  std::span<const double> figures) {
  PHOTON_CHECK(rows.size() == figures.size(), "each row has a figure");
  const std::size_t factors = rows.empty() ? 0 : rows.front().size();
  std::vector<Moments> magnitudes(factors), effects(factors);
  for (std::size_t row = 1; row < rows.size(); ++row) {
    if (row % (factors + 1) == 0) continue;  // a trajectory begins
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const double way = rows[row][factor] - rows[row - 1][factor];
      if (way == 0) continue;
      const double effect = (figures[row] - figures[row - 1]) / way;
      effects[factor].add(effect);
      magnitudes[factor].add(std::fabs(effect));
    }
  }
  std::vector<ElementaryEffects> all;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    all.push_back({mean_of_replications(magnitudes[factor]), mean_of_replications(effects[factor]),
                   effects[factor].standard_deviation()});
  }
  return all;
}

}  // namespace photon::analysis
