// What one shard of the registry accepts: an id that is its own, as far as the server can know.
//
// Three modes (B-60c rule 3 is the second):
//   by_map      one map for all time, known at the start: a registry that is never resharded
//   by_history  the server holds a history of its own and obeys a routing rule with it; an id for
//               which that history is too old is refused too; with each refusal the history is read
//               again, since the client may know a later one
//   off         every id that clients send to this shard is accepted: they alone decide
//
// Paper: Photon section 2.2.2 (silent on servers); SPEC B-30, B-60c.
#pragma once

#include <optional>
#include <span>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/shard_map.h"
#include "core_impl/photon/sharding/sharding_client.h"

namespace photon {

enum class ShardCheck : std::uint8_t { by_map, by_history, off };

struct ShardGuardOptions {
  ShardCheck check = ShardCheck::by_map;
  ShardMap map{};                   // by_map
  ShardingClientOptions history{};  // by_history
};

class ShardGuard {
 public:
  ShardGuard(ShardGuardOptions options, ShardId own);

  // The indices of the items of a request that are not this shard's. Valid until the next call.
  std::span<const std::uint32_t> foreign(Context& context, const RegistryRequest& request);
  // With by_history: its replies and its timer.
  void on_reply(Context& context, NodeId from, const ShardingReply& reply);
  void on_timer(Context& context);

 private:
  bool owns(Context& context, const EventId& id);

  ShardCheck check_;
  ShardMap map_;
  ShardId own_;
  std::optional<ShardingClient> history_{};
  PooledVector<std::uint32_t> foreign_{};
};

}  // namespace photon
