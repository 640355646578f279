// Faults on the messages between some processes, while they last.
//
// Effects of several faults add up: a message is lost if any of them loses it, and its delays are
// summed. The fate of a message is drawn from (fault, sender, its life, ordinal of the message), so
// a fault disturbs no other draw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core_impl/base/random.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/fault_effects.h"
#include "sim/message_effects.h"

namespace photon::sim {

class MessageFaults {
 public:
  MessageFaults(std::uint64_t seed, std::size_t processes, FaultEffects& effects);

  bool any() const { return !active_.empty(); }
  // Later draws come from another seed, those of active faults too.
  void renew(std::uint64_t seed);
  // `end`: planned end of the fault; a clog releases its messages then.
  void add(std::uint32_t fault, std::span<const NodeId> from, std::span<const NodeId> to,
           const MessageFault& effect, SimTime end);
  void remove(std::uint32_t fault);
  // `to` has received a message that brings this version.
  void received(NodeId to, std::uint64_t version);

  // Reports a loss to its fault; the receiver reports the effects of the others.
  MessageFate fate_of(const SentMessage& message);

 private:
  struct Active {
    bool is_on(const SentMessage& message) const {
      return from[message.from.value()] && to[message.to.value()];
    }
    std::uint32_t fault = 0;
    std::vector<bool> from{};  // by process
    std::vector<bool> to{};
    MessageFault effect{};
    SimTime end{};
    RandomStream stream{};
  };
  std::uint64_t seed_;
  std::size_t processes_;
  FaultEffects& effects_;
  std::vector<Active> active_;                                 // in the order in which they began
  std::vector<std::optional<std::uint64_t>> newest_versions_;  // the newest version, by process
};

}  // namespace photon::sim
