#include "analysis/reports/settling.h"

#include <vector>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace std::chrono_literals;

// Ten clicks a second for 100 s. Those of the first `slow` seconds take `factor` times as long.
JoinedLatencies clicks(int slow, std::int64_t factor) {
  const RandomStream stream(1, Purpose::test, 0);
  JoinedLatencies latencies;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const auto noise = Duration(static_cast<std::int64_t>(stream.word(i) % 200'000'000));
    Duration own = 900ms + noise;
    if (i < 10 * slow) own *= factor;
    if (i % 37 == 5) own += 60s;  // tried again, which moves a mean and no median
    const SimTime generated = SimTime{} + i * 100ms;
    latencies.push_back({.at = generated + own, .total = own, .own = own});
  }
  return latencies;
}

Settling settled(int slow, std::int64_t factor, SimTime from = SimTime{}, bool faults = false) {
  return settling_of(LatenciesByTime(clicks(slow, factor)), 1s, from, faults);
}

}  // namespace

TEST_CASE("settling: a slow beginning is found, and what it took") {
  const Settling found = settled(20, 3);
  REQUIRE(found.until_seconds);
  CHECK(*found.until_seconds == Approx(20).margin(5));
  CHECK(found.clicks_before == Approx(10 * *found.until_seconds));
  CHECK(found.before == Approx(3).epsilon(0.1));
  CHECK(found.after == Approx(1).epsilon(0.05));
}

TEST_CASE("settling: deletion of the slow beginning leaves nothing to find") {
  const Settling found = settled(20, 3, SimTime{20s});
  REQUIRE(found.until_seconds);
  CHECK(*found.until_seconds >= 20);
  if (found.clicks_before > 0) CHECK(found.before == Approx(found.after).epsilon(0.1));
}

TEST_CASE("settling: refused while it still changes, for few intervals, and under faults") {
  CHECK(settled(60, 3).refused == "not_settled");
  CHECK(settled(20, 3, SimTime{60s}).refused == "series_too_short");
  CHECK(settled(20, 3, SimTime{}, true).refused == "faults");
  CHECK(settling_of(LatenciesByTime({}), 1s, SimTime{}, false).refused == "series_too_short");
  CHECK_FALSE(settled(60, 3).until_seconds);
}

}  // namespace photon::analysis::testing
