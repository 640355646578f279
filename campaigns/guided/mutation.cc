#include "campaigns/guided/mutation.h"

#include <algorithm>

#include "campaigns/guided/script.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "campaigns/swarm/swarm_faults.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

using swarm::Rng;

constexpr int kTries = 8;  // attempts at a valid configuration
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
  Mutation(Candidate candidate, const Hints& hints, Rng& rng)
      : candidate_(std::move(candidate)), hints_(hints), rng_(rng) {}

  Candidate run() {
    for (std::uint64_t steps = rng_.size(2, 24); steps > 0; --steps) step();
    if (rng_.chance(0.25)) reseed();
    // The core depends on the faults.
    candidate_.config.run.core.clear();
    candidate_.config.run.outside_core = Run{}.outside_core;
    if (candidate_.config.scenario.tier != Tier::kContract) {
      swarm::limit_slowness(candidate_.config);
      swarm::draw_core(candidate_.config, candidate_.root_seed);
    }
    return std::move(candidate_);
  }

 private:
  Config& config() { return candidate_.config; }

  void step() {
    const std::size_t pieces = places_of(config()).size();
    const std::uint64_t choice = rng_.count(0, 99);
    if (pieces == 0 || (choice < 45 && pieces < kMostPieces)) return add();
    if (choice < 55) return take_out(config(), rng_.count(0, pieces - 1));
    if (choice < 75) return move();
    if (choice < 85) return lengthen();
    if (choice < 92 && hints_.other != nullptr) return join();
    const std::uint64_t number = rng_.count(0, pieces - 1);
    const Duration at = *places_of(config())[number].at;
    take_out(config(), number);
    add(at);
  }

  void add(std::optional<Duration> at = {}) {
    std::vector<std::size_t> sizes;
    for (const FaultTable* const table : kAllFaults) {
      sizes.push_back(table->script.size(config().faults));
    }
    swarm::add_fault(config(), candidate_.root_seed, rng_);
    if (!at && !rng_.chance(0.6)) return;
    for (std::size_t table = 0; table < kAllFaults.size(); ++table) {
      const FaultScript& script = kAllFaults[table]->script;
      for (std::size_t i = sizes[table]; i < script.size(config().faults); ++i) {
        *script.place(config().faults, i).at = at ? *at : moment();
      }
    }
  }

  void move() {
    std::vector<PlaceInTime> places = places_of(config());
    *places[rng_.count(0, places.size() - 1)].at = moment();
  }

  void lengthen() {
    std::vector<PlaceInTime> places = places_of(config());
    Duration* const length = places[rng_.count(0, places.size() - 1)].length;
    if (length == nullptr) return;
    const auto quarters = static_cast<std::int64_t>(rng_.size(1, 16));
    *length = std::clamp<Duration>(*length / 4 * quarters / 1ms * 1ms, 10ms, 60s);
  }

  // Takes half of the other configuration's pieces.
  void join() {
    Config other = hints_.other->config;
    for (std::uint64_t left = places_of(other).size() / 2; left > 0; --left) {
      take_out(other, rng_.count(0, places_of(other).size() - 1));
    }
    if (places_of(config()).size() + places_of(other).size() > kMostPieces) return;
    append(config().faults, other.faults);
  }

  static void append(Faults& to, const Faults& from) {
    for (const FaultTable* const table : kAllFaults) table->script.join(to, from);
  }

  void reseed() { config().run.seed = rng_.count(1, 1'000'000'000); }

  // Any time, a time near another fault, or a time near one of the hinted seconds.
  Duration moment() {
    const Duration last = std::max<Duration>(*config().run.duration - 500ms, 100ms);
    Duration at =
        100ms * static_cast<std::int64_t>(rng_.count(1, static_cast<std::uint64_t>(last / 100ms)));
    const std::uint64_t choice = rng_.count(0, 9);
    const bool remembered = hints_.seconds != nullptr && !hints_.seconds->empty();
    if (choice < 4 && remembered) {
      at = 1s * rng_.of(*hints_.seconds) + off(2000);
    } else if (choice < 7) {
      std::vector<PlaceInTime> places = places_of(config());
      const PlaceInTime& near = places[rng_.count(0, places.size() - 1)];
      at = *near.at + off(1000);
      if (near.length != nullptr && rng_.chance(0.5)) at += *near.length;
    }
    return std::clamp<Duration>(at, 10ms, last);
  }

  // At most `most` milliseconds before or after.
  Duration off(std::uint64_t most) {
    const auto by = static_cast<std::int64_t>(rng_.size(1, most)) * 1ms;
    return rng_.chance(0.5) ? by : -by;
  }

  Candidate candidate_;
  const Hints& hints_;
  Rng& rng_;
};

}  // namespace

Candidate mutate(const Candidate& candidate, const Hints& hints, Rng& rng) {
  for (int i = 0; i < kTries; ++i) {
    Candidate mutant = Mutation(candidate, hints, rng).run();
    LoadResult loaded = load_text(to_toml(mutant.config), mutant.config.scenario.name);
    if (!loaded) continue;
    mutant.config = loaded.config();
    return mutant;
  }
  Candidate again = candidate;
  again.config.run.seed = rng.count(1, 1'000'000'000);
  return again;
}

}  // namespace photonsim::scenarios::guided
