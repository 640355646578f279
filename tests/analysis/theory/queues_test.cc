#include "analysis/theory/queues.h"

#include <limits>

#include "analysis/theory/erlang.h"
#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

constexpr double kUtilisations[] = {0.01, 0.3, 0.7, 0.95, 0.9999};

QueueLoad load_of(double offered_erlangs, double service_mean_seconds) {
  return {.arrivals_per_second = offered_erlangs / service_mean_seconds,
          .service_mean_seconds = service_mean_seconds};
}

void check_equal(const QueueMeans& left, const QueueMeans& right) {
  CHECK(left.utilisation == Approx(right.utilisation).epsilon(1e-9));
  CHECK(left.wait_seconds == Approx(right.wait_seconds).epsilon(1e-9));
  CHECK(left.sojourn_seconds == Approx(right.sojourn_seconds).epsilon(1e-9));
  CHECK(left.queue == Approx(right.queue).epsilon(1e-9));
}

}  // namespace

TEST_CASE("M/M/1 has the means of the textbook") {
  const auto means = mm1_means({.arrivals_per_second = 8, .service_mean_seconds = 0.1});
  REQUIRE(means);
  CHECK(means->utilisation == Approx(0.8));
  CHECK(means->wait_seconds == Approx(0.4));
  CHECK(means->sojourn_seconds == Approx(0.5));
  CHECK(means->queue == Approx(3.2));
}

TEST_CASE("M/M/c has the means of Gross et al., section 2.3: an eye clinic with three doctors") {
  const auto means =
      mmc_means({.arrivals_per_second = 6.0 / 3600, .service_mean_seconds = 1200}, 3);
  REQUIRE(means);
  CHECK(means->queue == Approx(8.0 / 9));
  CHECK(means->wait_seconds == Approx(3600 * 4.0 / 27));
}

TEST_CASE("M/M/c/K has the means of Gross et al., section 2.5: car inspection") {
  const auto means =
      mmck_means({.arrivals_per_second = 1.0 / 60, .service_mean_seconds = 360}, 3, 7);
  REQUIRE(means);
  CHECK(means->admitted.queue == Approx(3.09).epsilon(0.002));
  CHECK(means->admitted.sojourn_seconds / 60 == Approx(12.3).epsilon(0.005));
  // Cars an hour; the book says 30.4, because it rounds p(0) = 1 / 1141 first.
  CHECK(60 * means->refused_fraction == Approx(60.0 * 576 / 1141));
}

TEST_CASE("M/M/c with one server is M/M/1, and M/G/1 with exponential service too") {
  for (const double utilisation : kUtilisations) {
    CAPTURE(utilisation);
    const QueueLoad load = load_of(utilisation, 0.02);
    const auto single = mm1_means(load);
    REQUIRE(single);
    check_equal(*mmc_means(load, 1), *single);
    check_equal(*mg1_means(load, 1), *single);
    CHECK(md1_means(load)->wait_seconds == Approx(single->wait_seconds / 2));
  }
}

TEST_CASE("M/M/c/K becomes M/M/c with many places, and Erlang's loss system without a queue") {
  for (const std::uint32_t servers : {1U, 4U, 30U}) {
    for (const double utilisation : {0.01, 0.3, 0.7, 0.95}) {
      CAPTURE(servers, utilisation);
      const QueueLoad load = load_of(utilisation * servers, 3);
      const auto roomy = mmck_means(load, servers, servers + 2000);
      REQUIRE(roomy);
      check_equal(roomy->admitted, *mmc_means(load, servers));
      const auto loss = mmck_means(load, servers, servers);
      REQUIRE(loss);
      CHECK(loss->refused_fraction ==
            Approx(*erlang_b(load.offered_erlangs(), servers)).epsilon(1e-9));
      CHECK(loss->admitted.wait_seconds == 0);
    }
  }
}

TEST_CASE("M/M/c/K under overload serves at the rate of its servers, and refuses the rest") {
  const auto means = mmck_means(load_of(2e9, 0.5), 2, 100'000);
  REQUIRE(means);
  CHECK(means->served_per_second == Approx(4));
  CHECK(means->refused_fraction == Approx(1));
  CHECK(means->admitted.queue == Approx(99'998).epsilon(1e-6));
  CHECK(means->admitted.utilisation == Approx(1));
  const auto even = mmck_means(load_of(1, 0.5), 1, 4);  // rho = 1: all five states alike
  REQUIRE(even);
  CHECK(even->refused_fraction == Approx(0.2));
  CHECK(even->admitted.queue == Approx(6.0 / 5));
}

TEST_CASE("Served and refused make up what arrives in M/M/c/K") {
  for (const double utilisation : {0.1, 0.9, 1.0, 3.0}) {
    CAPTURE(utilisation);
    const QueueLoad load = load_of(utilisation * 5, 0.25);
    const auto means = mmck_means(load, 5, 17);
    REQUIRE(means);
    const double refused = means->refused_fraction * load.arrivals_per_second;
    CHECK(means->served_per_second + refused == Approx(load.arrivals_per_second).epsilon(1e-12));
  }
}

TEST_CASE("An idle queue has no wait") {
  const QueueLoad idle{.arrivals_per_second = 0, .service_mean_seconds = 2};
  for (const auto& means : {mm1_means(idle), md1_means(idle), mmc_means(idle, 3)}) {
    REQUIRE(means);
    CHECK(means->wait_seconds == 0);
    CHECK(means->sojourn_seconds == 2);
    CHECK(means->queue == 0);
  }
  const auto finite = mmck_means(idle, 2, 5);
  REQUIRE(finite);
  CHECK(finite->refused_fraction == 0);
  CHECK(finite->admitted.wait_seconds == 0);
}

TEST_CASE("A queue without a steady state has no means, nor one with impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const QueueLoad load :
       {load_of(1, 0.1), load_of(1.2, 0.1), QueueLoad{nan, 1}, QueueLoad{1, nan}, QueueLoad{-1, 1},
        QueueLoad{1, 0}, QueueLoad{infinity, 1}, QueueLoad{1e300, 1e300}}) {
    CHECK_FALSE(mm1_means(load));
    CHECK_FALSE(md1_means(load));
    CHECK_FALSE(mg1_means(load, 2));
    CHECK_FALSE(mmc_means(load, 1));
  }
  CHECK_FALSE(mg1_means(load_of(0.5, 1), -1));
  CHECK_FALSE(mg1_means(load_of(0.5, 1), nan));
  CHECK_FALSE(mmc_means(load_of(0, 1), 0));
  CHECK_FALSE(mmck_means(load_of(0.5, 1), 0, 3));
  CHECK_FALSE(mmck_means(load_of(0.5, 1), 4, 3));
  CHECK_FALSE(mmck_means(QueueLoad{nan, 1}, 1, 3));
}

}  // namespace photon::analysis::theory
