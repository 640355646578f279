// What befalls messages between some processes for a while, on behalf of faults.
//
// Effects of several faults add up: a message is lost if any of them loses it, and its delays are
// summed. What befalls a message is drawn from (fault, sender, its life, ordinal of the message):
// one fault disturbs no draw of another and of nobody else.
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
    reply_loss,        // replies only: what was asked for has happened, and nobody is told
    duplication,       // a copy takes its own way
    late_duplication,  // a copy comes later than it would have by up to `delay`, uniform
    reordering,        // it comes later by up to `delay`, uniform
    delay,             // it comes later by `delay`
    clog,              // it is held back until the fault ends
    // the same, for messages that bring a newer version than their receiver has received
    late_version,
  };
  Kind kind = Kind::loss;
  Chance share{};    // of the messages
  Duration delay{};  // of those that name it above

  friend bool operator==(const MessageFault&, const MessageFault&) = default;
};

class MessageFaults {
 public:
  MessageFaults(std::uint64_t seed, std::size_t processes, FaultEffects& effects);

  bool any() const { return !active_.empty(); }
  // `end`: when the fault is meant to end; a clog lets go then.
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
    std::optional<std::uint64_t> version{};  // that it brings
  };
  struct Copy {
    std::uint32_t fault = 0;
    Duration late{};         // on top of its own delay
    std::uint64_t word = 0;  // for its own delay
    EffectTracker::Copying copying = EffectTracker::Copying::any_time;
  };
  // What one fault has to do with its being late.
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
  // Tells the fault that loses it; of the others whoever delivers it knows what comes of them.
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
