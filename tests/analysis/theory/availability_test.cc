#include "analysis/theory/availability.h"

#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "tests/support/catch.h"

namespace photon::analysis::theory {
namespace {

constexpr double kHour = 3600;

ReplicaGroup group_of(std::uint32_t replicas, std::uint32_t repairers) {
  return {.replicas = replicas,
          .mean_time_to_failure_seconds = 50 * kHour,
          .mean_time_to_repair_seconds = 2 * kHour,
          .repairers = repairers};
}

// The generator of the chain: row = from, column = to, failed replicas.
Eigen::MatrixXd generator_of(const ReplicaGroup& group) {
  const auto replicas = static_cast<Eigen::Index>(group.replicas);
  Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(replicas + 1, replicas + 1);
  for (Eigen::Index failed = 0; failed <= replicas; ++failed) {
    const auto repairing = std::min<Eigen::Index>(failed, group.repairers);
    if (failed < replicas) {
      rates(failed, failed + 1) =
          static_cast<double>(replicas - failed) / group.mean_time_to_failure_seconds;
    }
    if (failed > 0) {
      rates(failed, failed - 1) =
          static_cast<double>(repairing) / group.mean_time_to_repair_seconds;
    }
    rates(failed, failed) = -rates.row(failed).sum();
  }
  return rates;
}

}  // namespace

TEST_CASE("A single replica is available MTTF / (MTTF + MTTR) of the time") {
  const auto one = quorum_availability(group_of(1, 1));
  REQUIRE(one);
  CHECK(one->available_fraction == Approx(50.0 / 52));
  CHECK(one->unavailable_fraction == Approx(2.0 / 52));
  CHECK(one->seconds_to_first_outage == Approx(50 * kHour));
  CHECK(one->outage_mean_seconds == Approx(2 * kHour));
  CHECK(one->outages_per_year == Approx(kSecondsPerYear / (52 * kHour)));
}

TEST_CASE("Two of three with one repairer lose their quorum as in the textbook") {
  // Trivedi, section 8.5: (5 l + m) / (6 l^2).
  const double failures = 1 / (50 * kHour);
  const double repairs = 1 / (2 * kHour);
  const auto three = quorum_availability(group_of(3, 1));
  REQUIRE(three);
  CHECK(three->seconds_to_first_outage ==
        Approx((5 * failures + repairs) / (6 * failures * failures)));
}

TEST_CASE("With a repairer for each replica availability is binomial") {
  const auto five = quorum_availability(group_of(5, 5));
  REQUIRE(five);
  const double down = 2.0 / 52;
  const double up = 50.0 / 52;
  const double lost =
      10 * std::pow(down, 3) * up * up + 5 * std::pow(down, 4) * up + std::pow(down, 5);
  CHECK(five->unavailable_fraction == Approx(lost).epsilon(1e-12));
  CHECK(quorum_availability(group_of(5, 50))->unavailable_fraction == Approx(lost).epsilon(1e-12));
}

TEST_CASE("Availability agrees with linear systems over the chain") {
  for (const std::uint32_t replicas : {1U, 2U, 3U, 4U, 5U, 7U}) {
    for (const std::uint32_t repairers : {1U, 2U, 7U}) {
      CAPTURE(replicas, repairers);
      const ReplicaGroup group = group_of(replicas, repairers);
      const auto result = quorum_availability(group);
      REQUIRE(result);
      const Eigen::MatrixXd rates = generator_of(group);
      const Eigen::Index good = (replicas - 1) / 2 + 1;  // states with a majority
      const Eigen::Index bad = replicas + 1 - good;
      Eigen::MatrixXd balance = rates.transpose();
      balance.row(0).setOnes();
      const Eigen::VectorXd steady =
          balance.fullPivLu().solve(Eigen::VectorXd::Unit(replicas + 1, 0));
      CHECK(result->available_fraction == Approx(steady.head(good).sum()).epsilon(1e-9));
      CHECK(result->unavailable_fraction == Approx(steady.tail(bad).sum()).epsilon(1e-6));
      const Eigen::VectorXd up =
          (-rates.topLeftCorner(good, good)).fullPivLu().solve(Eigen::VectorXd::Ones(good));
      CHECK(result->seconds_to_first_outage == Approx(up(0)).epsilon(1e-6));
      const Eigen::VectorXd down =
          (-rates.bottomRightCorner(bad, bad)).fullPivLu().solve(Eigen::VectorXd::Ones(bad));
      CHECK(result->outage_mean_seconds == Approx(down(0)).epsilon(1e-9));
    }
  }
}

TEST_CASE("Outages per year and their mean make up the time without a quorum") {
  for (const std::uint32_t repairers : {1U, 3U, 9U}) {
    CAPTURE(repairers);
    const auto nine = quorum_availability(group_of(9, repairers));
    REQUIRE(nine);
    CHECK(nine->outages_per_year * nine->outage_mean_seconds / kSecondsPerYear ==
          Approx(nine->unavailable_fraction).epsilon(1e-12));
    CHECK(nine->available_fraction + nine->unavailable_fraction == Approx(1));
  }
}

TEST_CASE("G-01 five replicas lose their quorum less often than three, and one repairer costs") {
  const auto three = quorum_availability(group_of(3, 3));
  const auto five = quorum_availability(group_of(5, 5));
  const auto waiting = quorum_availability(group_of(5, 1));
  CHECK(five->outages_per_year < three->outages_per_year);
  CHECK(waiting->outages_per_year > five->outages_per_year);
  CHECK(waiting->outage_mean_seconds > five->outage_mean_seconds);
  // An even group tolerates as much as the odd one below, and has more that may fail.
  CHECK(quorum_availability(group_of(4, 4))->outages_per_year > three->outages_per_year);
}

TEST_CASE("Availability keeps its digits when losses are very rare, and stays finite otherwise") {
  const auto rare = quorum_availability({.replicas = 5,
                                         .mean_time_to_failure_seconds = 1e12,
                                         .mean_time_to_repair_seconds = 1,
                                         .repairers = 5});
  REQUIRE(rare);
  CHECK(rare->unavailable_fraction == Approx(1e-35).epsilon(1e-9));
  CHECK(rare->seconds_to_first_outage == Approx(1e36 / 30).epsilon(1e-9));
  const auto broken = quorum_availability({.replicas = 101,
                                           .mean_time_to_failure_seconds = 1e-9,
                                           .mean_time_to_repair_seconds = 1e9,
                                           .repairers = 1});
  REQUIRE(broken);
  CHECK(broken->available_fraction == 0);
  CHECK(broken->unavailable_fraction == Approx(1));
}

TEST_CASE("No availability exists for impossible arguments") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(quorum_availability(group_of(0, 1)));
  CHECK_FALSE(quorum_availability(group_of(3, 0)));
  for (const double time : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
    ReplicaGroup group = group_of(3, 3);
    group.mean_time_to_failure_seconds = time;
    CHECK_FALSE(quorum_availability(group));
    group = group_of(3, 3);
    group.mean_time_to_repair_seconds = time;
    CHECK_FALSE(quorum_availability(group));
  }
}

}  // namespace photon::analysis::theory
