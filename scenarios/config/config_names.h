// Names in a scenario: which datacenters and regions exist, and which processes run there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

[[nodiscard]] std::vector<std::string> datacenter_names(const Config& config);
[[nodiscard]] bool has_datacenter(const Config& config, std::string_view name);
[[nodiscard]] bool has_pipeline(const Config& config, std::string_view datacenter);
[[nodiscard]] bool has_replica(const Config& config, std::string_view datacenter);

// The largest number of shards that any change requests.
[[nodiscard]] std::uint64_t most_shards(const Config& config);

// The most clicks of a joiner that a crash can lose (D-15).
[[nodiscard]] std::uint64_t window_bound(const Joiner& joiner);

// The number of a consensus group, "registry/2" or "sharding/0": that of the shard, or the one
// after all shards. Nothing if there is no such group.
[[nodiscard]] std::optional<std::uint64_t> group_number(const Config& config,
                                                        std::string_view text);

// The datacenters of a name: one, or those of a region; empty if it is neither.
[[nodiscard]] std::vector<std::string> expand_name(const Config& config, std::string_view name);

// The datacenters of the built-in measured matrix, wan = "gcp-us-2020".
[[nodiscard]] const std::vector<std::string>& measured_datacenters();

// The number of a generating server, from 0, as a log fault names it.
[[nodiscard]] std::optional<std::uint64_t> server_number(std::string_view text);

// How many servers write such logs.
[[nodiscard]] std::uint64_t servers_of(const Config& config, LogKind log);

// A process named by a scripted crash.
struct ProcessName {
  std::string datacenter{};
  // joiner, dispatcher, cache, reader, event_store, incarnations, auditor, verifier, mirror,
  // sharding, registry
  std::string role{};
  std::uint64_t number{0};  // among those of its role in the datacenter; of a registry: the shard
};

// "us-east1/joiner/3" or "registry/2@us-east4". Checks the form alone.
[[nodiscard]] std::optional<ProcessName> parse_process(std::string_view text);

// The datacenter of a process, or of a volume: that of a replica, or of the cell in a datacenter.
[[nodiscard]] std::string datacenter_of(std::string_view where);

// Processes named by one end of a [[faults.link]]. Empty fields: any.
struct PartyName {
  std::string place{};  // a datacenter or a region
  std::string role{};
  std::optional<std::uint64_t> number{};
};

// "any", "us-east1", "east", "joiner", "us-east1/joiner", "us-east1/joiner/3", "registry/2",
// "registry/2@us-east4". Checks the form alone.
[[nodiscard]] std::optional<PartyName> parse_party(const Config& config, std::string_view text);

}  // namespace photonsim::scenarios
