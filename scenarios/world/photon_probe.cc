#include "scenarios/world/photon_probe.h"

#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/sharding/sharding_messages.h"

namespace photonsim::scenarios {

bool PhotonProbe::keeps_in_memory(const photon::Node& life) const {
  const auto* cache = dynamic_cast<const photon::CacheNode*>(&life);
  return cache != nullptr && cache->cache().size() > 0;
}

std::optional<std::uint64_t> PhotonProbe::version_in(const photon::Body& body) const {
  if (body.type() != photon::ShardingReply::kType) return std::nullopt;
  const auto& reply = body.as<photon::ShardingReply>();
  if (reply.intervals.empty()) return std::nullopt;
  return reply.version;
}

}  // namespace photonsim::scenarios
