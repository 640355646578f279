#include "sim/link_troubles.h"

#include <algorithm>

#include "core_impl/base/hash.h"

namespace photon::sim {

LinkTroubles::LinkTroubles(std::uint64_t seed, std::size_t processes, FaultEffects& effects)
    : seed_(seed), processes_(processes), effects_(effects), told_(processes) {}

void LinkTroubles::add(std::uint32_t fault, std::span<const NodeId> from,
                       std::span<const NodeId> to, const Mishap& mishap, SimTime end) {
  Trouble trouble;
  trouble.fault = fault;
  trouble.from.resize(processes_);
  trouble.to.resize(processes_);
  for (const NodeId node : from) trouble.from[node.value()] = true;
  for (const NodeId node : to) trouble.to[node.value()] = true;
  trouble.mishap = mishap;
  trouble.end = end;
  trouble.stream = RandomStream(seed_, Purpose::network_trouble, fault);
  troubles_.push_back(std::move(trouble));
}

void LinkTroubles::remove(std::uint32_t fault) {
  std::erase_if(troubles_, [=](const Trouble& trouble) { return trouble.fault == fault; });
}

void LinkTroubles::told(NodeId to, std::uint64_t version) {
  std::optional<std::uint64_t>& newest = told_[to.value()];
  if (!newest || *newest < version) newest = version;
}

bool LinkTroubles::concerns(const Trouble& trouble, const Message& message) const {
  if (!trouble.from[message.from.value()] || !trouble.to[message.to.value()]) return false;
  switch (trouble.mishap.kind) {
    case Mishap::Kind::reply_loss:
      return message.is_reply;
    case Mishap::Kind::late_configuration: {
      const std::optional<std::uint64_t>& newest = told_[message.to.value()];
      return message.configuration && (!newest || *newest < *message.configuration);
    }
    default:
      return true;
  }
}

LinkTroubles::Fate LinkTroubles::strike(const Message& message) {
  Fate fate;
  for (const Trouble& trouble : troubles_) {
    if (!concerns(trouble, message)) continue;
    const std::uint64_t item = combine(message.from.value(), message.ordinal);
    const auto words = trouble.stream.block(item, message.life);
    if (!trouble.mishap.share.happens(words[0])) continue;
    apply(trouble, words[1], fate);
    if (fate.lost) break;  // nothing else can befall it
  }
  return fate;
}

SimTime LinkTroubles::Fate::leaves_without(const Delay& one) const {
  SimTime latest{};
  for (const Delay& each : delays) {
    if (each.fault != one.fault) latest = std::max(latest, each.leaves);
  }
  return latest;
}

void LinkTroubles::apply(const Trouble& trouble, std::uint64_t word, Fate& fate) {
  const Duration delay = trouble.mishap.delay;
  switch (trouble.mishap.kind) {
    case Mishap::Kind::loss:
    case Mishap::Kind::reply_loss:
      fate.lost = true;
      effects_.took_effect(trouble.fault);
      break;
    case Mishap::Kind::duplication:
      fate.copies.push_back({trouble.fault, Duration{0}, mix(word)});
      break;
    case Mishap::Kind::late_duplication:
      fate.copies.push_back({trouble.fault, uniform_duration(word, Duration{0}, delay), mix(word),
                             Lateness::Copying::long_after});
      break;
    case Mishap::Kind::reordering:
      fate.delays.push_back({trouble.fault, {}, uniform_duration(word, Duration{0}, delay), true});
      break;
    case Mishap::Kind::delay:
      fate.delays.push_back({trouble.fault, {}, delay});
      break;
    case Mishap::Kind::clog:
    case Mishap::Kind::late_configuration:
      fate.delays.push_back({trouble.fault, trouble.end, {}});
      break;
  }
  if (fate.delays.empty() || fate.delays.back().fault != trouble.fault) return;
  fate.leaves = std::max(fate.leaves, fate.delays.back().leaves);
  fate.late += fate.delays.back().late;
}

}  // namespace photon::sim
