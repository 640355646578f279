#include "analysis/optimisation/box_maximum.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

Box unit_box(std::size_t variables) {
  return {std::vector<double>(variables, 0), std::vector<double>(variables, 1)};
}

}  // namespace

TEST_CASE("the maximum of a smooth hill is found, inside the box and at its edge") {
  for (std::size_t variables = 1; variables <= 6; ++variables) {
    const auto hill = [](std::span<const double> at) {
      double value = 7;
      for (std::size_t i = 0; i < at.size(); ++i) {
        value -= std::pow(at[i] - (i % 2 == 0 ? 0.3 : 1.5), 2);  // every other beyond the box
      }
      return value;
    };
    const BoxMaximum found =
        maximum_in(unit_box(variables), std::vector<double>(variables, 0.8), hill, 500);
    for (std::size_t i = 0; i < variables; ++i) {
      CHECK(found.at[i] == Approx(i % 2 == 0 ? 0.3 : 1).margin(1e-3));
    }
    CHECK(found.value == hill(found.at));
  }
}

TEST_CASE("a search keeps to its box and about to its evaluations") {
  std::size_t calls = 0;
  bool inside = true;
  const auto function = [&](std::span<const double> at) {
    ++calls;
    for (const double each : at) inside = inside && 0 <= each && each <= 1;
    return std::sin(40 * at[0]) * std::sin(40 * at[1]);
  };
  maximum_in(unit_box(2), {0.01, 0.99}, function, 60);
  CHECK(inside);
  CHECK(calls <= 62);
  CHECK(calls > 10);
}

TEST_CASE("values that are not finite are avoided, and the start is never lost") {
  const auto half = [](std::span<const double> at) {
    if (at[0] > 0.5) return std::numeric_limits<double>::quiet_NaN();
    return -std::pow(at[0] - 0.3, 2) - std::pow(at[1] - 0.6, 2);
  };
  const BoxMaximum found = maximum_in(unit_box(2), {0.45, 0.1}, half, 300);
  CHECK(found.value > -0.01);
  CHECK(found.at[0] <= 0.5);
  const auto nowhere_else = [](std::span<const double> at) {
    return at[0] == 0.25 ? 1.0 : std::numeric_limits<double>::infinity();
  };
  CHECK(maximum_in(unit_box(2), {0.25, 0.1}, nowhere_else, 50).value == 1);
  const auto flat = [](std::span<const double>) { return 2.0; };
  CHECK(maximum_in(unit_box(3), {0.5, 0.5, 0.5}, flat, 50).value == 2);
}

TEST_CASE("equal searches have equal ends") {
  const auto function = [](std::span<const double> at) {
    return std::cos(9 * at[0]) + std::sin(7 * at[1] * at[2]);
  };
  const BoxMaximum one = maximum_in(unit_box(3), {0.2, 0.7, 0.4}, function, 200);
  const BoxMaximum other = maximum_in(unit_box(3), {0.2, 0.7, 0.4}, function, 200);
  CHECK(one.at == other.at);
}

}  // namespace photon::analysis
