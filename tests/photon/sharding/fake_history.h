// Answers of a configuration group, written by the test.
#pragma once

#include <initializer_list>

#include "core_impl/base/hash.h"
#include "core_impl/photon/sharding/sharding_messages.h"

namespace photon::testing {

inline Stamp second(std::int64_t seconds) { return Stamp(std::chrono::seconds(seconds)); }

// `from` shards below `start`, `to` from there on.
inline ShardingReply history_reply(std::uint64_t request, std::uint64_t version, std::uint32_t from,
                                   Stamp start, std::uint32_t to) {
  ShardingReply reply;
  reply.request = request;
  reply.code = ShardingCode::ok;
  reply.version = version;
  reply.decided_below = ShardMap::kEnd;
  reply.intervals = {{ShardMap::kBeginning, start, from}, {start, ShardMap::kEnd, to}};
  return reply;
}

inline ShardingReply history_reply(std::uint64_t request, std::uint64_t version,
                                   std::uint32_t shards) {
  ShardingReply reply = history_reply(request, version, shards, second(1), shards);
  reply.intervals = {{ShardMap::kBeginning, ShardMap::kEnd, shards}};
  return reply;
}

// An id of that second which `shards` shards give to `shard`.
inline EventId id_of(std::int64_t seconds, std::uint32_t shards, std::uint32_t shard) {
  EventId id{1, 0, second(seconds)};
  while (hash_of(id) % shards != shard) ++id.process;
  return id;
}

}  // namespace photon::testing
