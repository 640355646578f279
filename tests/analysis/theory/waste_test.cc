#include "analysis/theory/waste.h"

#include <cmath>
#include <limits>

#include "tests/analysis/theory/simulated_queue.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

constexpr int kDraws = 400'000;

// The fraction of draws in which the copies of a click arrive less than a window apart.
template <typename Difference>
double simulate_waste(double window, Difference difference) {
  int wasted = 0;
  for (int draw = 0; draw < kDraws; ++draw) wasted += std::abs(difference()) < window ? 1 : 0;
  return static_cast<double>(wasted) / kDraws;
}

}  // namespace

TEST_CASE("G-15 exponential shipping of mean 3 s and a window of 0.15 s waste 4.9 %") {
  CHECK(*waste_of_exponential_shipping(0.15, 3) == Approx(0.0488).epsilon(0.001));
  CHECK(*waste_of_exponential_shipping(0, 3) == 0);
  CHECK(*waste_of_exponential_shipping(1e9, 3) == Approx(1));
}

TEST_CASE("G-15 the waste of a scan phase is that of two uniform phases") {
  Exponentials source(9, 0);
  const auto uniform = [&] { return std::exp(-source.next()); };
  for (const double window : {0.1, 0.5, 1.8, 2.5}) {
    CAPTURE(window);
    const double drawn = simulate_waste(window, [&] { return 2 * (uniform() - uniform()); });
    CHECK(*waste_of_scan_phase(window, 2) == Approx(drawn).margin(0.003));
  }
  CHECK(*waste_of_scan_phase(0.5, 2) == Approx(1 - 0.75 * 0.75));
  CHECK(*waste_of_scan_phase(3, 2) == 1);
}

TEST_CASE("G-15 the waste of scans with jitter is that of two waits for pauses of many lengths") {
  Exponentials source(9, 2);
  const auto uniform = [&] { return std::exp(-source.next()); };
  for (const double jitter : {0.0, 0.3, 0.9}) {
    CAPTURE(jitter);
    // The pause that a click falls into: a long one is as much likelier as it is longer.
    const auto wait = [&] {
      while (true) {
        const double pause = 2 * (1 + jitter * (2 * uniform() - 1));
        if (uniform() * 2 * (1 + jitter) < pause) return pause * uniform();
      }
    };
    const double drawn = simulate_waste(0.05, [&] { return wait() - wait(); });
    CHECK(*waste_of_jittered_scan(0.05, 2, jitter) == Approx(drawn).margin(0.0015));
  }
  CHECK(*waste_of_jittered_scan(0.5, 2, 0) == *waste_of_scan_phase(0.5, 2));
  CHECK(*waste_of_jittered_scan(0.5, 2, 0.6) == Approx((1 - 0.75 * 0.75) * 0.8));
  CHECK_FALSE(waste_of_jittered_scan(0.5, 2, 1));
  CHECK_FALSE(waste_of_jittered_scan(0.5, 2, -0.1));
  CHECK_FALSE(waste_of_jittered_scan(0.5, 0, 0.1));
}

TEST_CASE("G-16b a gap of 1 s with noise of 0.2 s and a window of 0.25 s waste 1.1 %") {
  CHECK(*waste_of_near_far_shipping(0.25, 1, 0.2) == Approx(0.011).margin(0.0005));
  Exponentials noise(9, 1);
  for (const double window : {0.05, 0.25, 0.5, 1.0}) {
    for (const double gap : {0.0, 0.3, 1.0}) {
      CAPTURE(window, gap);
      const double drawn =
          simulate_waste(window, [&] { return gap + 0.2 * noise.next() - 0.2 * noise.next(); });
      CHECK(*waste_of_near_far_shipping(window, gap, 0.2) == Approx(drawn).margin(0.003));
    }
  }
}

TEST_CASE("G-15 near and far shipping without a gap is exponential shipping") {
  for (const double window : {0.0, 0.1, 1.0, 20.0}) {
    CAPTURE(window);
    CHECK(*waste_of_near_far_shipping(window, 0, 2) ==
          Approx(*waste_of_exponential_shipping(window, 2)).margin(1e-15));
  }
  CHECK(*waste_of_near_far_shipping(1e6, 1e6 + 1, 0.1) == Approx(std::exp(-10) / 2));
}

TEST_CASE("G-16 a waste of 5 % needs a shipping mean of 19.5 windows") {
  const auto mean = shipping_mean_for_waste(0.2, 0.05);
  REQUIRE(mean);
  CHECK(*mean / 0.2 == Approx(19.5).epsilon(0.001));
  CHECK(*waste_of_exponential_shipping(0.2, *mean) == Approx(0.05));
}

TEST_CASE("G-09 a window shorter by 0.1 s gives a share of 52.4 %") {
  CHECK(*share_of_first_pipeline(0.1, 2) == Approx(0.524).epsilon(0.001));
  CHECK(*share_of_first_pipeline(0, 2) == 0.5);
  CHECK(*share_of_first_pipeline(-0.1, 2) == Approx(1 - *share_of_first_pipeline(0.1, 2)));
  Exponentials shipping(9, 2);
  int first = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    first += 2 * shipping.next() - 1 < 2 * shipping.next() ? 1 : 0;
  }
  CHECK(*share_of_first_pipeline(1, 2) == Approx(first / double{kDraws}).margin(0.003));
}

TEST_CASE("No waste exists for impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double wrong : {-1.0, nan, infinity}) {
    CHECK_FALSE(waste_of_exponential_shipping(wrong, 1));
    CHECK_FALSE(waste_of_exponential_shipping(1, wrong));
    CHECK_FALSE(waste_of_scan_phase(wrong, 1));
    CHECK_FALSE(waste_of_scan_phase(1, wrong));
    CHECK_FALSE(waste_of_near_far_shipping(wrong, 1, 1));
    CHECK_FALSE(waste_of_near_far_shipping(1, wrong, 1));
    CHECK_FALSE(waste_of_near_far_shipping(1, 1, wrong));
    CHECK_FALSE(shipping_mean_for_waste(wrong, 0.1));
    CHECK_FALSE(shipping_mean_for_waste(1, wrong));
    CHECK_FALSE(share_of_first_pipeline(1, wrong));
  }
  CHECK_FALSE(share_of_first_pipeline(nan, 1));
  CHECK_FALSE(waste_of_exponential_shipping(1, 0));
  CHECK_FALSE(waste_of_scan_phase(1, 0));
  CHECK_FALSE(waste_of_near_far_shipping(1, 1, 0));
  CHECK_FALSE(shipping_mean_for_waste(1, 1));
}

}  // namespace photon::analysis::theory
