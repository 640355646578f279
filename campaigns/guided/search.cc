#include "campaigns/guided/search.h"

#include <utility>

#include "campaigns/guided/squeeze.h"
#include "campaigns/swarm/swarm_faults.h"
#include "campaigns/swarm/swarm_sense.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

constexpr std::uint64_t kStart = kGeneration;  // generated before the first mutation
constexpr double kFresh = 0.25;                // share of generated ones after them
constexpr double kDenser = 0.5;  // share of those that are mutated at once, mostly by additions
constexpr unsigned kMostHalvings = 2;

}  // namespace

World Search::drawn() {
  const std::uint64_t seed = options_.seed + drawn_++;
  return {seed, options_.draw(seed)};
}

// Compresses a generated configuration in time, and often adds faults: more of them overlap for the
// same number of events.
World Search::dense(swarm::Dice& dice) {
  World world = drawn();
  world.config = squeezed(world.config, static_cast<unsigned>(dice.count(1, kMostHalvings)));
  return dice.chance(kDenser) ? mutate(world, {}, dice) : world;
}

std::vector<World> Search::plan() {
  rare_ = corpus_.rare_marks();
  std::vector<World> worlds;
  while (worlds.size() < kGeneration) {
    swarm::Dice dice(options_.seed, swarm::Part::guided, static_cast<std::uint32_t>(planned_++));
    if (options_.feedback == Feedback::off) {
      worlds.push_back(drawn());
      continue;
    }
    if (planned_ <= kStart || corpus_.empty() || dice.chance(kFresh)) {
      worlds.push_back(dense(dice));
      continue;
    }
    const std::size_t chosen = corpus_.choose(dice);
    const Hints hints = corpus_.hints(chosen, dice);
    worlds.push_back(mutate(corpus_.world(chosen), hints, dice));
  }
  return worlds;
}

void Search::learn(const World& world, const Signals& signals, std::uint64_t events) {
  if (options_.feedback == Feedback::on) corpus_.offer(world, signals, events);
}

Config with_drawn_faults(const Config& scenario, std::uint64_t seed) {
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
