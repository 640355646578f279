#include "sim/message_faults.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "sim/purposes.h"

namespace photon::sim {

MessageFaults::MessageFaults(std::uint64_t seed, std::size_t processes, FaultEffects& effects)
    : seed_(seed), processes_(processes), effects_(effects), newest_versions_(processes) {}

void MessageFaults::add(std::uint32_t fault, std::span<const NodeId> from,
                        std::span<const NodeId> to, const MessageFault& effect, SimTime end) {
  Active active;
  active.fault = fault;
  active.from.resize(processes_);
  active.to.resize(processes_);
  for (const NodeId node : from) active.from[node.value()] = true;
  for (const NodeId node : to) active.to[node.value()] = true;
  active.effect = effect;
  active.end = end;
  active.stream = RandomStream(seed_, purpose::kLinkFault, fault);
  active_.push_back(std::move(active));
}

void MessageFaults::renew(std::uint64_t seed) {
  seed_ = seed;
  for (Active& each : active_) each.stream = RandomStream(seed, purpose::kLinkFault, each.fault);
}

void MessageFaults::remove(std::uint32_t fault) {
  std::erase_if(active_, [=](const Active& active) { return active.fault == fault; });
}

void MessageFaults::received(NodeId to, std::uint64_t version) {
  PHOTON_CHECK(to.value() < newest_versions_.size(), "a message reaches a process that exists");
  std::optional<std::uint64_t>& newest = newest_versions_[to.value()];
  if (!newest || *newest < version) newest = version;
}

MessageFate MessageFaults::fate_of(const SentMessage& message) {
  PHOTON_CHECK(message.to.value() < newest_versions_.size(),
               "a message is sent to a process that exists");
  MessageFate fate;
  for (Active& active : active_) {
    if (!active.is_on(message)) continue;
    EffectScene scene{active.fault, active.end, 0, newest_versions_[message.to.value()], effects_};
    if (!active.effect.concerns(message, scene)) continue;
    const std::uint64_t item = combine(message.from.value(), message.ordinal);
    const auto words = active.stream.block(item, message.life);
    if (!active.effect.share.happens(words[0])) continue;
    scene.word = words[1];
    active.effect.apply(message, scene, fate);
    if (fate.lost) break;  // no other effect applies
  }
  return fate;
}

SimTime MessageFate::leaves_without(const Delay& one) const {
  SimTime latest{};
  for (const Delay& each : delays) {
    if (each.fault != one.fault) latest = std::max(latest, each.leaves);
  }
  return latest;
}

}  // namespace photon::sim
