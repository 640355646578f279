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
  CHECK_FALSE(list[0].explained_by);
}

TEST_CASE("faults: one beside a much longer one that explains its cost names it and comes last") {
  // Fault 1 ends before fault 2 begins, but the ten seconds after it are those of fault 2.
  const auto list = around({fault(1, 395, 398), fault(2, 400, 600), fault(3, 450, 460)});
  REQUIRE(list.size() == 3);
  CHECK(list[0].explained_by == 2);
  CHECK(list[0].overlapping == 1);
  CHECK(list[1].overlapping == 2);
  CHECK_FALSE(list[1].explained_by);
  // The clicks before it are slow as well.
  CHECK(list[2].cost_seconds() == 0);
  CHECK_FALSE(list[2].explained_by);
  CHECK(order_of(list) == std::vector<std::uint32_t>{2, 3, 1});
}

TEST_CASE("faults: apart or of about the same length, each stands for itself") {
  const auto apart = around({fault(1, 100, 110), fault(2, 400, 600)});
  CHECK(apart[0].overlapping == 0);
  CHECK_FALSE(apart[0].explained_by);
  const auto alike = around({fault(1, 300, 420), fault(2, 400, 600)});
  CHECK(alike[0].overlapping == 1);
  CHECK_FALSE(alike[0].explained_by);
  CHECK_FALSE(alike[1].explained_by);
}

TEST_CASE("faults: a long one that costs nothing by itself stands behind the one in it") {
  // A clock step lasts to the end of the run, whatever it does.
  for (const std::int64_t end : {900, 1000}) {
    const auto list = around({fault(1, 100, end), fault(2, 400, 600)});
    CHECK(list[0].ends == (end == 900));
    CHECK(list[0].cost_seconds() == Approx(list[1].cost_seconds()));
    CHECK(list[0].own_cost_seconds == Approx(0).margin(1e-6));
    CHECK(list[1].own_cost_seconds == Approx(2000));
    CHECK_FALSE(list[0].explained_by);
    CHECK_FALSE(list[1].explained_by);
    CHECK(order_of(list) == std::vector<std::uint32_t>{2, 1});
  }
}

TEST_CASE("faults: one whose time after alone is that of another has its own cost") {
  // What slows clicks from 400 s on is not the short fault that ended before, nor a later one.
  const auto list = around({fault(1, 300, 350), fault(2, 400, 600), fault(3, 610, 620)});
  for (const FaultLatency& each : list) CHECK_FALSE(each.explained_by);
  CHECK(order_of(list).front() == 2);
}

TEST_CASE("faults: of a chain the last explains") {
  const auto list = around({fault(1, 400, 402), fault(2, 395, 440), fault(3, 390, 600)});
  REQUIRE(list[1].explained_by == 3);
  CHECK(list[0].explained_by == 3);
  CHECK_FALSE(list[2].explained_by);
}

TEST_CASE("faults: one of which no end is planned explains nothing") {
  std::vector<TracedFault> faults{fault(1, 395, 395), fault(2, 395, 395)};
  faults[0].until_ns = TracedFault::kNever;
  const auto list = around(faults);
  CHECK(list[0].cost_seconds() > 0);
  CHECK_FALSE(list[0].ends);
  CHECK(list[1].overlapping == 1);
  CHECK_FALSE(list[1].explained_by);
}

TEST_CASE("faults: the dearest first") {
  const auto list = around({fault(1, 100, 150), fault(2, 405, 440), fault(3, 400, 600)});
  REQUIRE(list.size() == 3);
  REQUIRE(list[1].explained_by == 3);
  CHECK(order_of(list) == std::vector<std::uint32_t>{3, 1, 2});
}

}  // namespace photon::analysis::testing
