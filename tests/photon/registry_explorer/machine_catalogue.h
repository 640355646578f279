// All servers' states and messages of one exploration, each stored once and numbered.
//
// A server's state is its record: the state before, and the event (registry_explorer.h). What an
// event does to it is computed once, by making the server again from its record.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "core_impl/base/hash.h"
#include "tests/photon/registry_explorer/explored_server.h"

namespace photon::testing {

using MachineNumber = std::uint32_t;
using FlyingNumber = std::uint32_t;
using ReplyNumber = std::uint32_t;

struct KnownMessage {
  Flying flying;
  bool judged = false;  // whether the judge reads it
};

struct KnownServer {
  paxos::ReplicaIndex self = 0;
  MachineNumber before = 0;  // itself: the state at the start
  Event event = 0;
  std::uint64_t hash = 0;
  ServerEvidence evidence;
  std::vector<Event> moves;  // within the bounds; deliveries and requests left out
};

// The result of an event: the state, and what was sent.
struct ServerOutcome {
  MachineNumber machine = 0;
  std::vector<FlyingNumber> sent;  // sorted
  std::vector<ReplyNumber> replies;

  friend bool operator==(const ServerOutcome&, const ServerOutcome&) = default;
};

class MachineCatalogue {
 public:
  explicit MachineCatalogue(const ShardBounds& bounds) : bounds_(bounds) {}

  MachineNumber initial(paxos::ReplicaIndex self);
  const KnownServer& machine(MachineNumber number) const { return machines_[number]; }
  const KnownMessage& message(FlyingNumber number) const { return messages_[number]; }
  const SentReply& reply(ReplyNumber number) const { return replies_[number]; }
  const ServerOutcome& happen(MachineNumber from, Event event);

  // Makes machines that have a second record again by that one, and repeats their known events.
  // The number of events that were compared; nothing if one differs.
  std::optional<std::size_t> audit(std::size_t pairs);

  std::size_t machines() const { return machines_.size(); }
  std::size_t replayed() const { return replayed_; }

 private:
  struct SecondRecord {
    MachineNumber machine = 0;
    MachineNumber before = 0;
    Event event = 0;
  };

  void feed(ExploredServer& server, Event event);
  std::unique_ptr<ExploredServer> make(paxos::ReplicaIndex self, const std::vector<Event>& record);
  std::vector<Event> record_of(MachineNumber number) const;
  ServerOutcome outcome_of(ExploredServer& server, MachineNumber before, Event event);
  MachineNumber enter(const ExploredServer& server, paxos::ReplicaIndex self, MachineNumber before,
                      Event event);
  std::vector<Event> moves_of(const ExploredServer& server, paxos::ReplicaIndex self) const;

  const ShardBounds& bounds_;
  std::deque<KnownServer> machines_;
  std::deque<KnownMessage> messages_;
  std::deque<SentReply> replies_;
  std::deque<ServerOutcome> outcomes_;
  boost::unordered_flat_map<std::uint64_t, MachineNumber, Hasher> machines_by_hash_;
  boost::unordered_flat_map<std::uint64_t, FlyingNumber, Hasher> messages_by_hash_;
  boost::unordered_flat_map<std::uint64_t, ReplyNumber, Hasher> replies_by_hash_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t, Hasher> outcomes_by_event_;
  std::vector<SecondRecord> second_;
  std::size_t replayed_ = 0;
};

}  // namespace photon::testing
