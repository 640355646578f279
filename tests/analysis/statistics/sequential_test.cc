#include "analysis/statistics/sequential.h"

#include <cmath>
#include <vector>

#include "analysis/statistics/student.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

constexpr PrecisionVerdict kReached = PrecisionVerdict::reached;
constexpr PrecisionVerdict kMoreNeeded = PrecisionVerdict::more_needed;
constexpr PrecisionVerdict kUnreachable = PrecisionVerdict::unreachable;

// Half of the replications one below 10 and half one above.
Estimate estimate_of(int replications) {
  std::vector<double> means;
  for (int i = 0; i < replications; ++i) means.push_back(i % 2 == 0 ? 9 : 11);
  return mean_of_replications(means);
}

PrecisionTarget absolute(double half_width) { return {half_width, Scale::absolute}; }
PrecisionTarget relative(double half_width) { return {half_width, Scale::relative}; }

}  // namespace

TEST_CASE("sequential: replications needed, as in Law's bank") {
  // Law 2015, section 9.4.1, mean 2.03, variance 0.31, 90 %: 16 for an absolute half-width of 0.25,
  // 27 for a relative error of 10 %.
  CHECK(replications_needed(std::sqrt(0.31), 0.25, 0.9) == 16);
  CHECK(replications_needed(std::sqrt(0.31), 0.1 / 1.1 * 2.03, 0.9) == 27);
  CHECK(replications_needed(0, 0.25) == 2);
  CHECK_FALSE(replications_needed(1, 0));
}

TEST_CASE("sequential: a target is reached, needs more, or is out of reach") {
  const ReplicationBounds bounds{10, 100};
  // Ten replications have the half-width 2.262 * 1.054 / sqrt(10) = 0.754.
  const Estimate ten = estimate_of(10);
  CHECK(check_precision(ten, absolute(0.8), bounds).verdict == kReached);
  CHECK(check_precision(ten, absolute(0.8), bounds).projected == 10);
  const SequentialStep more = check_precision(ten, absolute(0.4), bounds);
  CHECK(more.verdict == kMoreNeeded);
  CHECK(more.projected == replications_needed(std::sqrt(10.0 / 9), 0.4));
  const SequentialStep never = check_precision(ten, absolute(0.01), bounds);
  CHECK(never.verdict == kUnreachable);
  CHECK(*never.projected > 10'000);
}

TEST_CASE("sequential: a projection just above the limit is not yet a verdict") {
  // 107 replications for 0.2; with the least variance that ten replications allow, about half.
  const SequentialStep step = check_precision(estimate_of(10), absolute(0.2), {10, 100});
  CHECK(step.verdict == kMoreNeeded);
  CHECK(*step.projected > 100);
}

TEST_CASE("sequential: a relative target is tightened, because the mean is an estimate too") {
  const ReplicationBounds bounds{10, 100};
  // 0.754 is 7.54 % of 10: less than 7.8 %, but not less than 7.8 / 107.8.
  CHECK(check_precision(estimate_of(10), relative(0.078), bounds).verdict == kMoreNeeded);
  CHECK(check_precision(estimate_of(10), relative(0.082), bounds).verdict == kReached);
}

TEST_CASE("sequential: the first stage is made, and the last replication ends it") {
  const SequentialStep early = check_precision(estimate_of(4), absolute(100), {10, 100});
  CHECK(early.verdict == kMoreNeeded);
  CHECK(early.projected == 10);
  CHECK(check_precision(estimate_of(20), absolute(0.1), {10, 20}).verdict == kUnreachable);
  const SequentialStep first = check_precision(estimate_of(1), absolute(1), {10, 20});
  CHECK(first.verdict == kMoreNeeded);
  CHECK_FALSE(first.projected);
}

TEST_CASE("sequential: without an interval only the limit ends it") {
  const auto lacking = [](std::uint64_t n) {
    return Estimate::without_interval(3, n, Shortage::observations);
  };
  CHECK(check_precision(lacking(10), absolute(1), {10, 20}).verdict == kMoreNeeded);
  CHECK(check_precision(lacking(20), absolute(1), {10, 20}).verdict == kUnreachable);
}

TEST_CASE("sequential: a quantile whose sample is too small at the limit as well ends it at once") {
  const auto needing = [](std::uint64_t needed) {
    Estimate estimate = Estimate::without_interval(3, 10, Shortage::observations);
    estimate.n_needed = needed;
    return estimate;
  };
  const SequentialStep within = check_precision(needing(20), absolute(1), {10, 20});
  CHECK(within.verdict == kMoreNeeded);
  CHECK(within.projected == 20);
  const SequentialStep beyond = check_precision(needing(21), absolute(1), {10, 20});
  CHECK(beyond.verdict == kUnreachable);
  CHECK(beyond.projected == 21);
  CHECK(check_precision(needing(21), absolute(1), {11, 20}).verdict == kMoreNeeded);
}

TEST_CASE("sequential: relative to zero no number is known") {
  const Estimate around_zero = mean_of_replications(std::vector<double>{-1, 1, -1, 1});
  const SequentialStep step = check_precision(around_zero, relative(0.1), {4, 1000});
  CHECK(step.verdict == kMoreNeeded);
  CHECK_FALSE(step.projected);
}

}  // namespace photon::analysis
