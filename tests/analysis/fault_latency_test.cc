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
}

TEST_CASE("faults: those of the same time have the cost of all, and say how many they are") {
  // Fault 1 ends before fault 2 begins, but the ten seconds after it are those of fault 2.
  const auto list = around({fault(1, 395, 398), fault(2, 400, 600), fault(3, 450, 460)});
  REQUIRE(list.size() == 3);
  CHECK(list[0].overlapping == 1);
  CHECK(list[0].cost_seconds() > 0);
  CHECK(list[1].overlapping == 2);
  // The clicks before it are slow as well.
  CHECK(list[2].cost_seconds() == 0);
  CHECK(order_of(list) == std::vector<std::uint32_t>{2, 1, 3});
  const auto apart = around({fault(1, 100, 110), fault(2, 400, 600)});
  CHECK(apart[0].overlapping == 0);
  CHECK(apart[1].overlapping == 0);
}

TEST_CASE("faults: one that lasts to the end of the run, or has no end, has none to recover from") {
  for (const std::int64_t end : {900, 1000}) {
    const auto list = around({fault(1, 100, end), fault(2, 400, 600)});
    CHECK(list[0].ends == (end == 900));
    CHECK(list[0].cost_seconds() == Approx(list[1].cost_seconds()));
  }
  std::vector<TracedFault> faults{fault(1, 395, 395), fault(2, 395, 395)};
  faults[0].until_ns = TracedFault::kNever;
  const auto list = around(faults);
  CHECK(list[0].cost_seconds() > 0);
  CHECK_FALSE(list[0].ends);
  CHECK(list[1].overlapping == 1);
}

}  // namespace photon::analysis::testing
