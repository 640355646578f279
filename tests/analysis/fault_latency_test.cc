#include "analysis/reports/fault_latency.h"

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace std::chrono_literals;

// One click a second for 1,000 s; those generated from 400 s to 600 s take 11 s, the others 1 s.
JoinedLatencies clicks() {
  JoinedLatencies latencies;
  for (std::int64_t second = 0; second < 1000; ++second) {
    const Duration own = second >= 400 && second < 600 ? 11s : 1s;
    const SimTime generated = SimTime{} + second * 1s;
    latencies.push_back({.at = generated + own, .total = own, .own = own});
  }
  return latencies;
}

TracedFault fault(std::uint32_t number, std::int64_t from, std::int64_t until) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {.number = number,
          .description = "fault " + std::to_string(number),
          .at_ns = from * kSecond,
          .until_ns = until * kSecond,
          .effective = true};
}

std::vector<FaultLatency> around(const std::vector<TracedFault>& faults) {
  return fault_latencies(faults, LatenciesByTime(clicks()), 1s);
}

std::vector<std::uint32_t> order_of(const std::vector<FaultLatency>& list) {
  std::vector<std::uint32_t> numbers;
  for (const FaultLatency* each : dearest_first(list)) numbers.push_back(each->number);
  return numbers;
}

}  // namespace

TEST_CASE("faults: what one costs beside the clicks before it") {
  // 200 slow clicks during it, ten seconds longer each.
  const auto list = around({fault(7, 400, 600)});
  REQUIRE(list.size() == 1);
  CHECK(list[0].during.own.count == 200);
  CHECK(list[0].cost_seconds() == Approx(2000));
  CHECK(list[0].overlapping == 0);
  CHECK_FALSE(list[0].longer_beside);
}

TEST_CASE("faults: one beside a much longer one names it and comes last, before it or in it") {
  // Fault 1 ends before fault 2 begins, but the ten seconds after it are those of fault 2.
  const auto list = around({fault(1, 395, 398), fault(2, 400, 600), fault(3, 450, 460)});
  REQUIRE(list.size() == 3);
  CHECK(list[0].longer_beside == 2);
  CHECK(list[0].overlapping == 1);
  CHECK(list[1].overlapping == 2);
  CHECK_FALSE(list[1].longer_beside);
  CHECK(list[2].longer_beside == 2);
  CHECK(order_of(list) == std::vector<std::uint32_t>{2, 1, 3});
}

TEST_CASE("faults: apart or of about the same length, each stands for itself") {
  const auto apart = around({fault(1, 100, 110), fault(2, 400, 600)});
  CHECK(apart[0].overlapping == 0);
  CHECK_FALSE(apart[0].longer_beside);
  const auto alike = around({fault(1, 300, 420), fault(2, 400, 600)});
  CHECK(alike[0].overlapping == 1);
  CHECK_FALSE(alike[0].longer_beside);
  CHECK_FALSE(alike[1].longer_beside);
}

TEST_CASE("faults: the dearest first") {
  const auto list = around({fault(1, 100, 150), fault(2, 390, 440), fault(3, 400, 600)});
  REQUIRE(list.size() == 3);
  REQUIRE(list[1].longer_beside == 3);
  CHECK(order_of(list) == std::vector<std::uint32_t>{3, 1, 2});
}

}  // namespace photon::analysis::testing
