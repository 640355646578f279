// Scenarios at the limits of what the loader accepts: each runs, or is refused; none ends the
// program. What passes the loader by mistake ends its own run as a failed check.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "scenarios/faults/process.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/schema.h"
#include "scenarios/world/event_limit.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::scenarios;
using namespace photonsim::tests;

namespace {

const std::string kHealthy = "scenarios/healthy.toml";

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(photon::mix(seed + 1)) {}
  std::uint64_t below(std::uint64_t limit) {
    state_ = photon::combine(state_, 1);
    return state_ % limit;
  }

 private:
  std::uint64_t state_;
};

// A few seconds of virtual time are enough to build the run and let its timers fire.
class StopAfterGeneration final : public RunObserver {
 public:
  StopRequest on_progress(const Progress& progress) override {
    return progress.sim_seconds >= progress.sim_seconds_planned ? StopRequest::stop
                                                                : StopRequest::go_on;
  }
};

class StopAtOnce final : public RunObserver {
 public:
  StopRequest on_progress(const Progress& progress) override {
    stopped_at = progress;
    return StopRequest::stop;
  }
  Progress stopped_at{};
};

std::string number(const Key& key, double value) {
  switch (key.kind) {
    case Kind::kDuration:
      return fmt::format("{:.0f}ns", std::floor(value));
    case Kind::kBytes:
      return fmt::format("{:.0f}B", std::floor(value));
    case Kind::kCount:
      return fmt::format("{:.0f}", std::floor(value));
    default:
      return fmt::format("{:.17g}", value);
  }
}

// A value at or near an end of the key's range. Large scenarios are legal, but slow to build.
std::string extreme(const std::string& path, const Key& key, Draws& draws) {
  if (key.kind == Kind::kBoolean) return draws.below(2) == 0 ? "true" : "false";
  if (key.kind == Kind::kChoice) return std::string(key.choices[draws.below(key.choices.size())]);
  const bool size_of_deployment =
      key.kind == Kind::kCount && (path.starts_with("workload.") || key.range.high <= 10'000);
  const bool rate_of_load = key.kind == Kind::kReal && path.starts_with("workload.");
  const double largest = size_of_deployment ? 20.0 : rate_of_load ? 1'000.0 : key.range.high;
  const double most = std::min(key.range.high, largest);
  const double high = std::min(most, 9e18);
  const std::array values{key.range.low, key.range.low + (key.range.high <= 1 ? 0.01 : 1.0),
                          high / 3, high};
  return number(key, values[draws.below(values.size())]);
}

bool usable(const std::string& path, const Key& key) {
  if (path.starts_with("faults.") || path == "workload.kind" || path == "run.seed" ||
      path == "run.duration" || path == "run.most_events" || path == "network.wan") {
    return false;
  }
  return key.kind != Kind::kText && key.kind != Kind::kName && key.kind != Kind::kPath &&
         key.kind != Kind::kNames && key.kind != Kind::kPaths;
}

constexpr std::array<const char*, 8> kFaults{
    "faults.outage=[{datacenter=\"us-east1\",component=\"logs\",at=\"1ms\",for=\"1ns\"}]",
    "faults.outage=[{datacenter=\"us-west1\",component=\"cell\",at=\"0s\",for=\"10000d\"}]",
    "faults.outage=[{datacenter=\"us-west2\",component=\"all\",at=\"5ms\",for=\"1ms\"}]",
    "faults.crash=[{process=\"us-east1/incarnations/0\",at=\"0s\",restart_after=\"0s\"}]",
    "faults.crash=[{process=\"registry/0@us-east4\",at=\"1ms\",restart_after=\"10000d\"}]",
    "faults.crash=[{process=\"us-east1/reader/0\",at=\"2ms\"}]",
    "faults.partition=[{from=[\"east\"],to=[\"west\"],at=\"0s\",for=\"1ns\"}]",
    "faults.random=[{kind=\"process_crash\",mean_interval=\"1ms\",restart_after=\"0s\"}]"};

std::vector<std::string> draw_overrides(Draws& draws) {
  static constexpr std::array kDurations{"1ms", "20ms", "2s"};
  std::vector<std::string> set{"run.warm_up=0s", "workload.synthetic.clicks=20"};
  bool fast_timer = false;
  for (std::uint64_t left = 1 + draws.below(3); left > 0;) {
    const std::string& path = all_keys()[draws.below(all_keys().size())];
    const KeyPlace place = find_key(path);
    const Key& key = place.table->key(place.index);
    if (!usable(path, key)) continue;
    set.push_back(path + "=" + extreme(path, key, draws));
    // Zero is refused where it would be a timer; of cell.keep_output it means "for ever".
    const bool is_timer = key.range.low > 0 || path == "cell.keep_output";
    fast_timer |= key.kind == Kind::kDuration && is_timer;
    --left;
  }
  if (draws.below(4) == 0) set.emplace_back(kFaults[draws.below(kFaults.size())]);
  set.push_back(std::string("run.duration=") + kDurations[draws.below(fast_timer ? 2 : 3)]);
  return set;
}

// True if the scenario was accepted; then it must run.
bool survives(const std::vector<std::string>& set) {
  const LoadResult loaded = load(kHealthy, set);
  if (!loaded) return false;
  StopAfterGeneration stop;
  auto finished = run_scenario({&loaded.config(), 1, nullptr, &stop});
  REQUIRE(finished.has_value());
  const auto& failed = finished.value().failed_check;
  CAPTURE(set, finished.value().over_limit);
  CHECK(finished.value().over_limit.empty());
  if (failed)
    FAIL(failed->text << "\nreplay: photonsim run " << kHealthy << " --set "
                      << fmt::format("'{}'", fmt::join(set, "' --set '")));
  return true;
}

}  // namespace

TEST_CASE("a run above its limit of events fails, always at the same one, and reports it") {
  const std::vector<std::string> set{"run.most_events=5000"};
  const auto loaded = load(kHealthy, set);
  REQUIRE(loaded.ok());
  const Config config = loaded.config();
  const auto limited = [&] { return run_scenario({&config, 1, nullptr, nullptr}).assume_value(); };
  const RunOutcome outcome = limited();
  CHECK_FALSE(outcome.is_complete());
  CHECK_FALSE(outcome.failed_check);
  CHECK_FALSE(outcome.interrupted);
  CHECK(outcome.summary.events == 5001);
  CHECK(outcome.summary.fingerprint == limited().summary.fingerprint);
  const std::string& text = outcome.over_limit;
  CHECK_THAT(text, Catch::StartsWith("run.most_events: the run was given up (it took more kernel "
                                     "events than it may): 5001 until ") &&
                       Catch::Contains("in healthy; ") &&
                       Catch::Contains("--set run.most_events=50010"));
  // A run within the limit is the same as without one.
  const Ran free = run("scenarios/registry/quiet.toml", 1, {"run.duration=40s"});
  const std::string needed = std::to_string(free.outcome.summary.events);
  const Ran just =
      run("scenarios/registry/quiet.toml", 1, {"run.duration=40s", "run.most_events=" + needed});
  CHECK(just.outcome.is_complete());
  CHECK(just.outcome.summary.fingerprint == free.outcome.summary.fingerprint);
}

TEST_CASE("the event limit of a run grows with its time and load, unless it is stated") {
  using photon::SimTime;
  const auto loaded = load(kHealthy, {});
  REQUIRE(loaded.ok());
  Config config = loaded.config();
  const SimTime later{std::chrono::seconds(100)};
  const std::uint64_t anyway = event_limit(config, SimTime{}, 0);
  CHECK(anyway >= 100'000'000);
  CHECK(event_limit(config, later, 0) > anyway);
  CHECK(event_limit(config, later, 1000) > event_limit(config, later, 0));
  config.run.most_events = 7;
  CHECK(event_limit(config, later, 1000) == 7);
}

TEST_CASE("limits: what the loader accepts can be built and run, near every end of every range") {
  constexpr std::uint64_t kCases = photon::testing::effort(200);
  std::uint64_t accepted = 0;
  for (std::uint64_t number = 0; number < kCases; ++number) {
    CAPTURE(number);
    Draws draws(number);
    accepted += survives(draw_overrides(draws)) ? 1 : 0;
  }
  // Otherwise nearly nothing was run, or nothing was near a limit.
  CHECK(accepted > kCases / 3);
  CHECK(accepted < kCases);
}

TEST_CASE("limits: the smallest clocks, payloads and runs that are accepted run") {
  const std::vector<std::string> instant{"run.duration=1ms", "run.warm_up=0s",
                                         "workload.synthetic.clicks=1"};
  const auto with = [&](std::vector<std::string> set) {
    set.insert(set.end(), instant.begin(), instant.end());
    return survives(set);
  };
  CHECK(with({}));
  CHECK(with({"workload.synthetic.click_payload=4B", "workload.synthetic.query_payload=4B"}));
  CHECK(with({"clocks.epsilon=3ns", "clocks.drift=0", "clocks.sync_error=0s"}));
  CHECK(with({"clocks.epsilon=0s", "clocks.drift=0", "clocks.sync_error=0s",
              "clocks.violate_clock_bound=true"}));
  CHECK(with({"clocks.epsilon=6000003ns", "clocks.drift=200ppm", "clocks.sync_period=30s",
              "clocks.sync_error=0s"}));
  CHECK(with({"workload.synthetic.clicks=800000", "workload.synthetic.queries_per_click=1"}));
}

TEST_CASE("limits: a trace of unknown length bounds its random faults all the same") {
  const std::string kTrace = "tests/mutants/scenarios/trace_pairs.toml";
  const auto outcome_with = [&](const std::string& fault) {
    const std::vector<std::string> set{"run.duration=auto", "run.warm_up=1000s",
                                       "faults.random=[" + fault + "]"};
    const LoadResult loaded = load(kTrace, set);
    REQUIRE(loaded.ok());
    StopAfterGeneration stop;
    return run_scenario({&loaded.config(), 1, nullptr, &stop});
  };
  const std::string crash = "{kind=\"process_crash\", target=\"joiner\", mean_interval=";
  auto refused = outcome_with(crash + "\"1ms\"}");
  REQUIRE_FALSE(refused.has_value());
  CHECK_THAT(refused.error().front().text(),
             Catch::Contains("faults.random.0") && Catch::Contains("more than 1000000 faults"));
  CHECK(outcome_with(crash + "\"1ms\", until=\"1s\"}").has_value());
  CHECK(outcome_with(crash + "\"100s\"}").has_value());
  // Whatever `until` says, nothing is planned after the end of the trace.
  CHECK(outcome_with(crash + "\"100s\", until=\"1000d\"}").has_value());
}

TEST_CASE("limits: a check that fails while the run is built ends the run, not the program") {
  const LoadResult loaded = load(kHealthy);
  REQUIRE(loaded.ok());
  Config wrong = loaded.config();  // as if a rule of the loader were missing
  wrong.clocks.epsilon = Duration{0};
  auto finished = run_scenario({&wrong, 7, nullptr, nullptr});
  REQUIRE(finished.has_value());
  const RunOutcome& outcome = finished.value();
  REQUIRE(outcome.failed_check.has_value());
  CHECK_THAT(outcome.failed_check->site, Catch::StartsWith("models/clocks.cc:"));
  CHECK(outcome.failed_check->process.empty());  // it failed while the run was built
  CHECK_THAT(outcome.failed_check->text, Catch::StartsWith(outcome.failed_check->site) &&
                                             Catch::Contains(outcome.failed_check->message));
  CHECK_THAT(outcome.failed_check->text, Catch::Contains("stays inside the bound"));
  CHECK(outcome.summary.scenario == "healthy");
  CHECK(outcome.summary.seed == 7);
  wrong = loaded.config();
  wrong.faults.of<CrashFault>() = {{"us-east4/joiner/0", Duration{1}, Duration{1}}};
  CHECK(run_scenario({&wrong, 7, nullptr, nullptr}).value().failed_check.has_value());
  // The sink of that run is removed again, and the next run is whole.
  CHECK(survives({"run.duration=2s", "run.warm_up=1s", "workload.synthetic.clicks=20"}));
}

TEST_CASE("A-25 limits: an outage of the input logs alone delays clicks and loses none") {
  const std::vector<std::string> fault_free{"faults.random=[]", "faults.crash=[]",
                                            "faults.partition=[]"};
  std::vector<std::string> set = fault_free;
  set.emplace_back(
      "faults.outage=[{datacenter=\"us-east1\",component=\"logs\",at=\"100s\",for=\"30s\"},"
      "{datacenter=\"us-west1\",component=\"logs\",at=\"100s\",for=\"30s\"}]");
  const Ran ran = run("scenarios/trace.toml", 1, set);
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
  REQUIRE(ran.outcome.summary.faults.size() == 2);
  CHECK_THAT(ran.outcome.summary.faults[0].description, Catch::Contains("logs"));
  CHECK(ran.outcome.summary.joined == 395);
  CHECK(ran.outcome.summary.process_crashes == 0);
  set = fault_free;
  set.emplace_back("faults.outage=[]");
  CHECK(ran.outcome.summary.latency.max >
        run("scenarios/trace.toml", 1, set).outcome.summary.latency.max);
}

TEST_CASE("a stop request takes effect soon, however many events a second has") {
  const std::vector<std::string> busy{"registry.shards=40", "registry.heartbeat=1500us"};
  const LoadResult loaded = load("scenarios/registry/quiet.toml", busy);
  REQUIRE(loaded.ok());
  StopAtOnce observer;
  const auto ran = run_scenario({&loaded.config(), 1, nullptr, &observer});
  REQUIRE(ran);
  CHECK(ran.assume_value().interrupted);
  CHECK(observer.stopped_at.events == 100'000);
  CHECK(observer.stopped_at.sim_seconds < 1);
}
