// Ids that differ as little as ids can: for code that compares, hashes or shortens them wrongly.
#pragma once

#include <cstdint>

#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::models {

enum class Twin : std::uint8_t {
  server,    // differs in the server alone
  process,   // in the process alone
  stamp,     // in the stamp alone, by a nanosecond
  low_hash,  // in the process alone, and the low 16 bits of both hashes are equal: the same one of
             // one, two or four shards
  mid_hash,  // the same with bits 32 to 47: on one shard, the same chain of the id table
};
inline constexpr std::uint32_t kTwins = 5;

// The twin of `id`, the same each time. Requires fewer than 2^15 servers and 2^11 processes of a
// server, so that no generator issues it.
inline EventId twin_of(const EventId& id, Twin kind) {
  constexpr std::uint32_t kOtherServer = 1U << 15;
  constexpr std::uint32_t kOtherProcess = 1U << 31;
  EventId twin = id;
  switch (kind) {
    case Twin::server:
      twin.server ^= kOtherServer;
      return twin;
    case Twin::process:
      twin.process ^= kOtherProcess;
      return twin;
    case Twin::stamp:
      twin.stamp += Duration(1);
      return twin;
    case Twin::low_hash:
    case Twin::mid_hash:
      break;
  }
  const std::uint32_t unused = kind == Twin::low_hash ? 0 : 32;
  const auto part = [&](const EventId& of) { return (hash_of(of) >> unused) & 0xffffU; };
  // One process in 65,536 fits.
  twin.process |= kOtherProcess;
  do {
    ++twin.process;
  } while (part(twin) != part(id));
  return twin;
}

}  // namespace photon::models
