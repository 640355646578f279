#include "sim/message_faults.h"

#include <algorithm>

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

void MessageFaults::remove(std::uint32_t fault) {
  std::erase_if(active_, [=](const Active& active) { return active.fault == fault; });
}

void MessageFaults::received(NodeId to, std::uint64_t version) {
  std::optional<std::uint64_t>& newest = newest_versions_[to.value()];
  if (!newest || *newest < version) newest = version;
}

bool MessageFaults::concerns(const Active& active, const Message& message) const {
  if (!active.from[message.from.value()] || !active.to[message.to.value()]) return false;
  switch (active.effect.kind) {
    case MessageFault::Kind::reply_loss:
      return message.is_reply;
    case MessageFault::Kind::late_version: {
      const std::optional<std::uint64_t>& newest = newest_versions_[message.to.value()];
      return message.version && (!newest || *newest < *message.version);
    }
    default:
      return true;
  }
}

MessageFaults::Fate MessageFaults::fate_of(const Message& message) {
  Fate fate;
  for (const Active& active : active_) {
    if (!concerns(active, message)) continue;
    const std::uint64_t item = combine(message.from.value(), message.ordinal);
    const auto words = active.stream.block(item, message.life);
    if (!active.effect.share.happens(words[0])) continue;
    apply(active, words[1], fate);
    if (fate.lost) break;  // a lost message has no other fate
  }
  return fate;
}

SimTime MessageFaults::Fate::leaves_without(const Delay& one) const {
  SimTime latest{};
  for (const Delay& each : delays) {
    if (each.fault != one.fault) latest = std::max(latest, each.leaves);
  }
  return latest;
}

void MessageFaults::apply(const Active& active, std::uint64_t word, Fate& fate) {
  const Duration delay = active.effect.delay;
  switch (active.effect.kind) {
    case MessageFault::Kind::loss:
    case MessageFault::Kind::reply_loss:
      fate.lost = true;
      effects_.took_effect(active.fault);
      break;
    case MessageFault::Kind::duplication:
      fate.copies.push_back({active.fault, Duration{0}, mix(word)});
      break;
    case MessageFault::Kind::late_duplication:
      fate.copies.push_back({active.fault, uniform_duration(word, Duration{0}, delay), mix(word),
                             EffectTracker::Copying::long_after});
      break;
    case MessageFault::Kind::reordering:
      fate.delays.push_back({active.fault, {}, uniform_duration(word, Duration{0}, delay), true});
      break;
    case MessageFault::Kind::delay:
      fate.delays.push_back({active.fault, {}, delay});
      break;
    case MessageFault::Kind::clog:
    case MessageFault::Kind::late_version:
      fate.delays.push_back({active.fault, active.end, {}});
      break;
  }
  if (fate.delays.empty() || fate.delays.back().fault != active.fault) return;
  fate.leaves = std::max(fate.leaves, fate.delays.back().leaves);
  fate.late += fate.delays.back().late;
}

}  // namespace photon::sim
