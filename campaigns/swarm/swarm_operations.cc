#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_faults.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/consequences.h"

namespace photonsim::scenarios::swarm {
namespace {

Duration moment_in(const Config& config, Rng& rng) {
  const auto steps = static_cast<std::uint64_t>(*config.run.duration / 100ms);
  return 100ms * static_cast<std::int64_t>(rng.count(0, steps - 5));
}

// Either a few at any time, or many in quick succession that overlap.
void draw_reshards(Config& config, Rng& rng) {
  auto& reshards = config.operations.reshards;
  if (rng.chance(0.7)) {
    for (std::uint64_t i = rng.count(0, 3); i > 0; --i) {
      reshards.push_back(
          {moment_in(config, rng), rng.count(1, 4), rng.time(100ms, 10s), ReshardEnd::kAny});
    }
    return;
  }
  Duration at = moment_in(config, rng) / 2;
  for (std::uint64_t i = rng.count(3, 8); i > 0 && at < *config.run.duration; --i) {
    reshards.push_back({at, rng.count(1, 4), rng.time(100ms, 10s), ReshardEnd::kAny});
    at += rng.chance(0.3) ? 0s : rng.time(10ms, 10s);
  }
}

}  // namespace

void draw_operations(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::operations);
  const auto when = [&] { return moment_in(config, rng); };
  const bool dynamic = config.registry.sharding == Sharding::kDynamic;
  if (dynamic) {
    draw_reshards(config, rng);
  }
  const auto group = [&] {
    if (dynamic && rng.chance(0.3)) return std::string("sharding/0");
    return fmt::format("registry/{}", rng.count(0, config.registry.shards - 1));
  };
  if (rng.chance(0.3)) {
    for (std::uint64_t i = rng.count(1, 4); i > 0; --i) {
      config.operations.kills.push_back({group(), when(), rng.time(10ms, 10s)});
    }
  }
  if (!config.registry_only() && rng.chance(0.12)) {
    for (std::uint64_t i = rng.count(1, 3); i > 0; --i) {
      const Duration at = rng.chance(0.1) ? Duration(0) : when();
      config.operations.forgets.push_back({rng.of(config.topology.pipelines), at});
    }
  }
  if (rng.chance(0.25)) {
    for (std::uint64_t i = rng.size(1, 6); i > 0; --i) {
      config.operations.moves.push_back(
          {group(), rng.of(config.registry.replicas), when(), MoveEnd::kAny});
    }
  }
}

void draw_core(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::core);
  if (config.registry_only() || !rng.chance(0.5)) return;
  // Picks a pipeline and a majority of replicas with sound disks: disks that were never replaced,
  // or were replaced early enough to have been admitted since.
  const bool admitted = rng.chance(0.7);
  std::vector<std::string> sound = config.registry.replicas;
  const Consequences faults = consequences_of(config);
  const auto exclude = [&](const std::string& place) {
    std::erase_if(sound, [&](const std::string& name) { return datacenter_of(place) == name; });
  };
  for (const auto& [process, at] : faults.lost_disks) {
    if (!admitted || at >= *config.run.duration / 3 * 2) exclude(process);
  }
  for (const std::string& place : faults.wrong_bytes) exclude(place);
  const std::size_t majority = config.registry.replicas.size() / 2 + 1;
  if (sound.size() < majority) return;
  std::vector<std::string> core = rng.some(sound, rng.count(majority, sound.size()));
  const std::string pipeline = rng.of(config.topology.pipelines);
  if (std::ranges::find(core, pipeline) == core.end()) core.push_back(pipeline);
  if (core.size() == config.topology.datacenters.size()) return;
  std::ranges::sort(core);
  config.run.core = std::move(core);
  config.run.outside_core =
      rng.one_of({OutsideCore::kDown, OutsideCore::kCutOff, OutsideCore::kMute});
}

}  // namespace photonsim::scenarios::swarm
