#include "models/wan.h"

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "core_impl/base/hash.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon::models {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr DatacenterId kEast{0};
constexpr DatacenterId kWest{1};

TEST_CASE("A one-way delay is half the round trip plus jitter, in both directions") {
  WanModel wan(3, {});
  wan.set_round_trip(kEast, kWest, milliseconds(60));
  double sum = 0;
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    const Duration there = wan.one_way(kEast, kWest, mix(i));
    REQUIRE(there >= wan.least(kEast, kWest));
    REQUIRE(there == wan.one_way(kWest, kEast, mix(i)));
    sum += static_cast<double>((there - Duration(milliseconds(30))).count());
  }
  CHECK(wan.least(kWest, kEast) == Duration(milliseconds(30)));
  CHECK(sum / 50'000 == Approx(200'000).epsilon(0.03));
  CHECK(wan.least(kEast, kEast) == Duration(microseconds(250)));
}

TEST_CASE("DESIGN-4 the look-ahead is never zero, however short a round trip") {
  WanModel wan(2, {Duration(1), Duration(0)});
  wan.set_round_trip(kEast, kWest, Duration(1));
  CHECK(wan.least(kEast, kWest) > Duration(0));
  CHECK(wan.least(kEast, kEast) > Duration(0));
}

TEST_CASE("a pair without a round trip, or an unknown datacenter, fails a check") {
  const photon::testing::ChecksThrow checks;
  const WanModel wan(2, {});
  CHECK_THROWS_AS(wan.least(kEast, kWest), photon::testing::CheckFailed);
  CHECK_THROWS_AS(wan.one_way(kEast, DatacenterId(2), 0), photon::testing::CheckFailed);
}

TEST_CASE("the measured matrix covers each of the ten pairs of its five regions once") {
  std::map<std::pair<std::string, std::string>, Duration> pairs;
  for (const MeasuredRoundTrip& each : gcp_us_2020()) {
    const std::string from(each.from);
    const std::string to(each.to);
    CHECK(from != to);
    CHECK(pairs.emplace(std::minmax(from, to), each.round_trip).second);
    CHECK(each.round_trip > Duration(milliseconds(10)));
    CHECK(each.round_trip < Duration(milliseconds(70)));
  }
  CHECK(pairs.size() == 10);
  // Propagation obeys the triangle inequality up to detours: no direct path is twice an indirect
  // one.
  for (const auto& [direct, time] : pairs) {
    for (const MeasuredRoundTrip& hop : gcp_us_2020()) {
      const std::string via(hop.from == direct.first ? hop.to : hop.from);
      const auto first = pairs.find(std::minmax(direct.first, via));
      const auto second = pairs.find(std::minmax(via, direct.second));
      if (first == pairs.end() || second == pairs.end()) continue;
      CHECK(time < 2 * (first->second + second->second));
    }
  }
}

// The numbers against their source file, where it is at hand.
TEST_CASE("the measured matrix is the minimum of both directions of its source file") {
  std::ifstream file("../shared/data/net/cloud_ping_fantoch.csv");
  if (!file) {
    WARN("skipped: ../shared/data/net/cloud_ping_fantoch.csv is not here");
    return;
  }
  std::map<std::pair<std::string, std::string>, double> least_ms;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string set, from, to, least;
    std::getline(fields, set, ',');
    std::getline(fields, from, ',');
    std::getline(fields, to, ',');
    std::getline(fields, least, ',');
    if (set != "gcp_2020") continue;
    const auto [place, fresh] = least_ms.emplace(std::minmax(from, to), std::stod(least));
    if (!fresh) place->second = std::min(place->second, std::stod(least));
  }
  for (const MeasuredRoundTrip& each : gcp_us_2020()) {
    CAPTURE(std::string(each.from), std::string(each.to));
    const auto found = least_ms.find(std::minmax(std::string(each.from), std::string(each.to)));
    REQUIRE(found != least_ms.end());
    CHECK(static_cast<double>(each.round_trip.count()) / 1e6 == Approx(found->second).margin(5e-4));
  }
}

}  // namespace
}  // namespace photon::models
