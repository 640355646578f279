// The network: datagrams between processes, by address.
//
// Model:
//  * One-way delays come from the DelayModel. Within a datacenter, a host and a process itself
//    likewise (from == to).
//  * A message may be lost, duplicated (the copy takes its own delay) or held back by an extra
//    delay, which reorders it; each with its own probability per ordered pair of datacenters.
//    Messages of a process to itself suffer none of these.
//  * Faults may affect the messages between some processes for a while (message_faults.h).
//  * A partition cuts ordered pairs of datacenters. A message is cut if its pair is cut when it
//    leaves or when it would arrive.
//  * Datagrams are addressed to a process slot, not to a life: a message to a dead life reaches its
//    successor, and messages of a dead life still arrive (the harsher choice; protocols must cope).
//    A message that finds its addressee down is dropped.
//  * All random words of a message are keyed by (sender, its life, ordinal in that life), so the
//    fate of one message disturbs no other.
//  * A body that crosses a datacenter is cloned; inside one it is shared.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core_impl/base/bytes.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"
#include "core_impl/runtime/body.h"
#include "sim/effect_tracker.h"
#include "sim/fault_effects.h"
#include "sim/fault_scene.h"
#include "sim/kernel.h"
#include "sim/message_faults.h"
#include "sim/overtaken_messages.h"
#include "sim/ports.h"
#include "sim/slowness.h"
#include "sim/statement.h"
#include "sim/topology.h"

namespace photon::sim {

// Faults of the messages of one ordered pair of datacenters.
struct LinkFaults {
  Chance loss{};
  Chance duplicate{};
  Chance reorder{};
  Duration reorder_delay{};  // extra delay of a reordered message: uniform in [0, reorder_delay]

  bool any() const { return loss.possible() || duplicate.possible() || reorder.possible(); }
};

struct NetworkCounters {
  std::uint64_t sent = 0;  // handed to the network, copies not counted
  std::uint64_t delivered = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t reordered = 0;
  std::uint64_t delayed = 0;     // by a fault: late, or held
  std::uint64_t cut = 0;         // by a partition
  std::uint64_t found_down = 0;  // the addressee was down
  friend bool operator==(const NetworkCounters&, const NetworkCounters&) = default;
};

// The random streams of one sender and its message counter; reset at the start of each life.
class SenderStreams {
 public:
  SenderStreams(std::uint64_t seed, NodeId sender);
  // Later draws come from another seed; the counter of messages continues.
  void renew(std::uint64_t seed, NodeId sender);
  void begin_life(Incarnation life) {
    life_ = life.value();
    ordinal_ = 0;
  }
  // Messages that were left out (quiet_rounds.h): later ones draw as if these had been sent.
  void pass(std::uint64_t messages) { ordinal_ += messages; }

 private:
  friend class Network;
  RandomStream delay_;      // word 0: delay, word 1: loss
  RandomStream duplicate_;  // word 0: duplicate?, word 1: delay of the copy
  RandomStream reorder_;    // word 0: reorder?, word 1: extra delay
  std::uint64_t ordinal_ = 0;
  std::uint32_t life_ = 0;
};

class Network {
 public:
  struct Setup {
    const DelayModel& delays;
    FaultEffects& effects;
    Slowness& slowness;
    std::uint64_t seed = 0;
  };
  Network(Kernel& kernel, const Topology& topology, const Setup& setup);

  void set_all_links(const LinkFaults& faults);
  void set_link(DatacenterId from, DatacenterId to, const LinkFaults& faults);
  // No more loss, duplication and reordering, on any link (J-P0).
  void clear_faults() { set_all_links(LinkFaults{}); }

  // `departure` >= now: when the message leaves its sender.
  void send(SenderStreams& streams, NodeId from, NodeId to, SimTime departure, Body body);

  // Cuts or heals an ordered pair on behalf of a fault. Cuts of several faults add up.
  void cut(std::uint32_t fault, DatacenterId from, DatacenterId to);
  void heal(std::uint32_t fault, DatacenterId from, DatacenterId to);
  bool is_cut(DatacenterId from, DatacenterId to) const {
    return !cuts_.empty() && cut_count_[pair(from, to)] != 0;
  }

  // Messages that were left out count as sent and delivered.
  void pass(std::uint64_t messages) {
    counters_.sent += messages;
    counters_.delivered += messages;
  }
  // Every message arrives once, after a delay that is no longer than `longest` says.
  bool is_faultless() const {
    return cuts_.empty() && !faulty_links_ && !message_faults_.any() && !effect_tracker_.any() &&
           !slowness_.any();
  }
  Duration longest(NodeId from, NodeId to) const {
    return delays_.most(place_[from.value()], place_[to.value()]);
  }

  MessageFaults& message_faults() { return message_faults_; }

  // From now on the newest version received by each process is recorded, for faults that ask.
  void watch_versions(const Probe& probe) { probe_ = &probe; }
  // From now on each statement that is sent is noted, for faults that hold answers back.
  void watch_statements(const Probe& probe) { statements_ = &probe; }
  // The fault ends: the messages that it holds back leave.
  void release_held(std::uint32_t fault);
  // The body has arrived at this process.
  void delivered(NodeId to, const Body& body) {
    if (probe_ == nullptr) return;
    if (const auto version = probe_->version_in(body)) message_faults_.received(to, *version);
  }

  // Called by the addressee's slot when a message event arrives: false if it is cut on arrival.
  bool arrives(NodeId from, NodeId to);
  // While some messages are tracked: the message is taken by a live process, at which the previous
  // item arrived at `last`, or its receiver is down.
  bool follows_any() const { return effect_tracker_.any(); }
  void taken(const Event& event, NodeId from, NodeId to, SimTime last);
  void missed(const Event& event, NodeId from);
  void count_delivered() { ++counters_.delivered; }
  void count_found_down() { ++counters_.found_down; }

  const NetworkCounters& counters() const { return counters_; }

 private:
  struct Cut {
    std::uint32_t fault;
    DatacenterId from;
    DatacenterId to;
  };
  std::size_t pair(DatacenterId from, DatacenterId to) const {
    return std::size_t{from.value()} * datacenters_ + to.value();
  }
  std::optional<std::uint64_t> version_in(const Body& body) const {
    return probe_ == nullptr ? std::nullopt : probe_->version_in(body);
  }
  void transmit(SenderStreams& streams, NodeId from, NodeId to, SimTime departure, Body body,
                const std::optional<Statement>& says);
  void let_go(std::vector<OvertakenMessages::Released> messages);
  void note_cut(DatacenterId from, DatacenterId to);
  Slowness::Stretched delay(DatacenterId from, DatacenterId to, std::uint64_t word) const {
    return slowness_.stretch(from, delays_.one_way(from, to, word));
  }
  // Identifies messages: it grows with each one sent from that datacenter.
  std::uint64_t number(DatacenterId from, std::uint64_t counter) const {
    return (std::uint64_t{from.value()} << kCounterBits) | counter;
  }
  std::uint64_t next_number(DatacenterId from) const {
    return number(from, kernel_.next_counter(from));
  }
  struct Times {
    SimTime departure{};
    SimTime leaves{};
    SimTime arrival{};
  };
  void follow(const MessageFate& fate, const EffectTracker::Link& link, std::uint64_t first_copy,
              const Times& times);
  void put(NodeId from, NodeId to, SimTime at, Body body);

  Kernel& kernel_;
  const DelayModel& delays_;
  FaultEffects& effects_;
  Slowness& slowness_;
  const Probe* probe_ = nullptr;
  const Probe* statements_ = nullptr;  // reads them; null: no fault asks
  std::size_t datacenters_;
  std::vector<DatacenterId> place_;  // of each process
  std::vector<LinkFaults> links_;
  bool faulty_links_ = false;  // some of them
  std::vector<std::uint16_t> cut_count_;
  std::vector<Cut> cuts_;
  MessageFaults message_faults_;
  EffectTracker effect_tracker_;
  OvertakenMessages held_;
  NetworkCounters counters_;
  Bytes scratch_;
};

}  // namespace photon::sim
