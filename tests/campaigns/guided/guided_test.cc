// The guided search: its changes stay in their tier, and its result depends on nothing
// but its options.
#include <algorithm>
#include <set>
#include <string>

#include "campaigns/guided/script.h"
#include "campaigns/guided/search.h"
#include "campaigns/guided/squeeze.h"
#include "campaigns/swarm/swarm.h"
#include "campaigns/swarm/swarm_sense.h"
#include "scenarios/language/config_names.h"
#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios::guided {
namespace {

World drawn(std::uint64_t seed) { return {seed, swarm::scenario({.tier = Tier::kWithin}, seed)}; }

std::string place_of(const std::string& replica) { return replica.substr(replica.find('@') + 1); }

// Places whose disks are lost or hold wrong bytes.
std::set<std::string> harmed(const Config& config) {
  std::set<std::string> places;
  for (const CrashFault& each : config.faults.crashes) {
    if (each.lose_disk) places.insert(place_of(each.process));
  }
  for (const DiskFault& each : config.faults.disks) {
    const bool wrong =
        each.kind == DiskFaultKind::kBitRot || each.kind == DiskFaultKind::kMisdirectedWrite;
    if (wrong) places.insert(place_of(each.where));
  }
  return places;
}

// Those of these places whose disks do not count in the end: a disk that was replaced early has
// been admitted again since.
std::set<std::string> unsound(const Config& config) {
  Config late = config;
  std::erase_if(late.faults.crashes,
                [&](const CrashFault& each) { return each.at < *config.run.duration / 3 * 2; });
  return harmed(late);
}

// Datacenters that are out as a whole at some time.
std::set<std::string> failing(const Config& config) {
  std::set<std::string> places;
  for (const OutageFault& each : config.faults.outages) {
    const bool whole =
        each.component == OutageComponent::kAll || each.component == OutageComponent::kRegistry;
    if (!whole) continue;
    for (const std::string& place : expand_name(config, each.datacenter)) places.insert(place);
  }
  for (const SlowFault& each : config.faults.slow) places.insert(each.datacenter);
  return places;
}

struct Ran {
  RunOutcome outcome{};
  Signals signals{};
};

Ran run(const World& world, const RareMarks& rare) {
  RunRequest request{&world.config, world.config.run.seed, nullptr, nullptr};
  request.moments = true;
  Ran ran{run_scenario(request).assume_value(), {}};
  ran.signals = signals_of(ran.outcome, rare);
  return ran;
}

SearchOptions options_of(std::uint64_t seed, Feedback feedback = Feedback::on) {
  return {seed, feedback, [](std::uint64_t of) { return swarm::scenario({}, of); }};
}

constexpr std::uint64_t kFirst = 5;

// This number of generations, each run from its first configuration to its last, or the reverse.
Search searched(std::uint64_t generations, bool backwards) {
  Search search(options_of(kFirst));
  for (std::uint64_t i = 0; i < generations; ++i) {
    const std::vector<World> worlds = search.plan();
    std::vector<Ran> runs(worlds.size());
    for (std::size_t j = 0; j < worlds.size(); ++j) {
      const std::size_t number = backwards ? worlds.size() - 1 - j : j;
      runs[number] = run(worlds[number], search.rare_marks());
    }
    for (std::size_t j = 0; j < worlds.size(); ++j) {
      search.learn(worlds[j], runs[j].signals, runs[j].outcome.summary.events);
    }
  }
  return search;
}

}  // namespace

TEST_CASE("DESIGN-6 guided: a world within tolerance stays so, however often it is mutated") {
  std::uint64_t changed = 0;
  std::set<std::uint64_t> different;
  for (std::uint64_t seed = 1; seed <= 125; ++seed) {
    World world = drawn(seed);
    const std::size_t minority = world.config.registry.replicas.size() / 2;
    const std::vector<std::int64_t> seconds{3, 40};
    for (std::uint32_t i = 0; i < 8; ++i) {
      INFO("seed " << seed << ", change " << i);
      swarm::Dice dice(seed, swarm::Part::guided, i);
      const World before = world;
      const World other = drawn(seed);
      world = mutate(world, {&seconds, &other}, dice);
      swarm::Dice again(seed, swarm::Part::guided, i);
      CHECK(mutate(before, {&seconds, &other}, again).config == world.config);
      CHECK(load_text(to_toml(world.config), "mutant").ok());
      Config limited = world.config;
      swarm::limit_slowness(limited);
      CHECK(limited == world.config);
      CHECK(world.config.scenario.tier == Tier::kWithin);
      CHECK(world.world_seed == seed);
      CHECK(harmed(world.config).size() <= minority);
      CHECK(failing(world.config).size() <= minority);
      for (const std::string& place : world.config.run.core) {
        const bool pipeline = std::ranges::count(world.config.topology.pipelines, place) > 0;
        CHECK((pipeline || !unsound(world.config).contains(place)));
      }
      changed += world.config == before.config ? 0 : 1;
      different.insert(config_hash(world.config));
    }
  }
  CHECK(changed > 990);
  CHECK(different.size() > 990);
}

TEST_CASE(
    "DESIGN-6 guided: a time-compressed world has the same script in less time, in its tier") {
  const auto script_of = [](const Config& config) {
    std::vector<Duration> times;
    each_list(config, [&](const auto& list) {
      for (const auto& piece : list) times.push_back(piece.at);
    });
    return times;
  };
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Config whole = drawn(seed).config;
    for (unsigned halvings = 1; halvings <= 3; ++halvings) {
      INFO("seed " << seed << ", halvings " << halvings);
      const Config shorter = squeezed(whole, halvings);
      CHECK(load_text(to_toml(shorter), "shorter").ok());
      const Duration length = std::max<Duration>(*whole.run.duration / (1 << halvings), 5s);
      CHECK(*shorter.run.duration > length - 1ms);
      CHECK(*shorter.run.duration <= length);
      CHECK(shorter.workload.synthetic.clicks <= whole.workload.synthetic.clicks);
      const std::vector<Duration> before = script_of(whole);
      const std::vector<Duration> after = script_of(shorter);
      REQUIRE(after.size() == before.size());
      for (std::size_t i = 0; i < after.size(); ++i) {
        CHECK(after[i] < *shorter.run.duration);
        for (std::size_t j = 0; j < i; ++j) CHECK((before[j] > before[i] || after[j] <= after[i]));
      }
      CHECK(harmed(shorter) == harmed(whole));
      CHECK(failing(shorter) == failing(whole));
      CHECK(shorter.run.core == whole.run.core);
      CHECK(shorter.scenario.tier == Tier::kWithin);
    }
  }
}

TEST_CASE("guided: a time-compressed configuration takes fewer events and stays clean") {
  const RareMarks none(photon::all_marks().size(), false);
  std::uint64_t whole = 0;
  std::uint64_t shorter = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    INFO("seed " << seed);
    World world = drawn(seed);
    whole += run(world, none).outcome.summary.events;
    world.config = squeezed(world.config, 2);
    const RunOutcome outcome = run(world, none).outcome;
    shorter += outcome.summary.events;
    CHECK(outcome.safety_violations == 0);
    CHECK(outcome.liveness_violations == 0);
    CHECK_FALSE(outcome.failed_check);
  }
  CHECK(shorter < whole / 2);
}

TEST_CASE("guided: a splice of two configurations has no fault twice that both have") {
  const World world = drawn(3);
  for (std::uint32_t i = 0; i < 100; ++i) {
    swarm::Dice dice(3, swarm::Part::guided, i);
    const World joined = mutate(world, {nullptr, &world}, dice);
    for (const LinkFault& each : world.config.faults.links) {
      CHECK(std::ranges::count(joined.config.faults.links, each) <=
            std::ranges::count(world.config.faults.links, each));
    }
    for (const CrashFault& each : world.config.faults.crashes) {
      CHECK(std::ranges::count(joined.config.faults.crashes, each) <=
            std::ranges::count(world.config.faults.crashes, each));
    }
  }
}

TEST_CASE(
    "guided: lasting states are features, and interruptions of a few seconds do not end them") {
  const auto signals = [](const std::vector<std::int64_t>& seconds) {
    RunOutcome outcome;
    for (const std::int64_t each : seconds) outcome.moments.push_back({each, {7}});
    return signals_of(outcome, RareMarks(8, false)).all;
  };
  CHECK(signals({1, 20, 40}).empty());
  CHECK(signals({1, 3, 6, 10}).size() == 1);
  CHECK(signals({1, 3, 6, 10}) == signals({50, 54, 58, 59, 90}));
  CHECK(signals({1, 3, 6, 10}) != signals({1, 3, 6, 10, 14, 17}));
}

TEST_CASE("guided: a configuration of the corpus reaches the same features when it is rerun") {
  const RareMarks all(photon::all_marks().size(), true);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    swarm::Dice dice(seed, swarm::Part::guided);
    const World world = mutate(drawn(seed), {}, dice);
    const Ran first = run(world, all);
    const Ran again = run(world, all);
    CHECK(first.signals.all.size() > 50);
    CHECK(first.signals.all == again.signals.all);
    CHECK(first.signals.seconds == again.signals.seconds);
    // Also when it is read from a file.
    const LoadResult loaded = load_text(to_brief_toml(world.config), "kept.toml");
    REQUIRE(loaded.ok());
    CHECK(run({seed, loaded.config()}, all).outcome.summary.fingerprint ==
          first.outcome.summary.fingerprint);
  }
}

TEST_CASE("guided: the order of a generation's runs does not change the result") {
  const Search forwards = searched(3, false);
  Search backwards = searched(3, true);
  CHECK(forwards.corpus().size() > 48);
  CHECK(forwards.corpus().size() == backwards.corpus().size());
  CHECK(forwards.corpus().signals() == backwards.corpus().signals());
  Search once_more = forwards;
  const std::vector<World> one = once_more.plan();
  const std::vector<World> other = backwards.plan();
  REQUIRE(one.size() == other.size());
  std::size_t of_the_first = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].config == other[i].config);
    of_the_first += one[i].world_seed < kFirst + kGeneration ? 1 : 0;
  }
  CHECK(of_the_first > one.size() / 4);
}

TEST_CASE("guided: without feedback the configurations are the swarm's, in order") {
  Search search(options_of(70, Feedback::off));
  for (std::uint64_t seed = 70; seed < 70 + 2 * kGeneration;) {
    for (const World& world : search.plan()) {
      CHECK(world.config == swarm::scenario({}, seed));
      ++seed;
    }
    search.learn(drawn(1), {{1, 2, 3}, {}}, 10);
  }
  CHECK(search.corpus().empty());
}

TEST_CASE(
    "guided: configurations with new features enter the corpus, rare ones are chosen more often") {
  Corpus corpus;
  const auto world = [](std::uint64_t seed) { return World{seed, Config{}}; };
  CHECK(corpus.offer(world(1), {{1}, {}}, 100));
  for (int i = 0; i < 50; ++i) CHECK_FALSE(corpus.offer(world(2), {{1}, {}}, 100));
  CHECK(corpus.offer(world(3), {{1, 2}, {}}, 100));
  CHECK(corpus.size() == 2);
  CHECK(corpus.signals() == 2);
  swarm::Dice dice(1, swarm::Part::guided);
  int rare = 0;
  for (int i = 0; i < 20; ++i) rare += corpus.world(corpus.choose(dice)).world_seed == 3 ? 1 : 0;
  CHECK(rare > 15);
}

}  // namespace photonsim::scenarios::guided
