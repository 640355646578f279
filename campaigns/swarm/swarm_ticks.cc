#include "campaigns/swarm/swarm_ticks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "campaigns/swarm/rng.h"
#include "scenarios/faults/clock.h"
#include "scenarios/language/schema.h"
#include "scenarios/schema/key.h"

namespace photonsim::scenarios::swarm {
namespace {

// Parameters of distributions: what is drawn from them ends at a tick anyway.
constexpr std::array<std::string_view, 4> kDistributions{"network", "disk", "cell", "shipping"};

// A process does one thing in a tick if that takes any time: many that are quick take none.
constexpr std::string_view kServiceTimes = "service";

// Spans become longer, so that none vanishes. Faults and operations come earlier: they begin before
// the end of the load.
Duration rounded(std::string_view table, Duration span, Duration tick) {
  const Duration less = span - span % tick;
  if (table == kServiceTimes || span == less) return less;
  const bool planned = table.starts_with("faults") || table.starts_with("operations");
  return planned ? std::max(less, tick) : less + tick;
}

}  // namespace

void round_to_tick(Config& config) {
  const Duration tick = config.run.tick;
  if (tick == Duration::zero()) return;
  // The bound of the clocks covers no more.
  config.clocks.stamp_resolution -= config.clocks.stamp_resolution % tick;
  for (const TableSpec* const table : all_tables()) {
    if (std::ranges::find(kDistributions, table->path) != kDistributions.end()) continue;
    const std::size_t elements = table->size(config);
    for (std::size_t element = 0; element < elements; ++element) {
      for (std::size_t i = 0; i < table->key_count; ++i) {
        const Slot slot = table->slot(config, element, i);
        if (auto* const* plain = std::get_if<Duration*>(&slot)) {
          **plain = rounded(table->path, **plain, tick);
        } else if (auto* const* optional = std::get_if<std::optional<Duration>*>(&slot)) {
          if (**optional) **optional = rounded(table->path, ***optional, tick);
        }
      }
    }
  }
  Registry& r = config.registry;
  if (r.election_timeout <= r.lease) r.election_timeout = r.lease + tick;
  // An error of synchronisation that has grown leaves faults of clocks less room, and a fault that
  // was shorter than a tick has grown itself.
  std::vector<ClockFault>& faults = config.faults.of<ClockFault>();
  if (config.clocks.violate_clock_bound) return;
  if (clock_room(config.clocks) <= Duration{0}) faults.clear();
  for (ClockFault& fault : faults) limit_to_room(config.clocks, fault);
}

void draw_tick(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::ticks);
  if (!rng.chance(0.25)) return;
  Duration tick = rng.one_of<Duration>({1ms, 2ms, 5ms, 10ms, 20ms, 50ms});
  // A message is late by up to a tick, as if the network added it: what is computed from the jitter
  // of the network takes it into account.
  while (tick > 1ms && 20 * tick > config.registry.heartbeat) tick /= 2;
  config.network.jitter_mean = std::max(config.network.jitter_mean, tick);
  if (rng.chance(0.5)) {
    config.clocks.drift = 0;
    config.registry.clock_drift_bound = 0;
  }
  config.run.tick = tick;
}

}  // namespace photonsim::scenarios::swarm
