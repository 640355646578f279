#include "scenarios/world/photon_probe.h"

#include <variant>

#include "core_impl/paxos/messages.h"
#include "core_impl/photon/event_store/cache_node.h"
#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/sharding_messages.h"
#include "scenarios/faults/overtaken.h"

namespace photonsim::scenarios {
namespace {

using photon::sim::Statement;

Statement about(AnswersAbout topic, std::uint32_t key, std::optional<std::uint64_t> version,
                bool answers = true) {
  return {static_cast<std::uint32_t>(topic), key, version, answers};
}

// The ballot that a message between replicas is of.
template <class Message>
std::optional<std::uint64_t> ballot_of(const Message& message) {
  if constexpr (requires { message.promised; }) {
    return message.promised.value();
  } else if constexpr (requires { message.ballot; }) {
    return message.ballot.value();
  } else {
    return std::nullopt;
  }
}

Statement masters_in(const photon::paxos::Envelope& envelope) {
  return std::visit(
      [&](const auto& message) {
        return about(AnswersAbout::kMasters, message.group.value(), ballot_of(message),
                     envelope.is_reply());
      },
      envelope.payload);
}

}  // namespace

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

std::optional<Statement> PhotonProbe::statement_in(const photon::Body& body) const {
  const photon::MessageType type = body.type();
  if (type == photon::paxos::Envelope::kType) {
    return masters_in(body.as<photon::paxos::Envelope>());
  }
  if (type == photon::RegistryReply::kType) {
    return about(AnswersAbout::kMasters, body.as<photon::RegistryReply>().shard.value(), {});
  }
  if (type == photon::ShardingReply::kType)
    return about(AnswersAbout::kShards, 0, version_in(body));
  if (type == photon::IncarnationGrant::kType) {
    const auto& grant = body.as<photon::IncarnationGrant>();
    return about(AnswersAbout::kLives, grant.address, grant.incarnation);
  }
  if (type == photon::IncarnationAnswer::kType) {
    return about(AnswersAbout::kLives, body.as<photon::IncarnationAnswer>().address, {});
  }
  return std::nullopt;
}

}  // namespace photonsim::scenarios
