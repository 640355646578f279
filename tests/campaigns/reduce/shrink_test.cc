// Failures made small.
#include "campaigns/reduce/shrink.h"

#include <algorithm>
#include <set>

#include "campaigns/reduce/ddmin.h"
#include "campaigns/reduce/pieces.h"
#include "campaigns/reduce/same_failure.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

namespace {

shrink::FirstFailing one_by_one(std::function<bool(const shrink::Kept&)> fails) {
  return [fails](const std::vector<shrink::Kept>& candidates) -> std::optional<std::size_t> {
    const auto found = std::ranges::find_if(candidates, fails);
    if (found == candidates.end()) return std::nullopt;
    return static_cast<std::size_t>(found - candidates.begin());
  };
}

}  // namespace

TEST_CASE("delta debugging finds the pieces that a failure needs, and stops on request") {
  const auto never = [] { return false; };
  const auto fails = [](const shrink::Kept& kept) { return kept[3] && kept[17] && kept[18]; };
  const shrink::Kept left = shrink::ddmin(shrink::Kept(40, true), one_by_one(fails), never);
  for (std::size_t i = 0; i < left.size(); ++i) CHECK(left[i] == (i == 3 || i == 17 || i == 18));
  const auto always = [](const shrink::Kept&) { return true; };
  const shrink::Kept none = shrink::ddmin(shrink::Kept(40, true), one_by_one(always), never);
  CHECK(std::ranges::count(none, true) == 0);
  const shrink::Kept all =
      shrink::ddmin(shrink::Kept(40, true), one_by_one(always), [] { return true; });
  CHECK(std::ranges::count(all, true) == 40);
}

TEST_CASE("a scenario can lose each single fault, and each setting that is not the default") {
  const Config config = swarm::scenario({}, 1);
  const std::size_t events = shrink::events_of(config);
  REQUIRE(events > 2);
  for (std::size_t i = 0; i < events; ++i) {
    shrink::Kept kept(events, true);
    kept[i] = false;
    CHECK(shrink::events_of(shrink::with_events(config, kept)) == events - 1);
  }
  CHECK(shrink::with_events(config, shrink::Kept(events, true)) == config);
  const shrink::Settings settings(config);
  const Config usual = settings.with(config, shrink::Kept(settings.size(), false));
  CHECK(shrink::Settings(usual).size() == 0);
  CHECK(settings.with(config, settings.all()) == config);
}

TEST_CASE("shrinking keeps an age for which the run waits: its default is hours") {
  Config config = swarm::scenario({}, 1);
  config.dispatcher.unjoinable_age = std::chrono::seconds(43);
  const shrink::Settings settings(config);
  REQUIRE(settings.size() > 0);
  const Config usual = settings.with(config, shrink::Kept(settings.size(), false));
  CHECK(usual.dispatcher.unjoinable_age == std::chrono::seconds(43));
}

TEST_CASE("DESIGN-6 shrinking keeps the broken assumption and the oracles that must detect it") {
  swarm::Options options;
  options.tier = GENERATE(Tier::kOver, Tier::kContract);
  for (std::uint64_t seed = 1; seed <= 14; ++seed) {
    CAPTURE(seed);
    const Config config = swarm::scenario(options, seed);
    const shrink::Settings settings(config);
    const Config usual = settings.with(config, shrink::Kept(settings.size(), false));
    CHECK(usual.scenario.tier == *options.tier);
    CHECK(usual.scenario.breaks == config.scenario.breaks);
    CHECK(usual.scenario.detected_by == config.scenario.detected_by);
    CHECK(usual.clocks.violate_clock_bound == config.clocks.violate_clock_bound);
  }
}

TEST_CASE("amounts shrink, whole numbers or not") {
  Config config;
  config.workload.kind = WorkloadKind::kRegistry;
  config.workload.registry.rate = 12.5;
  config.workload.registry.clients = 3;
  std::set<double> rates;
  std::set<std::uint64_t> clients;
  for (const Config& each : shrink::candidates_of(config)) {
    rates.insert(each.workload.registry.rate);
    clients.insert(each.workload.registry.clients);
  }
  CHECK(rates == std::set{1.0, 6.25, 12.5});
  CHECK(clients == std::set<std::uint64_t>{1, 3});
}

TEST_CASE("replicas and datacenters are removed while the scenario stays valid") {
  const LoadResult loaded = load("scenarios/healthy.toml", {});
  REQUIRE(loaded);
  std::set<std::size_t> replicas;
  std::set<std::size_t> places;
  for (const Config& each : shrink::candidates_of(loaded.config())) {
    replicas.insert(each.registry.replicas.size());
    places.insert(each.topology.datacenters.size());
  }
  CHECK(replicas == std::set<std::size_t>{3, 5});
  CHECK(places.contains(loaded.config().topology.datacenters.size() - 1));
}

TEST_CASE(
    "DESIGN-6 datacenters that a failure does not need are removed, with their links and "
    "replicas") {
  swarm::Options options;
  Config config = swarm::scenario(options, 1);
  for (std::uint64_t seed = 2; config.registry.replicas.size() < 5; ++seed) {
    config = swarm::scenario(options, seed);
  }
  config = shrink::with_events(config, shrink::Kept(shrink::events_of(config), false));
  config.run.core.clear();
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (const Config& each : shrink::candidates_of(config)) {
      const bool topology = each.topology != config.topology || each.registry != config.registry;
      if (!topology || !load_text(to_toml(each), "candidate")) continue;
      config = each;
      smaller = true;
      break;
    }
  }
  CHECK(config.registry.replicas.size() == 3);
  CHECK(config.topology.datacenters.size() == 3);
  CHECK(config.topology.pipelines.size() == 1);
  CHECK(config.network.links.size() == 3);
}

TEST_CASE("DESIGN-6 a failing scenario shrinks until nothing more can be removed", "[sweep]") {
  const std::string lost = R"(",at="1s",restart_after="100ms",lose_disk=true})";
  const LoadResult loaded = load(
      "scenarios/registry/quiet.toml",
      std::vector<std::string>{"run.duration=3s", "run.warm_up=0s", "workload.registry.rate=20",
                               R"(faults.crash=[{process="registry/0@us-west1)" + lost +
                                   R"(,{process="registry/0@us-west2)" + lost +
                                   R"(,{process="registry/0@us-central1)" + lost +
                                   R"(,{process="registry/0@us-east4",at="2s"}])"});
  if (!loaded) FAIL(format(loaded.diagnostics()));
  const auto run = [](const Config& config) {
    return run_scenario({&config, config.run.seed, nullptr, nullptr}).assume_value();
  };
  const std::vector<shrink::FoundFailure> failures = shrink::failures_of(run(loaded.config()));
  REQUIRE_FALSE(failures.empty());
  const photonsim::campaigns::FailureCause& cause = failures.front().cause;
  std::size_t ran = 0;
  shrink::Trials trials;
  trials.fail = [&](const std::vector<Config>& candidates) {
    CHECK(candidates.size() <= trials.at_once);
    std::vector<bool> fail;
    for (const Config& each : candidates) {
      ++ran;
      fail.push_back(shrink::find(shrink::failures_of(run(each)), cause) != nullptr);
    }
    return fail;
  };
  const auto never = [] { return false; };
  const shrink::Shrunk shrunk = shrink::shrink(loaded.config(), trials, never);
  CHECK(shrunk.exhausted);
  CHECK(shrink::find(shrink::failures_of(run(shrunk.config)), cause) != nullptr);
  CHECK(shrink::events_of(shrunk.config) == 3);  // two disks are no majority
  CHECK(shrunk.config.workload.registry.rate < 20);
  CHECK(shrunk.runs < 44);  // the number needed without a memory of trials
  CHECK(ran == shrunk.runs);
  // Several candidates at once: the same result, though some of them are discarded.
  ran = 0;
  trials.at_once = 3;
  const shrink::Shrunk at_once = shrink::shrink(loaded.config(), trials, never);
  CHECK(at_once.config == shrunk.config);
  CHECK(at_once.runs == shrunk.runs);
  CHECK(ran > at_once.runs);
  // After the stop request nothing more is tried, and the result is not exhausted.
  trials.at_once = 1;
  std::uint64_t asked = 0;
  const shrink::Shrunk cut_short =
      shrink::shrink(loaded.config(), trials, [&] { return ++asked == 5; });
  CHECK(asked == 5);
  CHECK(cut_short.runs < 5);
  CHECK_FALSE(cut_short.exhausted);
  // The same when a candidate was cut off.
  trials.fail = [](const std::vector<Config>&) { return std::vector<bool>{}; };
  CHECK_FALSE(shrink::shrink(loaded.config(), trials, never).exhausted);
}
