// Servers that generate events and cannot reach TrueTime, end to end.
#include <map>
#include <set>
#include <string>

#include "core_impl/trace/environment.h"
#include "scenarios/world/calendar.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using namespace photon;
using namespace std::chrono_literals;

namespace {

constexpr Duration kEpsilon = 100ms;

// When clicks happened, by server, and the errors of their stamps.
class Stamps final : public trace::Sink {
 public:
  std::map<std::uint32_t, std::set<SimTime>> clicks;
  std::uint64_t outside = 0;  // stamps more than epsilon off
  std::uint64_t effects = 0;

  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::fault_effect) ++effects;
    if (record.header.kind != trace::Kind::click_generated) return;
    const EventId& click = record.as<trace::ClickGenerated>().click;
    clicks[click.server].insert(record.header.at);
    const std::int64_t off =
        nanoseconds_of(click.stamp) -
        nanoseconds_of(record.header.at + photonsim::scenarios::kCalendarEpoch);
    if (std::abs(off) > kEpsilon.count()) ++outside;
  }
  std::uint64_t between(std::uint32_t server, SimTime from, SimTime until) const {
    const auto& times = clicks.at(server);
    return static_cast<std::uint64_t>(
        std::distance(times.lower_bound(from), times.lower_bound(until)));
  }
};

// A clock that drifts by 0.15% is surely inside the bound for a minute: with the last
// synchronisation between 30 s and 60 s it is so until 90 s at least and 120 s at most, and again
// from between 210 s and 240 s on.
Ran drifting(std::vector<std::string> overrides, Stamps& stamps) {
  overrides.insert(overrides.begin(), {"clocks.drift=0.0015", "registry.clock_drift_bound=0.0015"});
  return run("scenarios/healthy.toml", 3, overrides, &stamps);
}

const std::string kOutage =
    R"(faults.truetime_outage=[{log = "queries", at = "60s", for = "150s"}, )"
    R"({log = "clicks", at = "60s", for = "150s"}])";

void require_all_joined(const Ran& ran) {
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
}

}  // namespace

TEST_CASE("A-33 servers without TrueTime stop issuing ids, and resume when it returns") {
  Stamps usual;
  const Ran healthy = drifting({}, usual);
  require_all_joined(healthy);
  CHECK(healthy.outcome.summary.unnamed.empty());
  Stamps stamps;
  const Ran ran = drifting({kOutage}, stamps);
  require_all_joined(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(stamps.outside == 0);
  CHECK(stamps.effects == 2);
  CHECK(summary.faults_effective == 2);
  REQUIRE(stamps.clicks.size() == 4);
  for (const auto& [server, times] : stamps.clicks) {
    CAPTURE(server);
    CHECK(stamps.between(server, SimTime(121s), SimTime(210s)) == 0);
    CHECK(usual.between(server, SimTime(121s), SimTime(210s)) > 100);
    for (const auto& [from, until] : {std::pair{0s, 89s}, std::pair{240s, 300s}}) {
      const std::uint64_t count = stamps.between(server, SimTime(from), SimTime(until));
      CHECK(count > 50);
      CHECK(count == usual.between(server, SimTime(from), SimTime(until)));
    }
    for (const SimTime at : times) REQUIRE(usual.clicks[server].count(at) == 1);
  }
  // All events that did not happen are counted.
  const std::uint64_t unnamed = photon::analysis::count_of(summary.unnamed, "clicks");
  CHECK(summary.generated + unnamed == healthy.outcome.summary.generated);
  CHECK(photon::analysis::count_of(summary.unnamed, "queries") > 5 * unnamed);
  CHECK(ran.json.find("\"unnamed_events\"") != std::string::npos);
}

TEST_CASE("A-33 A-35 positive control: servers that continue leave the bound") {
  Stamps stamps;
  const Ran ran = drifting({kOutage, "clocks.violate_clock_bound=true"}, stamps);
  CHECK(stamps.outside > 50);
  CHECK(ran.outcome.summary.faults_effective == 2);
  CHECK(photon::analysis::count_of(ran.outcome.summary.unnamed, "clicks") == 0);
}

TEST_CASE("A-33 an outage of TrueTime that affects no clock reading is reported as inert") {
  Stamps stamps;
  const Ran ran = drifting(
      {R"(faults.truetime_outage=[{log = "clicks", server = "0", at = "60s", for = "1us"}])"},
      stamps);
  REQUIRE(ran.outcome.summary.inert_faults.size() == 1);
  CHECK(ran.outcome.summary.inert_faults[0].text ==
        "truetime_outage of the click server 0 at 60s for 0.000001s");
  CHECK(stamps.effects == 0);
}
