// The states of the protocols when a fault takes effect (scenarios/world/state_watch.h detects
// them): one half of the table kind of fault x protocol state (DESIGN 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photon::analysis {

enum class ProtocolState : std::uint8_t {
  electing,     // some consensus group has no master
  committing,   // a batch was proposed and no replica has applied it
  snapshot,     // a replica writes a snapshot, its own or another's, or its log after one
  resharding,   // a change of the number of shards was asked for and is not decided
  registering,  // some joiner, or client of the registry, waits for the answer to an insert
  writing,      // joined records were handed to storage and are not durable
  recovering,   // a removal of a registered click was asked for and is not answered
  restarting,   // some process is down
  quiet,        // none of these
};

// In the order of the enumeration, which is that of tables.
inline constexpr std::array<std::string_view, 9> kStateNames{
    "electing", "committing", "snapshot",   "resharding", "registering",
    "writing",  "recovering", "restarting", "quiet"};
inline constexpr std::size_t kProtocolStates = kStateNames.size();

constexpr std::string_view name_of(ProtocolState state) {
  return kStateNames[static_cast<std::size_t>(state)];
}

}  // namespace photon::analysis
