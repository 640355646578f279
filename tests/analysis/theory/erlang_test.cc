#include "analysis/theory/erlang.h"

#include <cmath>
#include <limits>

#include "tests/support/catch.h"

namespace photon::analysis::theory {

// Loads at which 1 %, 2 % and 5 % are lost, from the tables that telephone engineers use (for
// instance ITU-D, Teletraffic Engineering Handbook, appendix), to their last digit.
TEST_CASE("Erlang B agrees with the published tables") {
  struct Row {
    std::uint32_t servers;
    double offered_erlangs;
    double blocked;
  };
  constexpr Row kRows[] = {{1, 0.0101, 0.01}, {5, 1.361, 0.01},   {10, 4.461, 0.01},
                           {10, 5.084, 0.02}, {10, 6.216, 0.05},  {20, 12.03, 0.01},
                           {20, 15.25, 0.05}, {100, 84.06, 0.01}, {100, 87.97, 0.02}};
  for (const Row& row : kRows) {
    CAPTURE(row.servers, row.offered_erlangs);
    CHECK(*erlang_b(row.offered_erlangs, row.servers) == Approx(row.blocked).epsilon(3e-3));
  }
}

TEST_CASE("Erlang B equals its definition as a ratio of sums") {
  for (const double offered : {0.1, 1.0, 7.5, 20.0}) {
    double term = 1;
    double sum = 1;
    for (std::uint32_t servers = 1; servers <= 30; ++servers) {
      term *= offered / servers;
      sum += term;
      CAPTURE(offered, servers);
      CHECK(*erlang_b(offered, servers) == Approx(term / sum).epsilon(1e-12));
    }
  }
}

TEST_CASE("Erlang B stays finite for loads and servers whose factorials overflow") {
  const auto blocked = erlang_b(10'000, 10'000);
  REQUIRE(blocked);
  // At a = c the fraction is about sqrt(2 / (pi c)).
  CHECK(*blocked == Approx(std::sqrt(2 / (3.14159265 * 10'000))).epsilon(0.02));
  CHECK(*erlang_b(1e12, 3) == Approx(1));
  CHECK(*erlang_b(0, 3) == 0);
  CHECK(*erlang_b(5, 0) == 1);
}

TEST_CASE("Erlang C agrees with closed forms for few servers") {
  for (const double utilisation : {0.1, 0.5, 0.9, 0.999}) {
    CAPTURE(utilisation);
    CHECK(*erlang_c(utilisation, 1) == Approx(utilisation).epsilon(1e-12));
    const double two = 2 * utilisation * utilisation / (1 + utilisation);
    CHECK(*erlang_c(2 * utilisation, 2) == Approx(two).epsilon(1e-12));
  }
  CHECK(*erlang_c(2, 3) == Approx(4.0 / 9).epsilon(1e-12));  // Gross et al., section 2.3
}

TEST_CASE("Erlang's formulas have no value for an unstable load or one that is no number") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double load : {-1.0, infinity, nan}) {
    CHECK_FALSE(erlang_b(load, 2));
    CHECK_FALSE(erlang_c(load, 2));
  }
  CHECK_FALSE(erlang_c(2, 2));
  CHECK_FALSE(erlang_c(0, 0));
}

}  // namespace photon::analysis::theory
