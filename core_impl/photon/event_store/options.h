// Parameters of the EventStore. Defaults are those of SPEC Appendix 1.
#pragma once

#include <cstdint>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/runtime/context.h"

namespace photon {

// The density of the log file map, on which searches rely (E-10..E-17).
// Reader and log store must be given the same values.
struct MapSpacing {
  Duration interval = std::chrono::seconds(10);  // W: event time between entries of a stream
  std::uint64_t interval_bytes = std::uint64_t{1} << 20U;  // M: file bytes between them
  Duration disorder =
      std::chrono::milliseconds(50);  // delta: largest inversion of stamps in a file
};

struct CacheNodeOptions {
  std::uint64_t capacity_bytes = std::uint64_t{64} << 20U;  // payload and overhead
};

struct LogStoreOptions {
  VolumeId logs{};  // input logs of the datacenter
  VolumeId cell{};  // where the map is kept
  MapSpacing spacing{};
  std::uint32_t max_concurrent = 64;   // searches that read at the same time (E-20)
  std::uint32_t max_waiting = 10'000;  // more are answered `error`
  // How long a client waits in silence. A request that has waited this long is answered `error`;
  // the client of a search gets four progress reports in that time.
  Duration give_up = std::chrono::seconds(2);
  std::uint32_t read_bytes = 64U << 10U;  // per read request
  // More of a file than this that is not mapped yet is not searched: `error`.
  std::uint64_t tail_bytes = std::uint64_t{4} << 20U;
  Duration retry_delay = std::chrono::milliseconds(200);  // after a failure of the cell
};

struct EventStoreReaderOptions {
  VolumeId logs{};
  VolumeId cell{};
  NodeId log_store = kNoNode;
  PooledVector<NodeId> cache_nodes{};  // may be empty: then only the map is written
  MapSpacing spacing{};
  Duration poll = std::chrono::milliseconds(500);  // between two listings of the directory
  std::uint32_t read_bytes = 256U << 10U;          // per read request
  std::uint32_t max_concurrent_reads = 16;
  std::uint32_t fill_bytes = 64U << 10U;  // a larger batch for a cache node goes out at once
  std::uint32_t max_unsent = 50'000;      // entries that wait for a put; above this, reading pauses
  Duration put_timeout = std::chrono::seconds(1);  // until a map put is sent again
  Duration save_period = std::chrono::seconds(1);  // between two saves of the offsets
  // An incomplete last record that is this old is searched for sound records.
  Duration stalled_after = std::chrono::seconds(60);
};

struct EventStoreClientOptions {
  PooledVector<NodeId> cache_nodes{};  // may be empty: every look-up goes to the logs
  NodeId log_store = kNoNode;
  Duration cache_timeout = std::chrono::milliseconds(200);  // then the logs are asked
  // After this silence of the log store the look-up ends with `error`. Not less
  // than LogStoreOptions::give_up.
  Duration log_timeout = std::chrono::seconds(2);
  TimerKind timer = 0;  // a kind of the owner's that it uses for nothing else
};

}  // namespace photon
