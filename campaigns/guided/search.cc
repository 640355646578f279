#include "campaigns/guided/search.h"

#include <utility>

#include "campaigns/guided/time_compression.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "campaigns/swarm/swarm_faults.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

constexpr std::uint64_t kStart = kBatch;  // generated before the first mutation
constexpr double kFresh = 0.25;           // share of generated ones after them
constexpr double kDenser = 0.5;  // share of those that are mutated at once, mostly by additions
constexpr unsigned kMostHalvings = 2;

}  // namespace

Candidate Search::fresh() {
  const std::uint64_t seed = options_.seed + fresh_++;
  return {seed, options_.generate(seed)};
}

// Compresses a generated configuration in time, and often adds faults: more of them overlap for the
// same number of events.
Candidate Search::compressed_candidate(swarm::Rng& rng) {
  Candidate candidate = fresh();
  candidate.config =
      compressed(candidate.config, static_cast<unsigned>(rng.count(1, kMostHalvings)));
  return rng.chance(kDenser) ? mutate(candidate, {}, rng) : candidate;
}

std::vector<Candidate> Search::plan() {
  rare_ = corpus_.rare_marks();
  std::vector<Candidate> candidates;
  while (candidates.size() < kBatch) {
    swarm::Rng rng(options_.seed, swarm::Part::guided, static_cast<std::uint32_t>(planned_++));
    if (options_.feedback == Feedback::off) {
      candidates.push_back(fresh());
      continue;
    }
    if (planned_ <= kStart || corpus_.empty() || rng.chance(kFresh)) {
      candidates.push_back(compressed_candidate(rng));
      continue;
    }
    const std::size_t chosen = corpus_.choose(rng);
    const Hints hints = corpus_.hints(chosen, rng);
    candidates.push_back(mutate(corpus_.candidate(chosen), hints, rng));
  }
  return candidates;
}

void Search::learn(const Candidate& candidate, const Features& features, std::uint64_t events) {
  if (options_.feedback == Feedback::on) corpus_.offer(candidate, features, events);
}

Config with_generated_faults(const Config& scenario, std::uint64_t seed) {
  Config config = scenario;
  config.run.seed = seed;
  swarm::draw_operations(config, seed);
  swarm::draw_faults(config, {}, seed);
  swarm::limit_slowness(config);
  swarm::draw_core(config, seed);
  const LoadResult loaded = load_text(to_toml(config), config.scenario.name);
  if (!loaded) PHOTON_CHECK(loaded.ok(), format(loaded.diagnostics()).c_str());
  return loaded.config();
}

}  // namespace photonsim::scenarios::guided
