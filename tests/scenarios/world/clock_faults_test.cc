// Clocks with a wrong order, storage that restores what it had lost, and the tier in which damage
// must be detected, end to end.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "campaigns/swarm/swarm.h"
#include "core_impl/trace/environment.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/calendar.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;
using namespace photonsim::scenarios;
using namespace photon;
using namespace std::chrono_literals;

namespace {

// The error of clicks' stamps while a fault lasts, and at other times.
class ClickStamps final : public trace::Sink {
 public:
  ClickStamps(SimTime from, SimTime until) : from_(from), until_(until) {}
  std::uint64_t far_inside = 0;  // more than `kFar` off
  std::uint64_t inside = 0;
  std::uint64_t far_outside = 0;
  std::uint64_t effects = 0;

  void record(const trace::Record& record) override {
    effects += record.header.kind == trace::Kind::fault_effect ? 1 : 0;
    if (record.header.kind != trace::Kind::click_generated) return;
    const EventId& click = record.as<trace::ClickGenerated>().click;
    const std::int64_t off =
        nanoseconds_of(click.stamp) - nanoseconds_of(record.header.at + kCalendarEpoch);
    const bool far = std::abs(off) > kFar.count();
    const bool during = from_ <= record.header.at && record.header.at < until_;
    inside += during ? 1 : 0;
    (during ? far_inside : far_outside) += far ? 1 : 0;
  }

 private:
  static constexpr Duration kFar = 40ms;
  SimTime from_;
  SimTime until_;
};

// The largest error of clicks' stamps in either direction, and those that are no multiple of a
// resolution but for the nanoseconds by which a process continues.
class CoarseStamps final : public trace::Sink {
 public:
  std::uint64_t clicks = 0;
  std::uint64_t fine = 0;
  std::int64_t earliest = 0;
  std::int64_t latest = 0;

  void record(const trace::Record& record) override {
    if (record.header.kind != trace::Kind::click_generated) return;
    const std::int64_t stamp = nanoseconds_of(record.as<trace::ClickGenerated>().click.stamp);
    const std::int64_t off = stamp - nanoseconds_of(record.header.at + kCalendarEpoch);
    earliest = std::min(earliest, off);
    latest = std::max(latest, off);
    fine += stamp % Duration(60ms).count() > 100 ? 1 : 0;
    ++clicks;
  }
};

// When faults took effect.
class Effects final : public trace::Sink {
 public:
  std::vector<SimTime> times{};

  void record(const trace::Record& record) override {
    if (record.header.kind == trace::Kind::fault_effect) times.push_back(record.header.at);
  }
};

std::uint64_t effective(const Ran& ran, std::string_view kind) {
  return analysis::count_of(ran.outcome.summary.fault_kinds, kind);
}

}  // namespace

TEST_CASE("A-31 log servers' clocks are off while a fault lasts; Photon stays correct") {
  ClickStamps stamps(SimTime(100s), SimTime(160s));
  const Ran ran = run(
      "scenarios/healthy.toml", 3,
      {R"(faults.clock=[{log="clicks",kind="offset",by="80ms",at="100s",for="60s"}])"}, &stamps);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(stamps.inside > 100);
  CHECK(stamps.far_inside == stamps.inside);
  CHECK(stamps.far_outside == 0);
  CHECK(stamps.effects == 1);
  CHECK(effective(ran, "clock.offset") == 1);
}

TEST_CASE("A-31 coarse stamps stay inside the bound, whatever steps and faults carry the clocks") {
  CoarseStamps stamps;
  const Ran ran =
      run("scenarios/healthy.toml", 3,
          {"clocks.stamp_resolution=60ms", "clocks.step_interval=40s", "clocks.step_max=100ms",
           R"(faults.clock=[{log="clicks",kind="drift",direction="back",rate=300e-6,at="100s",)"
           R"(for="60s"}])"},
          &stamps);
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(stamps.clicks > 1000);
  CHECK(stamps.fine == 0);
  CHECK(stamps.earliest >= -Duration(100ms).count());
  CHECK(stamps.earliest < -Duration(90ms).count());
  CHECK(stamps.latest <= Duration(100ms).count());
}

TEST_CASE(
    "each kind of clock fault of a process takes effect, under its own name, inside the bound") {
  const auto [fault, kind] = GENERATE(table<std::string, std::string>(
      {{R"(kind="offset",by="80ms",direction="back",at="100s",for="60s")", "clock.offset"},
       {R"(kind="drift",rate="0.1%",at="100s",for="60s")", "clock.drift"},
       {R"(kind="step",by="80ms",at="100s")", "clock.step"},
       {R"(kind="freeze",at="100s",for="80ms")", "clock.freeze"},
       {R"(kind="truetime_outage",at="100s",for="100s")", "clock.truetime_outage"}}));
  CAPTURE(kind);
  const std::string head = R"(faults.clock=[{process="us-east1/dispatcher/0",)";
  const Ran ran = run("scenarios/healthy.toml", 3, {head + fault + "}]"});
  // 80 ms may pass without a clock reading: then the fault is reported inert.
  if (kind != "clock.freeze") require_clean(ran);
  CHECK(ran.outcome.summary.violations_total == 0);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(effective(ran, kind) + ran.outcome.summary.inert_faults.size() == 1);
}

TEST_CASE("A-34 registries whose TrueTime intervals widen go on collecting, and never too early") {
  std::vector<std::string> set{"registry.gc_age=150s", "dispatcher.unjoinable_age=60s",
                               "registry.boundary_period=2s", "registry.gc_scan_period=2s"};
  std::string faults = "faults.clock=[";
  for (const std::string place : {"us-east1", "us-east4", "us-west1", "us-west2", "us-central1"}) {
    faults +=
        R"({process="registry/0@)" + place + R"(",kind="truetime_outage",at="200s",for="90s"},)";
  }
  faults.back() = ']';
  set.push_back(faults);
  set.emplace_back("faults.inert=allow");
  const Ran ran = run("scenarios/healthy.toml", 3, set);
  require_clean(ran);
  CHECK(effective(ran, "clock.truetime_outage") >= 1);  // only masters ask
  CHECK(ran.outcome.summary.registry.ids_collected > 0);
}

TEST_CASE("A-35 positive control: false TrueTime at a registry is detected") {
  std::vector<std::string> set{"registry.gc_age=150s", "dispatcher.unjoinable_age=60s",
                               "registry.boundary_period=2s", "clocks.violate_clock_bound=true"};
  std::string faults = "faults.clock=[";
  for (const std::string place : {"us-east1", "us-east4", "us-west1", "us-west2", "us-central1"}) {
    faults += R"({process="registry/0@)" + place +
              R"(",kind="lying_interval",by="100s",at="150s",for="60s"},)";
  }
  faults.back() = ']';
  set.push_back(faults);
  const Ran ran = run("scenarios/healthy.toml", 3, set);
  CHECK(ran.outcome.safety_violations > 0);
  CHECK(ran.json.find("\"J-S8\"") != std::string::npos);
  CHECK(effective(ran, "clock.lying_interval") >= 1);
}

TEST_CASE("A-35 positive control: a master whose lease runs slowly is detected") {
  // Its followers may elect another one while it still holds its lease.
  const Ran ran = run("scenarios/healthy.toml", 3,
                      {"clocks.violate_clock_bound=true", "registry.master_placement=pinned",
                       "registry.pinned_datacenter=us-east1",
                       R"(faults.clock=[{process="registry/0@us-east1",kind="monotonic_drift",)"
                       R"(direction="back",rate=0.4,at="60s",for="60s"}])"});
  CHECK(ran.json.find("\"J-S7\"") != std::string::npos);
  CHECK(effective(ran, "clock.monotonic_drift") == 1);
}

TEST_CASE("J-S1 a joined record that storage restores counts once more") {
  const Ran lost = run("scenarios/healthy.toml", 3,
                       {R"(faults.output_loss=[{datacenter="us-east1",at="200s",records=7}])"});
  require_clean(lost);
  CHECK(lost_by(lost, "L-storage") == 7);
  Effects effects;
  const Ran returned = run("scenarios/healthy.toml", 3,
                           {R"(faults.output_loss=[{datacenter="us-east1",at="200s",records=7,)"
                            R"(returns_after="10s"}])"},
                           &effects);
  CHECK(returned.outcome.safety_violations == 7);
  CHECK(returned.json.find("\"J-S1\"") != std::string::npos);
  CHECK(lost_by(returned, "L-storage") == 0);
  CHECK(effective(returned, "output_loss.returns_after") == 1);
  CHECK(effects.times == std::vector{SimTime(210s)});  // a temporary loss is no effect yet
}

// swarm_contract.cc explains why damage must occur in each of them.
TEST_CASE("J-H3 contract-tier configurations are damaged, and the damage is detected", "[sweep]") {
  std::map<std::string, std::uint64_t> broken;
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(14); ++seed) {
    const Config config = swarm::scenario({swarm::Profile::fast, Tier::kContract}, seed);
    const auto finished = run_scenario({&config, seed, nullptr, nullptr});
    REQUIRE(finished);
    const RunOutcome& outcome = finished.assume_value();
    const Expectations& expectations = outcome.expectations;
    INFO("replay: photonsim repro --swarm --tier contract --seed " << seed);
    REQUIRE_FALSE(outcome.failed_check);
    CHECK(expectations.tier == Tier::kContract);
    ++broken[expectations.breaks];
    REQUIRE(expectations.detected_by.size() == 1);
    const std::string& rule = expectations.detected_by.front();
    CHECK(analysis::count_of(outcome.summary.violations_by_rule, rule) > 0);
    if (expectations.expects_safety()) CHECK(outcome.summary.safety_violations == 0);
  }
  CHECK(broken.size() == 7);
}
