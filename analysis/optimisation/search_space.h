// Where a search looks: the unit cube, some of whose factors stand for a few values only.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace photon::analysis {

// By factor, in [0, 1).
using SearchPoint = std::vector<double>;

class SearchSpace {
 public:
  // By factor: how many values it has, or 0 for a real one. The values of a factor have equal
  // shares of [0, 1), in ascending order.
  explicit SearchSpace(std::vector<std::size_t> values) : values_(std::move(values)) {}
  static SearchSpace of_reals(std::size_t factors) {
    return SearchSpace(std::vector<std::size_t>(factors, 0));
  }

  std::size_t factors() const { return values_.size(); }
  bool is_real(std::size_t factor) const { return values_[factor] == 0; }
  std::size_t values(std::size_t factor) const { return values_[factor]; }

  // The value of a factor that is not real: below values(factor).
  std::size_t value_at(std::size_t factor, double coordinate) const;
  // The middle of that value's share.
  double middle_of(std::size_t factor, std::size_t value) const;

  // The same parameters in one spelling: real coordinates are rounded to multiples of kGrain, the
  // others to the middle of their shares. Coordinates outside of the cube are moved into it.
  SearchPoint rounded(SearchPoint point) const;

  // Rounding errors of another compiler hardly ever reach a point that is rounded to this.
  static constexpr double kGrain = 0x1p-16;

 private:
  std::vector<std::size_t> values_;
};

}  // namespace photon::analysis
