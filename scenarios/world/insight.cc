#include "scenarios/world/insight.h"

#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/sharding/sharding_messages.h"

namespace photonsim::scenarios {

bool PhotonInsight::keeps_anything(const photon::Node& life) const {
  const auto* cache = dynamic_cast<const photon::CacheNode*>(&life);
  return cache != nullptr && cache->cache().size() > 0;
}

std::optional<std::uint64_t> PhotonInsight::configuration_told(const photon::Body& body) const {
  if (body.type() != photon::ShardingReply::kType) return std::nullopt;
  const auto& reply = body.as<photon::ShardingReply>();
  if (reply.intervals.empty()) return std::nullopt;
  return reply.version;
}

}  // namespace photonsim::scenarios
