// A random order: which one is pinned, and all are equally likely.
#include "core_impl/base/shuffle.h"

#include <cstdint>
#include <map>
#include <vector>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon {

TEST_CASE("a shuffle is a function of the caller's words, one for each place but the first") {
  std::vector<int> items{0, 1, 2, 3};
  std::vector<std::uint64_t> asked;
  // The least word chooses the first of those left, the greatest leaves the last where it is.
  shuffle(items, [&](std::uint64_t left) {
    asked.push_back(left);
    return left % 2 == 0 ? std::uint64_t{0} : ~std::uint64_t{0};
  });
  CHECK(asked == std::vector<std::uint64_t>{4, 3, 2});
  CHECK(items == std::vector<int>{1, 3, 2, 0});
  std::vector<int> one{7};
  shuffle(one, [&](std::uint64_t left) {
    asked.push_back(left);
    return std::uint64_t{0};
  });
  CHECK(asked.size() == 3);
  CHECK(one == std::vector<int>{7});
}

TEST_CASE("each of the orders is equally likely") {
  constexpr int kDraws = 24000;
  std::map<std::vector<int>, int> seen;
  for (int draw = 0; draw < kDraws; ++draw) {
    const RandomStream stream(static_cast<std::uint64_t>(draw), Purpose::test, 0);
    std::vector<int> items{0, 1, 2, 3};
    shuffle(items, [&](std::uint64_t left) { return stream.word(left); });
    ++seen[items];
  }
  REQUIRE(seen.size() == 24);
  const double expected = kDraws / 24.0;
  double chi_square = 0;
  for (const auto& [order, count] : seen) {
    chi_square += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi_square < 49.7);  // 23 degrees of freedom, 0.1 %
}

}  // namespace photon
