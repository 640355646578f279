// The effects of faults on messages between some processes: one struct for each effect, which
// decides the fate of one message. Effects of several faults add up: a message is lost if any of
// them loses it, and its delays are summed.
//
// An effect has the member
//   void apply(const SentMessage& message, const EffectScene& scene, MessageFate& fate)
// and, where it needs them,
//   bool concerns(const SentMessage& message, const EffectScene& scene) const
//   static constexpr bool kReadsVersions = true
//   static constexpr bool kReadsStatements = true
// A new effect is a struct here and its name in MessageEffect. It may keep a state, since each
// fault has an effect object of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core_impl/base/check.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/samplers.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"
#include "core_impl/runtime/catalogue.h"
#include "sim/effect_tracker.h"
#include "sim/fault_effects.h"
#include "sim/statement.h"

namespace photon::sim {

// One message as the network sees it.
struct SentMessage {
  NodeId from{};
  NodeId to{};
  std::uint32_t life = 0;     // of the sender
  std::uint64_t ordinal = 0;  // in that life
  SimTime departure{};
  const Body& body;
  std::optional<std::uint64_t> version{};  // the version it brings
  std::optional<Statement> statement{};    // what it says about shared state
};

struct MessageFate {
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
  // One fault holds it back until what it says has changed this often (overtaken_messages.h).
  struct Hold {
    std::uint32_t fault = 0;
    std::uint64_t changes = 0;
  };
  bool lost = false;
  std::optional<Hold> hold{};
  SimTime leaves{};  // no earlier
  Duration late{};   // on top of its delay
  std::vector<Delay> delays{};
  std::vector<Copy> copies{};

  void add(const Delay& delay) {
    leaves = std::max(leaves, delay.leaves);
    late += delay.late;
    delays.push_back(delay);
  }
  // When it leaves without that delay.
  SimTime leaves_without(const Delay& one) const;
};

// The fault on whose behalf an effect applies.
struct EffectScene {
  std::uint32_t fault = 0;
  SimTime end{};                                  // the planned end of the fault
  std::uint64_t word = 0;                         // random bits of this message and this fault
  std::optional<std::uint64_t> newest_version{};  // the newest version that the receiver has
  FaultEffects& effects;
};

struct Loss {
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.lost = true;
    scene.effects.took_effect(scene.fault);
  }
  friend bool operator==(const Loss&, const Loss&) = default;
};

// Replies only: the request has taken effect, and its sender receives no answer.
struct ReplyLoss {
  bool concerns(const SentMessage& message, const EffectScene& /*scene*/) const {
    return message.body.is_reply();
  }
  void apply(const SentMessage& message, const EffectScene& scene, MessageFate& fate) const {
    Loss{}.apply(message, scene, fate);
  }
  friend bool operator==(const ReplyLoss&, const ReplyLoss&) = default;
};

// Sends a copy, which has a delay of its own.
struct Duplication {
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.copies.push_back({scene.fault, Duration{0}, mix(scene.word)});
  }
  friend bool operator==(const Duplication&, const Duplication&) = default;
};

// Sends a copy, which is later than its own delay by up to `delay`, uniform.
struct LateDuplication {
  Duration delay{};
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.copies.push_back({scene.fault, uniform_duration(scene.word, Duration{0}, delay),
                           mix(scene.word), EffectTracker::Copying::after_other_item});
  }
  friend bool operator==(const LateDuplication&, const LateDuplication&) = default;
};

// Delays the message by up to `delay`, uniform.
struct Reordering {
  Duration delay{};
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.add({scene.fault, {}, uniform_duration(scene.word, Duration{0}, delay), true});
  }
  friend bool operator==(const Reordering&, const Reordering&) = default;
};

// Delays the message by `delay`.
struct FixedDelay {
  Duration delay{};
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.add({scene.fault, {}, delay});
  }
  friend bool operator==(const FixedDelay&, const FixedDelay&) = default;
};

// Holds the message back until the fault ends.
struct Clog {
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    fate.add({scene.fault, scene.end, {}});
  }
  friend bool operator==(const Clog&, const Clog&) = default;
};

// The same, for messages that bring a newer version than the receiver has.
struct LateVersion {
  static constexpr bool kReadsVersions = true;
  bool concerns(const SentMessage& message, const EffectScene& scene) const {
    return message.version && (!scene.newest_version || *scene.newest_version < *message.version);
  }
  void apply(const SentMessage& message, const EffectScene& scene, MessageFate& fate) const {
    Clog{}.apply(message, scene, fate);
  }
  friend bool operator==(const LateVersion&, const LateVersion&) = default;
};

// Holds an answer about the state of that topic back until the state has changed `changes` times,
// or the fault ends. Delays of other faults do not add to it.
struct Overtaking {
  static constexpr bool kReadsStatements = true;
  std::uint32_t topic = 0;
  std::uint64_t changes = 1;
  bool concerns(const SentMessage& message, const EffectScene& /*scene*/) const {
    return message.statement && message.statement->answers && message.statement->topic == topic;
  }
  void apply(const SentMessage& /*message*/, const EffectScene& scene, MessageFate& fate) const {
    if (!fate.hold) fate.hold = MessageFate::Hold{scene.fault, changes};
  }
  friend bool operator==(const Overtaking&, const Overtaking&) = default;
};

// The messages share a link of limited bandwidth: the time of each depends on its bytes, and starts
// after the messages sent before it. Messages that still wait when the fault ends leave then, in
// their order.
struct LimitedBandwidth {
  std::uint64_t bytes_per_second = 1;
  SimTime free_at{};  // when the last message has left

  void apply(const SentMessage& message, const EffectScene& scene, MessageFate& fate) {
    PHOTON_CHECK(bytes_per_second > 0, "a link transmits");
    const SimTime begins = std::max(message.departure, free_at);
    const Duration takes = transmission_time(size_of(message.body));
    free_at = takes < scene.end - begins ? begins + takes : scene.end;
    fate.add({scene.fault, free_at, {}});
  }
  Duration transmission_time(std::uint64_t bytes) const {
    return Duration(narrow<std::int64_t>(bytes * 1'000'000'000 / bytes_per_second));
  }
  friend bool operator==(const LimitedBandwidth&, const LimitedBandwidth&) = default;

 private:
  static std::uint64_t size_of(const Body& body) {
    Bytes encoded;
    encode_body(body, encoded);
    return encoded.size();
  }
};

using MessageEffect = std::variant<Loss, ReplyLoss, Duplication, LateDuplication, Reordering,
                                   FixedDelay, Clog, LateVersion, Overtaking, LimitedBandwidth>;

// An effect, and the share of the messages that it concerns.
struct MessageFault {
  MessageEffect effect{};
  Chance share{};

  bool reads_versions() const {
    return std::visit(
        [](const auto& each) {
          return requires { each.kReadsVersions; };
        },
        effect);
  }
  bool reads_statements() const {
    return std::visit(
        [](const auto& each) {
          return requires { each.kReadsStatements; };
        },
        effect);
  }
  bool concerns(const SentMessage& message, const EffectScene& scene) const {
    return std::visit(
        [&](const auto& each) {
          if constexpr (requires { each.concerns(message, scene); }) {
            return each.concerns(message, scene);
          } else {
            return true;
          }
        },
        effect);
  }
  void apply(const SentMessage& message, const EffectScene& scene, MessageFate& fate) {
    std::visit([&](auto& each) { each.apply(message, scene, fate); }, effect);
  }
  friend bool operator==(const MessageFault&, const MessageFault&) = default;
};

}  // namespace photon::sim
