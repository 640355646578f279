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
#include "core_impl/base/samplers.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "sim/effect_tracker.h"
#include "sim/fault_effects.h"

namespace photon::sim {

struct MessageFault {
  enum class Kind : std::uint8_t {
    loss,
    reply_loss,        // replies only: the request takes effect, but its sender gets no answer
    duplication,       // a copy travels on its own
    late_duplication,  // a copy arrives later than it would have by up to `delay`, uniform
    reordering,        // it arrives later by up to `delay`, uniform
    delay,             // it arrives later by `delay`
    clog,              // it is held until the fault ends
    // the same, for messages that bring a newer version than their receiver has received
    late_version,
  };
  Kind kind = Kind::loss;
  Chance share{};    // of the messages
  Duration delay{};  // for the kinds that name it above

  friend bool operator==(const MessageFault&, const MessageFault&) = default;
};

class MessageFaults {
 public:
  MessageFaults(std::uint64_t seed, std::size_t processes, FaultEffects& effects);

  bool any() const { return !active_.empty(); }
  // `end`: planned end of the fault; a clog releases its messages then.
  void add(std::uint32_t fault, std::span<const NodeId> from, std::span<const NodeId> to,
           const MessageFault& effect, SimTime end);
  void remove(std::uint32_t fault);
  // `to` has received a message that brings this version.
  void received(NodeId to, std::uint64_t version);

  // One message as the network sees it.
  struct Message {
    NodeId from{};
    NodeId to{};
    std::uint32_t life = 0;     // of the sender
    std::uint64_t ordinal = 0;  // in that life
    SimTime departure{};
    bool is_reply = false;
    std::optional<std::uint64_t> version{};  // the version it brings
  };
  struct Copy {
    std::uint32_t fault = 0;
    Duration late{};         // on top of its own delay
    std::uint64_t word = 0;  // for its own delay
    EffectTracker::Copying copying = EffectTracker::Copying::any_time;
  };
  // The part of one fault in its delay.
  struct Delay {
    std::uint32_t fault = 0;
    SimTime leaves{};  // it lets the message leave no earlier
    Duration late{};   // it adds to its delay
    bool reorders = false;
  };
  struct Fate {
    bool lost = false;
    SimTime leaves{};  // no earlier
    Duration late{};   // on top of its delay
    std::vector<Delay> delays{};
    std::vector<Copy> copies{};

    // The same without that one.
    SimTime leaves_without(const Delay& one) const;
  };
  // Reports a loss to its fault; the receiver reports the effects of the others.
  Fate fate_of(const Message& message);

 private:
  struct Active {
    std::uint32_t fault = 0;
    std::vector<bool> from{};  // by process
    std::vector<bool> to{};
    MessageFault effect{};
    SimTime end{};
    RandomStream stream{};
  };
  bool concerns(const Active& active, const Message& message) const;
  void apply(const Active& active, std::uint64_t word, Fate& fate);

  std::uint64_t seed_;
  std::size_t processes_;
  FaultEffects& effects_;
  std::vector<Active> active_;                                 // in the order in which they began
  std::vector<std::optional<std::uint64_t>> newest_versions_;  // the newest version, by process
};

}  // namespace photon::sim
