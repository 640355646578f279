#include "scenarios/faults/targets.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/config/config_names.h"
#include "scenarios/faults/clock.h"

namespace photonsim::scenarios::swarm {

Targets::Targets(const Config& config, Draws& draws) : config_(config) {
  const std::vector<std::string> all = datacenter_names(config);
  const std::size_t minority = config.registry.replicas.size() / 2;
  const bool restrained = config.scenario.tier == Tier::kWithin;
  weak_ = draws.some(all, restrained ? minority : all.size());
  fragile_ = draws.some(config.registry.replicas, minority);
  // A random choice rarely covers a whole region, so one is chosen explicitly.
  const std::string& region = draws.of(config.topology.datacenters).region;
  const std::vector<std::string> together = expand_name(config, region);
  if (together.size() > 1 && draws.chance(0.4)) weak_ = together;
}

std::vector<std::string> Targets::places(Draws& draws) const {
  return draws.some(weak_, draws.count(1, weak_.size()));
}

std::string Targets::region_of(const std::string& place) const {
  const auto at = std::ranges::find(config_.topology.datacenters, place, &Datacenter::name);
  const std::vector<std::string> all = expand_name(config_, at->region);
  const bool may_fail = std::ranges::all_of(all, [this](const std::string& each) {
    return std::ranges::find(weak_, each) != weak_.end();
  });
  return all.size() > 1 && may_fail ? at->region : place;
}

std::vector<std::string> Targets::others(const std::vector<std::string>& places) const {
  std::vector<std::string> rest;
  for (const std::string& each : datacenter_names(config_)) {
    if (std::ranges::find(places, each) == places.end()) rest.push_back(each);
  }
  return rest;
}

std::string Targets::process(Draws& draws) const {
  if (draws.chance(0.35)) return replica(draws);
  return in_pipeline(draws, draws.of(roles()));
}

std::string Targets::party(Draws& draws) const {
  if (draws.chance(0.3)) return draws.of(datacenter_names(config_));
  if (draws.chance(0.4))
    return fmt::format("registry/{}", draws.count(0, most_shards(config_) - 1));
  if (draws.chance(0.2)) return process(draws);
  if (draws.chance(0.3)) return "registry";
  return draws.of(roles());
}

std::string Targets::process_at(const std::string& place, const std::string& role,
                                Draws& draws) const {
  return fmt::format("{}/{}/{}", place, role, draws.count(0, count_of(role) - 1));
}

std::string Targets::reads_disk_of(const std::string& where, Draws& draws) const {
  if (!has_datacenter(config_, where)) return where;
  return process_at(where, draws.of(roles()), draws);
}

Duration Targets::when(Draws& draws) const {
  const Duration end = *config_.run.duration;
  const auto steps = static_cast<std::uint64_t>(end / 100ms);
  return 100ms * static_cast<std::int64_t>(draws.count(1, std::max<std::uint64_t>(steps - 5, 1)));
}

Duration Targets::within(Duration at, Duration lasting, Draws& draws) const {
  const auto steps = static_cast<std::uint64_t>(lasting / 10ms);
  const Duration last = *config_.run.duration - 1ms;
  return std::min<Duration>(at + 10ms * static_cast<std::int64_t>(draws.count(0, steps)), last);
}

Duration Targets::about_a_reshard(Draws& draws) const {
  const auto& reshards = config_.operations.reshards;
  if (reshards.empty() || draws.chance(0.2)) return when(draws);
  const Duration at = draws.of(reshards).at;
  return std::max<Duration>(at - 100ms * static_cast<std::int64_t>(draws.count(0, 30)), 0s);
}

Duration Targets::clock_room() const {
  constexpr Duration kRoundedRates{8};  // these may carry a clock a little farther
  return scenarios::clock_room(config_.clocks) - kRoundedRates;
}

Duration Targets::longest_outage() const {
  return Duration(
      static_cast<std::int64_t>(static_cast<double>(clock_room().count()) / config_.clocks.drift));
}

std::string Targets::replica_at(Draws& draws, const std::vector<std::string>& places) const {
  const bool dynamic = config_.registry.sharding == Sharding::kDynamic;
  if (dynamic && draws.chance(0.3)) return fmt::format("sharding/0@{}", draws.of(places));
  // Two statements: the evaluation order of arguments depends on the compiler.
  const std::string& place = draws.of(places);
  return fmt::format("registry/{}@{}", draws.count(0, most_shards(config_) - 1), place);
}

std::vector<std::string> Targets::roles() const {
  if (config_.registry_only()) return {"client", "incarnations"};
  std::vector<std::string> all{"joiner", "joiner",      "dispatcher",  "cache",
                               "reader", "event_store", "incarnations"};
  if (config_.verification.enabled) all.insert(all.end(), {"verifier", "auditor"});
  if (config_.joiner.output_copies) all.emplace_back("mirror");
  return all;
}

std::uint64_t Targets::count_of(const std::string& role) const {
  if (role == "joiner") return config_.joiner.count;
  if (role == "dispatcher") return config_.dispatcher.workers;
  if (role == "cache") return config_.event_store.cache_nodes;
  if (role == "verifier") return config_.verification.verifiers;
  if (role == "client") return config_.workload.registry.clients;
  return 1;
}

std::string Targets::in_pipeline(Draws& draws, const std::string& role) const {
  return process_at(pipeline(draws), role, draws);
}

}  // namespace photonsim::scenarios::swarm
