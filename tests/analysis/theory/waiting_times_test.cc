#include "analysis/theory/waiting_times.h"

#include <cmath>
#include <limits>

#include "analysis/theory/deterministic_wait.h"
#include "tests/analysis/theory/simulated_queue.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

QueueLoad unit_load(double offered_erlangs) {
  return {.arrivals_per_second = offered_erlangs, .service_mean_seconds = 1};
}

// The mean of a distribution from its quantiles: the midpoint rule, with the tail cut.
template <typename Quantile>
double mean_from_quantiles(Quantile quantile) {
  constexpr int kSteps = 20'000;
  double sum = 0;
  for (int step = 0; step < kSteps; ++step) sum += *quantile((step + 0.5) / kSteps);
  return sum / kSteps;
}

// Erlang 1909: an alternating sum, exact as long as its terms are small.
double erlang_md1_tail(double utilisation, double services) {
  double within = 0;
  double factorial = 1;
  for (int j = 0; j <= static_cast<int>(services); ++j) {
    if (j > 0) factorial *= j;
    const double x = utilisation * (j - services);
    within += std::pow(x, j) / factorial * std::exp(-x);
  }
  return 1 - (1 - utilisation) * within;
}

// Waits of M/M/c/K's admitted customers with mean service 1, by events in order of time.
std::vector<double> simulate_mmck(double offered, std::uint32_t servers, std::size_t places) {
  Exponentials arrivals(5, 0);
  Exponentials services(5, 1);
  std::vector<double> free_at(servers, 0.0);
  std::vector<double> ends;  // of the customers in the system
  std::vector<double> waits;
  double now = 0;
  for (int customer = 0; customer < 400'000; ++customer) {
    now += arrivals.next() / offered;
    std::erase_if(ends, [&](double end) { return end <= now; });
    if (ends.size() == places) continue;
    const auto first = std::ranges::min_element(free_at);
    const double start = std::max(now, *first);
    *first = start + services.next();
    ends.push_back(*first);
    waits.push_back(start - now);
  }
  return waits;
}

}  // namespace

TEST_CASE("The quantiles of M/M/1 are those of an exponential sojourn") {
  const QueueLoad load{.arrivals_per_second = 8, .service_mean_seconds = 0.1};
  CHECK(*mm1_sojourn_quantile_seconds(load, 0.99) == Approx(0.5 * std::log(100)));
  CHECK(*mm1_wait_quantile_seconds(load, 0.99) == Approx(0.5 * std::log(80)));
  CHECK(*mm1_wait_quantile_seconds(load, 0.2) == 0);
  CHECK(*mm1_wait_quantile_seconds(load, 0.1) == 0);
  CHECK(*mmc_sojourn_quantile_seconds(load, 1, 0.99) == Approx(0.5 * std::log(100)));
}

TEST_CASE("The quantiles of M/M/c agree with its means") {
  // Also a system whose queue drains slower than a service, as fast, and faster.
  for (const double offered : {0.5, 2.0, 2.9}) {
    CAPTURE(offered);
    const QueueLoad load = unit_load(offered);
    const double wait = mean_from_quantiles(
        [&](double fraction) { return mmc_wait_quantile_seconds(load, 3, fraction); });
    CHECK(wait == Approx(mmc_means(load, 3)->wait_seconds).epsilon(0.002));
    const double sojourn = mean_from_quantiles(
        [&](double fraction) { return mmc_sojourn_quantile_seconds(load, 3, fraction); });
    CHECK(sojourn == Approx(mmc_means(load, 3)->sojourn_seconds).epsilon(0.002));
  }
}

TEST_CASE("The quantiles of M/M/c/K agree with its mean, with M/M/c and with a simulation") {
  const QueueLoad load = unit_load(2.4);
  for (const double fraction : {0.5, 0.9, 0.999}) {
    CHECK(*mmck_wait_quantile_seconds(load, 3, 1000, fraction) ==
          Approx(*mmc_wait_quantile_seconds(load, 3, fraction)).epsilon(1e-9));
  }
  CHECK(*mmck_wait_quantile_seconds(load, 3, 3, 0.99) == 0);
  const double mean = mean_from_quantiles(
      [&](double fraction) { return mmck_wait_quantile_seconds(load, 3, 8, fraction); });
  CHECK(mean == Approx(mmck_means(load, 3, 8)->admitted.wait_seconds).epsilon(0.002));
  const std::vector<double> waits = simulate_mmck(2.4, 3, 8);
  CHECK(mean_of(waits) == Approx(mmck_means(load, 3, 8)->admitted.wait_seconds).epsilon(0.02));
  for (const double fraction : {0.6, 0.9, 0.99}) {
    CAPTURE(fraction);
    CHECK(quantile_in(waits, fraction) ==
          Approx(*mmck_wait_quantile_seconds(load, 3, 8, fraction)).epsilon(0.02));
  }
}

TEST_CASE("The quantile of M/M/c/K exists under every overload") {
  const auto wait = mmck_wait_quantile_seconds(unit_load(1e18), 2, 102, 0.5);
  REQUIRE(wait);
  CHECK(*wait == Approx(50).epsilon(0.01));  // 100 departures at 2 per second, less their skew
}

TEST_CASE("The wait in M/D/1 agrees with Erlang's formula where that one is exact") {
  for (const double utilisation : {0.05, 0.5, 0.9}) {
    const DeterministicWait wait(utilisation);
    for (const double services : {0.0, 0.3, 1.0, 1.7, 2.5, 4.0, 5.9}) {
      CAPTURE(utilisation, services);
      CHECK(wait.tail(services) ==
            Approx(erlang_md1_tail(utilisation, services)).epsilon(1e-9).margin(1e-12));
    }
  }
}

TEST_CASE("The wait in M/D/1 has the mean of Pollaczek and Khinchine") {
  for (const double utilisation : {0.1, 0.5, 0.9, 0.99, 0.9999}) {
    CAPTURE(utilisation);
    const DeterministicWait wait(utilisation);
    const double mean = md1_means(unit_load(utilisation))->wait_seconds;
    // Simpson's rule between the points where the tail bends, and 60 means far.
    double sum = 0;
    const auto end = static_cast<std::size_t>(60 * mean + 60);
    const std::size_t stride = end / 200'000 + 1;
    for (std::size_t at = 0; at < end; at += stride) {
      const auto x = static_cast<double>(at);
      const auto step = static_cast<double>(stride);
      for (const double half : {0.0, 0.5}) {
        const double a = x + half * step;
        sum += step / 12 * (wait.tail(a) + 4 * wait.tail(a + step / 4) + wait.tail(a + step / 2));
      }
    }
    CHECK(sum == Approx(mean).epsilon(2e-4));
  }
}

TEST_CASE("The tail of M/D/1's wait falls without a step where its two formulas meet") {
  for (const double utilisation : {0.5, 0.8, 0.99}) {
    CAPTURE(utilisation);
    const DeterministicWait wait(utilisation);
    const double ratio = wait.tail(39.5) / wait.tail(38.5);
    CHECK(wait.tail(40.0) / wait.tail(39.0) == Approx(ratio).epsilon(1e-9));
    CHECK(wait.tail(40.5) / wait.tail(39.5) == Approx(ratio).epsilon(1e-9));
    CHECK(wait.tail(41.5) / wait.tail(40.5) == Approx(ratio).epsilon(1e-9));
  }
}

TEST_CASE("The quantiles of M/D/1 agree with a simulation") {
  constexpr double kUtilisation = 0.8;
  Exponentials gaps(6, 0);
  std::vector<double> waits;
  double wait = 0;
  for (int customer = 0; customer < 1'000'000; ++customer) {
    waits.push_back(wait);
    wait = std::max(0.0, wait + 1 - gaps.next() / kUtilisation);  // Lindley's recursion
  }
  const QueueLoad load = unit_load(kUtilisation);
  for (const double fraction : {0.3, 0.5, 0.9, 0.99}) {
    CAPTURE(fraction);
    CHECK(quantile_in(waits, fraction) ==
          Approx(*md1_wait_quantile_seconds(load, fraction)).epsilon(0.02));
  }
  CHECK(*md1_wait_quantile_seconds(load, 0.2) == Approx(0).margin(1e-12));
  CHECK(*md1_sojourn_quantile_seconds(load, 0.9) ==
        Approx(*md1_wait_quantile_seconds(load, 0.9) + 1));
}

TEST_CASE("No quantile exists without a steady state, nor of a fraction outside [0, 1)") {
  for (const double fraction : {-0.1, 1.0, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    const QueueLoad load = unit_load(0.5);
    CHECK_FALSE(mm1_wait_quantile_seconds(load, fraction));
    CHECK_FALSE(mm1_sojourn_quantile_seconds(load, fraction));
    CHECK_FALSE(mmc_wait_quantile_seconds(load, 2, fraction));
    CHECK_FALSE(mmc_sojourn_quantile_seconds(load, 2, fraction));
    CHECK_FALSE(mmck_wait_quantile_seconds(load, 2, 4, fraction));
    CHECK_FALSE(mmck_wait_quantile_seconds(load, 2, 2, fraction));
    CHECK_FALSE(md1_wait_quantile_seconds(load, fraction));
    CHECK_FALSE(md1_sojourn_quantile_seconds(load, fraction));
  }
  CHECK_FALSE(mm1_sojourn_quantile_seconds(unit_load(1), 0.5));
  CHECK_FALSE(mmc_wait_quantile_seconds(unit_load(2), 2, 0.5));
  CHECK_FALSE(mmc_sojourn_quantile_seconds(unit_load(2), 2, 0.5));
  CHECK_FALSE(md1_wait_quantile_seconds(unit_load(1), 0.5));
  CHECK(*md1_wait_quantile_seconds(unit_load(0), 0.9999) == 0);
}

}  // namespace photon::analysis::theory
