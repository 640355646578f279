#include "campaigns/guided/mutation.h"

#include <algorithm>
#include <concepts>

#include "campaigns/guided/script.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "campaigns/swarm/swarm_faults.h"
#include "scenarios/language/loader.h"

namespace photonsim::scenarios::guided {
namespace {

using swarm::Rng;

constexpr int kTries = 8;  // attempts at a valid configuration
constexpr std::size_t kMostPieces = 60;

template <class Piece>
concept Lasting = requires(Piece piece) {
  { piece.duration } -> std::convertible_to<Duration>;
};
template <class Piece>
concept Restarting = requires(Piece piece) {
  { piece.restart_after } -> std::convertible_to<Duration>;
};
// Pieces whose duration the clock bound limits.
template <class Piece>
concept OfClocks = std::same_as<Piece, ClockFault> || std::same_as<Piece, TrueTimeOutageFault>;

template <class Piece>
Duration* length_of(Piece& piece) {
  if constexpr (OfClocks<Piece>) {
    return nullptr;
  } else if constexpr (Lasting<Piece>) {
    return &piece.duration;
  } else if constexpr (Restarting<Piece>) {
    return &piece.restart_after;
  } else {
    return nullptr;
  }
}

struct Place {
  Duration* at = nullptr;
  Duration* length = nullptr;  // null: none, or fixed
};

std::vector<Place> places_of(Config& config) {
  std::vector<Place> places;
  each_list(config, [&](auto& list) {
    for (auto& piece : list) places.push_back({&piece.at, length_of(piece)});
  });
  return places;
}

void take_out(Config& config, std::uint64_t number) {
  each_list(config, [&](auto& list) {
    if (number < list.size()) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(number));
      number = ~std::uint64_t{0};
    } else if (number != ~std::uint64_t{0}) {
      number -= list.size();
    }
  });
}

class Mutation {
 public:
  Mutation(Candidate candidate, const Hints& hints, Rng& rng)
      : candidate_(std::move(candidate)), hints_(hints), rng_(rng) {}

  Candidate carry_out() {
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
    each_list(config(), [&](const auto& list) { sizes.push_back(list.size()); });
    swarm::add_fault(config(), candidate_.root_seed, rng_);
    const bool moved = at || rng_.chance(0.6);
    auto before = sizes.begin();
    each_list(config(), [&](auto& list) {
      const std::size_t known = *before++;
      for (std::size_t i = known; i < list.size() && moved; ++i) list[i].at = at ? *at : moment();
    });
  }

  void move() {
    std::vector<Place> places = places_of(config());
    *places[rng_.count(0, places.size() - 1)].at = moment();
  }

  void lengthen() {
    std::vector<Place> places = places_of(config());
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
    // Skips pieces that both have from a common ancestor: repeated copies of a message duplication
    // would double all traffic with each join, until runs do not end.
    const auto all = [](auto& list, const auto& more) {
      for (const auto& each : more) {
        if (std::ranges::find(list, each) == list.end()) list.push_back(each);
      }
    };
    all(to.outages, from.outages), all(to.crashes, from.crashes), all(to.pauses, from.pauses);
    all(to.partitions, from.partitions), all(to.links, from.links), all(to.slow, from.slow);
    all(to.disks, from.disks), all(to.log_damages, from.log_damages);
    all(to.log_stalls, from.log_stalls), all(to.output_losses, from.output_losses);
    all(to.cache_losses, from.cache_losses), all(to.log_truncations, from.log_truncations);
    all(to.late_configurations, from.late_configurations);
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
      std::vector<Place> places = places_of(config());
      const Place& near = places[rng_.count(0, places.size() - 1)];
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
    Candidate mutant = Mutation(candidate, hints, rng).carry_out();
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
