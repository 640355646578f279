#include "campaigns/guided/mutation.h"

#include <algorithm>

#include "campaigns/guided/script.h"
#include "campaigns/swarm/swarm_faults.h"
#include "campaigns/swarm/swarm_sense.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

using swarm::Dice;

constexpr int kTries = 8;  // to make a valid world
constexpr std::size_t kMostPieces = 60;

std::vector<PlaceInTime> places_of(Config& config) {
  std::vector<PlaceInTime> places;
  each_place(config, [&](const PlaceInTime& place) { places.push_back(place); });
  return places;
}

// Removes the fault or operation of that number, as each_place counts.
void take_out(Config& config, std::size_t number) {
  for (const FaultTable* const table : kAllFaults) {
    const std::size_t entries = table->script.size(config.faults);
    if (number < entries) return table->script.erase(config.faults, number);
    number -= entries;
  }
  bool found = false;
  each_operation_list(config, [&](auto& list) {
    if (found) return;
    found = number < list.size();
    if (found) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(number));
    } else {
      number -= list.size();
    }
  });
}

class Mutation {
 public:
  Mutation(World world, const Hints& hints, Dice& dice)
      : world_(std::move(world)), hints_(hints), dice_(dice) {}

  World carry_out() {
    for (std::uint64_t steps = dice_.size(2, 24); steps > 0; --steps) step();
    if (dice_.chance(0.25)) reseed();
    // Who must work alone in the end follows from the faults.
    world_.config.run.core.clear();
    world_.config.run.outside_core = Run{}.outside_core;
    if (world_.config.scenario.tier != Tier::kContract) {
      swarm::limit_slowness(world_.config);
      swarm::draw_core(world_.config, world_.world_seed);
    }
    return std::move(world_);
  }

 private:
  Config& config() { return world_.config; }

  void step() {
    const std::size_t pieces = places_of(config()).size();
    const std::uint64_t choice = dice_.count(0, 99);
    if (pieces == 0 || (choice < 45 && pieces < kMostPieces)) return add();
    if (choice < 55) return take_out(config(), dice_.count(0, pieces - 1));
    if (choice < 75) return move();
    if (choice < 85) return lengthen();
    if (choice < 92 && hints_.other != nullptr) return join();
    const std::uint64_t number = dice_.count(0, pieces - 1);
    const Duration at = *places_of(config())[number].at;
    take_out(config(), number);
    add(at);
  }

  void add(std::optional<Duration> at = {}) {
    std::vector<std::size_t> sizes;
    for (const FaultTable* const table : kAllFaults) {
      sizes.push_back(table->script.size(config().faults));
    }
    swarm::add_fault(config(), world_.world_seed, dice_);
    if (!at && !dice_.chance(0.6)) return;
    for (std::size_t table = 0; table < kAllFaults.size(); ++table) {
      const FaultScript& script = kAllFaults[table]->script;
      for (std::size_t i = sizes[table]; i < script.size(config().faults); ++i) {
        *script.place(config().faults, i).at = at ? *at : moment();
      }
    }
  }

  void move() {
    std::vector<PlaceInTime> places = places_of(config());
    *places[dice_.count(0, places.size() - 1)].at = moment();
  }

  void lengthen() {
    std::vector<PlaceInTime> places = places_of(config());
    Duration* const length = places[dice_.count(0, places.size() - 1)].length;
    if (length == nullptr) return;
    const auto quarters = static_cast<std::int64_t>(dice_.size(1, 16));
    *length = std::clamp<Duration>(*length / 4 * quarters / 1ms * 1ms, 10ms, 60s);
  }

  // Half of what the other one has.
  void join() {
    Config other = hints_.other->config;
    for (std::uint64_t left = places_of(other).size() / 2; left > 0; --left) {
      take_out(other, dice_.count(0, places_of(other).size() - 1));
    }
    if (places_of(config()).size() + places_of(other).size() > kMostPieces) return;
    append(config().faults, other.faults);
  }

  static void append(Faults& to, const Faults& from) {
    for (const FaultTable* const table : kAllFaults) table->script.join(to, from);
  }

  void reseed() { config().run.seed = dice_.count(1, 1'000'000'000); }

  // Anywhere, near another fault, or near a second that was worth something.
  Duration moment() {
    const Duration last = std::max<Duration>(*config().run.duration - 500ms, 100ms);
    Duration at =
        100ms * static_cast<std::int64_t>(dice_.count(1, static_cast<std::uint64_t>(last / 100ms)));
    const std::uint64_t choice = dice_.count(0, 9);
    const bool remembered = hints_.seconds != nullptr && !hints_.seconds->empty();
    if (choice < 4 && remembered) {
      at = 1s * dice_.of(*hints_.seconds) + off(2000);
    } else if (choice < 7) {
      std::vector<PlaceInTime> places = places_of(config());
      const PlaceInTime& near = places[dice_.count(0, places.size() - 1)];
      at = *near.at + off(1000);
      if (near.length != nullptr && dice_.chance(0.5)) at += *near.length;
    }
    return std::clamp<Duration>(at, 10ms, last);
  }

  // Up to so many milliseconds before or behind.
  Duration off(std::uint64_t most) {
    const auto by = static_cast<std::int64_t>(dice_.size(1, most)) * 1ms;
    return dice_.chance(0.5) ? by : -by;
  }

  World world_;
  const Hints& hints_;
  Dice& dice_;
};

}  // namespace

World mutate(const World& world, const Hints& hints, Dice& dice) {
  for (int i = 0; i < kTries; ++i) {
    World mutant = Mutation(world, hints, dice).carry_out();
    LoadResult loaded = load_text(to_toml(mutant.config), mutant.config.scenario.name);
    if (!loaded) continue;
    mutant.config = loaded.config();
    return mutant;
  }
  World again = world;
  again.config.run.seed = dice.count(1, 1'000'000'000);
  return again;
}

}  // namespace photonsim::scenarios::guided
