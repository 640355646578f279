#include "analysis/sensitivity/designs.h"

#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include <boost/random/sobol.hpp>

#include "analysis/sensitivity/purposes.h"
#include "core_impl/base/random.h"

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
  Scrambler(std::uint64_t seed, std::uint32_t factor) {
    const RandomStream stream(seed, purpose::kScrambling, factor);
    for (unsigned row = 0; row < kDigits; ++row) {
      // Digit `row` depends on itself and on those before it, which are the higher bits.
      const std::uint64_t own = std::uint64_t{1} << (63U - row);
      const std::uint64_t before = row == 0 ? 0 : ~std::uint64_t{0} << (64U - row);
      rows_[row] = (stream.word(row) & before) | own;
    }
    shift_ = stream.word(kDigits);
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

}  // namespace

Rows latin_hypercube(std::size_t size, std::size_t factors, std::uint64_t seed) {
  Rows rows(size, std::vector<double>(factors));
  for (std::size_t factor = 0; factor < factors; ++factor) {
    const RandomStream stream(seed, purpose::kLatinHypercube, static_cast<std::uint32_t>(factor));
    std::vector<std::uint64_t> strata(size);
    std::iota(strata.begin(), strata.end(), std::uint64_t{0});
    for (std::size_t left = size; left > 1; --left) {
      std::swap(strata[left - 1], strata[uniform_below(stream.word(left), left)]);
    }
    for (std::size_t row = 0; row < size; ++row) {
      const double inside = unit_of(stream.word(row, 1));
      rows[row][factor] = (static_cast<double>(strata[row]) + inside) / static_cast<double>(size);
    }
  }
  return rows;
}

Rows random_points(std::size_t size, std::size_t factors, std::uint64_t seed) {
  Rows rows(size, std::vector<double>(factors));
  for (std::size_t factor = 0; factor < factors; ++factor) {
    const RandomStream stream(seed, purpose::kRandom, static_cast<std::uint32_t>(factor));
    for (std::size_t row = 0; row < size; ++row) rows[row][factor] = unit_of(stream.word(row));
  }
  return rows;
}

Rows sobol_points(std::size_t size, std::size_t factors, std::uint64_t seed) {
  std::vector<Scrambler> scramblers;
  for (std::size_t factor = 0; factor < factors; ++factor) {
    scramblers.emplace_back(seed, static_cast<std::uint32_t>(factor));
  }
  Rows rows(size, std::vector<double>(factors));
  boost::random::sobol sequence(factors);  // begins after the origin
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t factor = 0; factor < factors; ++factor) {
      const std::uint64_t digits = row == 0 ? 0 : sequence();
      rows[row][factor] = unit_of(scramblers[factor](digits));
    }
  }
  return rows;
}

}  // namespace photon::analysis
