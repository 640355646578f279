#include "analysis/theory/joint_claims.h"

#include <limits>

#include "analysis/theory/waste.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {

TEST_CASE("G-16 the paper's latency and waste hold together up to a window of 0.30 s") {
  const auto window = window_max_seconds({});
  REQUIRE(window);
  CHECK(*window == Approx(0.30).epsilon(0.01));
  CHECK(7 / *window == Approx(23.4).epsilon(0.003));
  // At this window, both claims hold with equality.
  const double mean = *shipping_mean_for_waste(*window, 0.05);
  const ShippedClick click{.shipping_mean_seconds = mean, .window_seconds = *window};
  CHECK(*latency_quantile_seconds(click, 0.9, Pipelines::two) == Approx(7));
  CHECK(*waste_of_exponential_shipping(*window, mean) == Approx(0.05));
}

TEST_CASE("G-16 what every click takes is taken off the bound") {
  CHECK(*window_max_seconds({.fixed_seconds = 3.5}) == Approx(*window_max_seconds({}) / 2));
  CHECK_FALSE(window_max_seconds({.fixed_seconds = 7}));
}

TEST_CASE("G-16b a ratio of 1.25 in an outage leaves a window of 0.08 s") {
  const auto window = window_max_with_outage_seconds({}, 1.25);
  REQUIRE(window);
  CHECK(*window < 0.08);
  CHECK(*window > 0.07);
  // There, all three claims hold with equality.
  const double mean = *shipping_mean_for_waste(*window, 0.05);
  ShippedClick click{.shipping_mean_seconds = mean, .window_seconds = *window};
  click.fixed_seconds = 7 - *latency_quantile_seconds(click, 0.9, Pipelines::two);
  CHECK((click.fixed_seconds + *window) / mean == Approx(3.46).epsilon(0.003));
  const double healthy = *latency_quantile_seconds(click, 0.9, Pipelines::two);
  const double outage = *latency_quantile_seconds(click, 0.9, Pipelines::one);
  CHECK(healthy == Approx(7));
  CHECK(outage / healthy == Approx(1.25));
}

TEST_CASE("G-16b a window below the bound has a feasible shipping mean, one above has none") {
  for (const double ratio : {1.05, 1.25, 1.6, 1.95, 3.0}) {
    CAPTURE(ratio);
    const double bound = *window_max_with_outage_seconds({}, ratio);
    const auto is_feasible = [&](double window) {
      // The least mean that the waste allows is the best for latency and ratio; c0 fills the bound.
      const double mean = *shipping_mean_for_waste(window, 0.05);
      ShippedClick click{.shipping_mean_seconds = mean, .window_seconds = window};
      click.fixed_seconds = 7 - *latency_quantile_seconds(click, 0.9, Pipelines::two);
      if (click.fixed_seconds < 0) return false;
      return *latency_quantile_seconds(click, 0.9, Pipelines::one) <= 7 * ratio;
    };
    CHECK(is_feasible(bound * 0.999));
    CHECK_FALSE(is_feasible(bound * 1.001));
  }
}

TEST_CASE("G-05 without anything fixed an outage doubles the shipping part") {
  const ShippedClick click{.shipping_mean_seconds = 2};
  CHECK(*latency_quantile_seconds(click, 0.9, Pipelines::one) ==
        Approx(2 * *latency_quantile_seconds(click, 0.9, Pipelines::two)));
}

TEST_CASE("No window exists for impossible claims") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {-1.0, 0.0, 1.0, nan}) {
    CHECK_FALSE(window_max_seconds({.fraction = wrong}));
    CHECK_FALSE(window_max_seconds({.waste_max = wrong}));
    CHECK_FALSE(window_max_with_outage_seconds({.fraction = wrong}, 1.25));
    CHECK_FALSE(window_max_with_outage_seconds({}, wrong));
    CHECK_FALSE(latency_quantile_seconds({}, wrong, Pipelines::two));
  }
  CHECK_FALSE(window_max_seconds({.bound_seconds = nan}));
  CHECK_FALSE(window_max_seconds({.fixed_seconds = -1}));
  CHECK_FALSE(latency_quantile_seconds({.window_seconds = nan}, 0.9, Pipelines::one));
}

}  // namespace photon::analysis::theory
