// The guided search: its changes stay in their tier, and its result depends on nothing
// but its options.
#include <algorithm>
#include <set>
#include <string>

#include "campaigns/guided/script.h"
#include "campaigns/guided/search.h"
#include "campaigns/guided/time_compression.h"
#include "campaigns/swarm/swarm.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/outage.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/slow.h"
#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios::guided {
namespace {

Candidate drawn(std::uint64_t seed) {
  return {seed, swarm::scenario({.tier = Tier::kWithin}, seed)};
}

std::string place_of(const std::string& replica) { return replica.substr(replica.find('@') + 1); }

// Places whose disks are lost or hold wrong bytes.
std::set<std::string> harmed(const Config& config) {
  std::set<std::string> places;
  for (const CrashFault& each : config.faults.of<CrashFault>()) {
    if (each.lose_disk) places.insert(place_of(each.process));
  }
  for (const DiskFault& each : config.faults.of<DiskFault>()) {
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
  std::erase_if(late.faults.of<CrashFault>(),
                [&](const CrashFault& each) { return each.at < *config.run.duration / 3 * 2; });
  return harmed(late);
}

// Datacenters that are out as a whole at some time.
std::set<std::string> failing(const Config& config) {
  std::set<std::string> places;
  for (const OutageFault& each : config.faults.of<OutageFault>()) {
    const bool whole =
        each.component == OutageComponent::kAll || each.component == OutageComponent::kRegistry;
    if (!whole) continue;
    for (const std::string& place : expand_name(config, each.datacenter)) places.insert(place);
  }
  for (const SlowFault& each : config.faults.of<SlowFault>()) places.insert(each.datacenter);
  return places;
}

struct Ran {
  RunOutcome outcome{};
  Features features{};
};

Ran run(const Candidate& candidate, const RareMarks& rare) {
  RunRequest request{&candidate.config, candidate.config.run.seed, nullptr, nullptr};
  request.moments = true;
  Ran ran{run_scenario(request).assume_value(), {}};
  ran.features = features_of(ran.outcome, rare);
  return ran;
}

SearchOptions options_of(std::uint64_t seed, Feedback feedback = Feedback::on) {
  return {seed, feedback, [](std::uint64_t of) { return swarm::scenario({}, of); }};
}

constexpr std::uint64_t kFirst = 5;

// This number of batches, each run from its first configuration to its last, or the reverse.
Search searched(std::uint64_t batches, bool backwards) {
  Search search(options_of(kFirst));
  for (std::uint64_t i = 0; i < batches; ++i) {
    const std::vector<Candidate> candidates = search.plan();
    std::vector<Ran> runs(candidates.size());
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      const std::size_t number = backwards ? candidates.size() - 1 - j : j;
      runs[number] = run(candidates[number], search.rare_marks());
    }
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      search.learn(candidates[j], runs[j].features, runs[j].outcome.summary.events);
    }
  }
  return search;
}

}  // namespace

TEST_CASE("DESIGN-6 guided: mutations keep a configuration within tolerance in its tier",
          "[sweep]") {
  std::uint64_t changed = 0;
  std::set<std::uint64_t> different;
  for (std::uint64_t seed = 1; seed <= 125; ++seed) {
    Candidate candidate = drawn(seed);
    const std::size_t minority = candidate.config.registry.replicas.size() / 2;
    const std::vector<std::int64_t> seconds{3, 40};
    for (std::uint32_t i = 0; i < 8; ++i) {
      INFO("seed " << seed << ", change " << i);
      swarm::Rng rng(seed, swarm::Part::guided, i);
      const Candidate before = candidate;
      const Candidate other = drawn(seed);
      candidate = mutate(candidate, {&seconds, &other}, rng);
      swarm::Rng again(seed, swarm::Part::guided, i);
      CHECK(mutate(before, {&seconds, &other}, again).config == candidate.config);
      CHECK(load_text(to_toml(candidate.config), "mutant").ok());
      Config limited = candidate.config;
      swarm::limit_slowness(limited);
      CHECK(limited == candidate.config);
      CHECK(candidate.config.scenario.tier == Tier::kWithin);
      CHECK(candidate.root_seed == seed);
      CHECK(harmed(candidate.config).size() <= minority);
      CHECK(failing(candidate.config).size() <= minority);
      for (const std::string& place : candidate.config.run.core) {
        const bool pipeline = std::ranges::count(candidate.config.topology.pipelines, place) > 0;
        CHECK((pipeline || !unsound(candidate.config).contains(place)));
      }
      changed += candidate.config == before.config ? 0 : 1;
      different.insert(config_hash(candidate.config));
    }
  }
  CHECK(changed > 990);
  CHECK(different.size() > 990);
}

TEST_CASE("DESIGN-6 guided: time compression keeps the script and the tier of a configuration",
          "[sweep]") {
  const auto script_of = [](Config config) {
    std::vector<Duration> times;
    each_place(config, [&](const PlaceInTime& place) { times.push_back(*place.at); });
    return times;
  };
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Config whole = drawn(seed).config;
    for (unsigned halvings = 1; halvings <= 3; ++halvings) {
      INFO("seed " << seed << ", halvings " << halvings);
      const Config shorter = compressed(whole, halvings);
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

TEST_CASE("guided: a time-compressed configuration takes fewer events and stays clean", "[sweep]") {
  const RareMarks none(photon::all_marks().size(), false);
  std::uint64_t whole = 0;
  std::uint64_t shorter = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    INFO("seed " << seed);
    Candidate candidate = drawn(seed);
    whole += run(candidate, none).outcome.summary.events;
    candidate.config = compressed(candidate.config, 2);
    const RunOutcome outcome = run(candidate, none).outcome;
    shorter += outcome.summary.events;
    CHECK(outcome.safety_violations == 0);
    CHECK(outcome.liveness_violations == 0);
    CHECK_FALSE(outcome.failed_check);
  }
  CHECK(shorter < whole / 2);
}

TEST_CASE("guided: a splice of two configurations has no fault twice that both have") {
  const Candidate candidate = drawn(3);
  for (std::uint32_t i = 0; i < 100; ++i) {
    swarm::Rng rng(3, swarm::Part::guided, i);
    const Candidate joined = mutate(candidate, {nullptr, &candidate}, rng);
    for (const LinkFault& each : candidate.config.faults.of<LinkFault>()) {
      CHECK(std::ranges::count(joined.config.faults.of<LinkFault>(), each) <=
            std::ranges::count(candidate.config.faults.of<LinkFault>(), each));
    }
    for (const CrashFault& each : candidate.config.faults.of<CrashFault>()) {
      CHECK(std::ranges::count(joined.config.faults.of<CrashFault>(), each) <=
            std::ranges::count(candidate.config.faults.of<CrashFault>(), each));
    }
  }
}

TEST_CASE(
    "guided: lasting states are features, and interruptions of a few seconds do not end them") {
  const auto features = [](const std::vector<std::int64_t>& seconds) {
    RunOutcome outcome;
    for (const std::int64_t each : seconds) outcome.moments.push_back({each, {7}});
    return features_of(outcome, RareMarks(8, false)).all;
  };
  CHECK(features({1, 20, 40}).empty());
  CHECK(features({1, 3, 6, 10}).size() == 1);
  CHECK(features({1, 3, 6, 10}) == features({50, 54, 58, 59, 90}));
  CHECK(features({1, 3, 6, 10}) != features({1, 3, 6, 10, 14, 17}));
}

TEST_CASE("guided: a configuration of the corpus reaches the same features when it is rerun") {
  const RareMarks all(photon::all_marks().size(), true);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    swarm::Rng rng(seed, swarm::Part::guided);
    const Candidate candidate = mutate(drawn(seed), {}, rng);
    const Ran first = run(candidate, all);
    const Ran again = run(candidate, all);
    CHECK(first.features.all.size() > 50);
    CHECK(first.features.all == again.features.all);
    CHECK(first.features.seconds == again.features.seconds);
    // Also when it is read from a file.
    const LoadResult loaded = load_text(to_brief_toml(candidate.config), "kept.toml");
    REQUIRE(loaded.ok());
    CHECK(run({seed, loaded.config()}, all).outcome.summary.fingerprint ==
          first.outcome.summary.fingerprint);
  }
}

TEST_CASE("guided: the order of the runs of a batch does not change the result", "[sweep]") {
  const Search forwards = searched(3, false);
  Search backwards = searched(3, true);
  CHECK(forwards.corpus().size() > 48);
  CHECK(forwards.corpus().size() == backwards.corpus().size());
  CHECK(forwards.corpus().features() == backwards.corpus().features());
  Search once_more = forwards;
  const std::vector<Candidate> one = once_more.plan();
  const std::vector<Candidate> other = backwards.plan();
  REQUIRE(one.size() == other.size());
  std::size_t of_the_first = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].config == other[i].config);
    of_the_first += one[i].root_seed < kFirst + kBatch ? 1 : 0;
  }
  CHECK(of_the_first > one.size() / 4);
}

TEST_CASE("guided: without feedback the configurations are the swarm's, in order") {
  Search search(options_of(70, Feedback::off));
  for (std::uint64_t seed = 70; seed < 70 + 2 * kBatch;) {
    for (const Candidate& candidate : search.plan()) {
      CHECK(candidate.config == swarm::scenario({}, seed));
      ++seed;
    }
    search.learn(drawn(1), {{1, 2, 3}, {}}, 10);
  }
  CHECK(search.corpus().empty());
}

TEST_CASE(
    "guided: configurations with new features enter the corpus, rare ones are chosen more often") {
  Corpus corpus;
  const auto candidate = [](std::uint64_t seed) { return Candidate{seed, Config{}}; };
  CHECK(corpus.offer(candidate(1), {{1}, {}}, 100));
  for (int i = 0; i < 50; ++i) CHECK_FALSE(corpus.offer(candidate(2), {{1}, {}}, 100));
  CHECK(corpus.offer(candidate(3), {{1, 2}, {}}, 100));
  CHECK(corpus.size() == 2);
  CHECK(corpus.features() == 2);
  swarm::Rng rng(1, swarm::Part::guided);
  int rare = 0;
  for (int i = 0; i < 20; ++i) rare += corpus.candidate(corpus.choose(rng)).root_seed == 3 ? 1 : 0;
  CHECK(rare > 15);
}

}  // namespace photonsim::scenarios::guided
