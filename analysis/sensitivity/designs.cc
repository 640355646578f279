#include "analysis/sensitivity/designs.h"

#include <array>
#include <bit>
#include <numeric>

#include <boost/random/sobol.hpp>

#include "analysis/sensitivity/purposes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"
#include "core_impl/base/shuffle.h"

namespace photon::analysis {
namespace {

constexpr int kDigits = 53;  // of a double in [0, 1)
constexpr double kUnit = 0x1p-53;

// Of 64 binary digits the first kDigits, as a number in [0, 1).
double unit_of(std::uint64_t digits) {
  return static_cast<double>(digits >> (64U - kDigits)) * kUnit;
}

// One factor's random lower triangular matrix with ones on its diagonal, and its shift.
class Scrambler {
 public:
  // Scrambles of one seed are independent of each other, by factor and by design.
  Scrambler(std::uint64_t seed, std::uint32_t factor, std::uint32_t design) {
    const RandomStream stream(seed, purpose::kScrambling, factor);
    for (unsigned row = 0; row < kDigits; ++row) {
      // Digit `row` depends on itself and on those before it, which are the higher bits.
      const std::uint64_t own = std::uint64_t{1} << (63U - row);
      const std::uint64_t before = row == 0 ? 0 : ~std::uint64_t{0} << (64U - row);
      rows_[row] = (stream.word(row, design) & before) | own;
    }
    shift_ = stream.word(kDigits, design);
  }

  std::uint64_t operator()(std::uint64_t digits) const {
    std::uint64_t scrambled = 0;
    for (const std::uint64_t row : rows_) {
      scrambled = (scrambled << 1U) | (static_cast<unsigned>(std::popcount(row & digits)) & 1U);
    }
    return (scrambled << (64U - kDigits)) ^ shift_;
  }

 private:
  std::array<std::uint64_t, kDigits> rows_{};
  std::uint64_t shift_ = 0;
};

void add_sobol_points(Rows& rows, std::size_t size, std::size_t factors, std::uint64_t seed,
                      std::uint32_t design) {
  PHOTON_CHECK(0 < factors && factors <= kMostSobolFactors, "direction numbers for each factor");
  std::vector<Scrambler> scramblers;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    scramblers.emplace_back(seed, static_cast<std::uint32_t>(factor), design);
  }
  boost::random::sobol sequence(factors);  // begins after the origin
  for (std::size_t point = 0; point < size; ++point) {
    std::vector<double>& row = rows.emplace_back(factors);
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const std::uint64_t digits = point == 0 ? 0 : sequence();
      row[factor] = unit_of(scramblers[factor](digits));
    }
  }
}

}  // namespace

Rows latin_hypercube(std::size_t size, std::size_t factors, std::uint64_t seed) {
  PHOTON_CHECK(size <= kMostHypercubePoints, "the places in a stratum are exact numbers");
  Rows rows(size, std::vector<double>(factors));
  for (std::size_t factor = 0; factor < factors; ++factor) {
    const RandomStream stream(seed, purpose::kLatinHypercube, static_cast<std::uint32_t>(factor));
    std::vector<std::uint64_t> strata(size);
    std::iota(strata.begin(), strata.end(), std::uint64_t{0});
    shuffle(strata, [&](std::uint64_t left) { return stream.word(left); });
    for (std::size_t row = 0; row < size; ++row) {
      // The middle of one of 2^31 parts of the stratum: no rounding moves it to a neighbour.
      const std::uint64_t place = (stream.word(row, 1) >> 32U) | 1U;
      const std::uint64_t exact = (strata[row] << 32U) | place;
      rows[row][factor] = static_cast<double>(exact) / (static_cast<double>(size) * 0x1p32);
    }
  }
  return rows;
}

Rows random_points(std::size_t size, std::size_t factors, std::uint64_t seed) {
  Rows rows(size, std::vector<double>(factors));
  for (std::size_t factor = 0; factor < factors; ++factor) {
    const RandomStream stream(seed, purpose::kRandomPoints, static_cast<std::uint32_t>(factor));
    for (std::size_t row = 0; row < size; ++row) rows[row][factor] = unit_of(stream.word(row));
  }
  return rows;
}

Rows sobol_points(std::size_t size, std::size_t factors, std::uint64_t seed) {
  Rows rows;
  add_sobol_points(rows, size, factors, seed, 0);
  return rows;
}

Rows independent_sobol_points(std::size_t count, std::size_t size, std::size_t factors,
                              std::uint64_t seed) {
  Rows rows;
  for (std::size_t design = 0; design < count; ++design) {
    add_sobol_points(rows, size, factors, seed, static_cast<std::uint32_t>(design));
  }
  return rows;
}

}  // namespace photon::analysis
