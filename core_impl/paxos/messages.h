// Messages between the replicas of a group, their drivers and their operators: one message type for
// all of them, an Envelope that holds one of the payloads below. So a role that embeds a replica
// accepts one type for it, whatever the number of payloads.
//
// They may be lost, delayed, duplicated and reordered, and a restarted replica may receive messages
// for its predecessor. Every reply names the ballot it answers, so stale ones are recognised.
//
// Phase 1: Prepare -> Promise. Phase 2, and the resending of chosen values to a replica that lacks
// them: Accept -> Accepted. Lease and commit index without a value: Heartbeat -> HeartbeatAck.
// Reject answers anything whose ballot is below what the receiver has promised. SnapshotOffer
// informs a replica that the log no longer holds what it lacks. Its driver then fetches the
// snapshot piece by piece: SnapshotFetch -> SnapshotChunk, which are not part of the protocol
// (snapshot_fetcher.h). Transfer hands mastership over (handover.h); an operator asks for that with
// MoveMaster -> MasterReport.
//
// Promises, votes and grants name the generation of the sender's disk (generations.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "core_impl/base/bytes.h"
#include "core_impl/paxos/types.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/consensus.h"

namespace photon::paxos {

// The sender stands for election with `ballot` and asks for all acceptances from `from_slot` on.
struct Prepare {
  ShardId group{};
  Ballot ballot{};
  Slot from_slot = 0;
  Ballot released{};  // its master handed over to the sender (handover.h); 0: none did

  friend bool operator==(const Prepare&, const Prepare&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.from_slot, self.released);
  }
  void facts(trace::FactSink& sink) const;
};

// One acceptance that a promise reports.
struct Reported {
  Slot slot = 0;
  Ballot ballot{};
  SharedBytes value{};

  friend bool operator==(const Reported&, const Reported&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.slot, self.ballot, self.value);
  }
};

// The sender will accept nothing below `ballot`. `accepted` holds its acceptance of the highest
// ballot for every slot >= from_slot, in slot order. Those up to `chosen_through` are chosen.
struct Promise {
  static constexpr bool kIsReply = true;
  ShardId group{};
  Ballot ballot{};
  Slot from_slot = 0;
  Slot chosen_through = 0;
  Generation generation = kFirstGeneration;
  PooledVector<Reported> accepted{};

  friend bool operator==(const Promise&, const Promise&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.from_slot, self.chosen_through, self.generation,
          self.accepted);
  }
  void facts(trace::FactSink& sink) const;
};

// The master of `ballot` asks to accept `values` in slots first_slot, first_slot + 1, ... An empty
// value is a no-op. Every slot <= `commit` is chosen. `sent_at` is the master's own clock: it
// counts its lease from there when the acknowledgement brings it back.
struct Accept {
  ShardId group{};
  Ballot ballot{};
  Slot first_slot = 0;
  Slot commit = 0;
  MonotonicTime sent_at{};
  PooledVector<SharedBytes> values{};

  friend bool operator==(const Accept&, const Accept&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.first_slot, self.commit, self.sent_at, self.values);
  }
  void facts(trace::FactSink& sink) const;
};

// The sender has accepted, durably, the values with these hashes, and grants a lease to the master
// of `ballot`. `wants_from`: first chosen slot whose value it lacks, 0 if none.
struct Accepted {
  static constexpr bool kIsReply = true;
  ShardId group{};
  Ballot ballot{};
  Slot first_slot = 0;
  Slot wants_from = 0;
  MonotonicTime sent_at{};
  Generation generation = kFirstGeneration;
  PooledVector<std::uint64_t> value_hashes{};

  friend bool operator==(const Accepted&, const Accepted&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.first_slot, self.wants_from, self.sent_at, self.generation,
          self.value_hashes);
  }
  void facts(trace::FactSink& sink) const;
};

// The master of `ballot` lives; every slot <= `commit` is chosen.
struct Heartbeat {
  ShardId group{};
  Ballot ballot{};
  Slot commit = 0;
  MonotonicTime sent_at{};

  friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.commit, self.sent_at);
  }
  void facts(trace::FactSink& sink) const;
};

// Grants a lease to the master of `ballot`. `wants_from` as in Accepted.
struct HeartbeatAck {
  static constexpr bool kIsReply = true;
  ShardId group{};
  Ballot ballot{};
  Slot wants_from = 0;
  MonotonicTime sent_at{};
  Generation generation = kFirstGeneration;

  friend bool operator==(const HeartbeatAck&, const HeartbeatAck&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.wants_from, self.sent_at, self.generation);
  }
  void facts(trace::FactSink& sink) const;
};

// The sender has promised `promised` and therefore refuses `ballot`. States no promise by itself.
struct Reject {
  static constexpr bool kIsReply = true;
  ShardId group{};
  Ballot ballot{};
  Ballot promised{};

  friend bool operator==(const Reject&, const Reject&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.promised);
  }
};

// The master of `ballot` has dropped values that the receiver lacks; it has a snapshot through
// `through` or later. Promises nothing, and asks for nothing.
struct SnapshotOffer {
  ShardId group{};
  Ballot ballot{};
  Slot through = 0;

  friend bool operator==(const SnapshotOffer&, const SnapshotOffer&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.through);
  }
};

// Asks for the bytes at `offset` of the receiver's snapshot through slot `through`.
struct SnapshotFetch {
  ShardId group{};
  Slot through = 0;
  std::uint64_t offset = 0;

  friend bool operator==(const SnapshotFetch&, const SnapshotFetch&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.through, self.offset);
  }
};

// A piece of the sender's snapshot file: through `through`, `total` bytes in all, whose hash is
// `checksum`. If `through` is not the requested one, that one exists no more, and `offset` is 0.
struct SnapshotChunk {
  static constexpr bool kIsReply = true;
  ShardId group{};
  Slot through = 0;
  std::uint64_t total = 0;
  std::uint64_t checksum = 0;
  std::uint64_t offset = 0;
  Bytes bytes{};

  friend bool operator==(const SnapshotChunk&, const SnapshotChunk&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.through, self.total, self.checksum, self.offset, self.bytes);
  }
};

// The master of `ballot` has given up its mastership. The receiver, which knows every slot up to
// `commit`, is to be the next master.
struct Transfer {
  ShardId group{};
  Ballot ballot{};
  Slot commit = 0;

  friend bool operator==(const Transfer&, const Transfer&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.ballot, self.commit);
  }
};

// An operator asks for replica `to` to be master. Every replica answers; the master hands over.
struct MoveMaster {
  ShardId group{};
  ReplicaIndex to = kNoReplica;
  std::uint64_t request = 0;

  friend bool operator==(const MoveMaster&, const MoveMaster&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.to, self.request);
  }
};

enum class Authority : std::uint8_t { no, yes };

// Does the sender hold authority as it sends this?
struct MasterReport {
  ShardId group{};
  std::uint64_t request = 0;
  Authority authority = Authority::no;

  friend bool operator==(const MasterReport&, const MasterReport&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.group, self.request, self.authority);
  }
};

// The messages that the value type sends and receives.
using Message = std::variant<Prepare, Promise, Accept, Accepted, Heartbeat, HeartbeatAck, Reject,
                             SnapshotOffer, Transfer>;

// A message and its receivers: a broadcast is one message.
struct Outgoing {
  ReplicaSet to{};
  Message message{};

  friend bool operator==(const Outgoing&, const Outgoing&) = default;
};

namespace messages_detail {
template <class Variant, class... More>
struct Extended;
template <class... Messages, class... More>
struct Extended<std::variant<Messages...>, More...> {
  using type = std::variant<Messages..., More...>;
};
}  // namespace messages_detail

// The payloads: a message of the value type, one between drivers (SnapshotFetch, SnapshotChunk), or
// one between a driver and an operator (MoveMaster, MasterReport).
using Payload = messages_detail::Extended<Message, SnapshotFetch, SnapshotChunk, MoveMaster,
                                          MasterReport>::type;

// The one message type of PaxosDB.
struct Envelope {
  static constexpr MessageType kType = 100;
  static constexpr std::string_view kName = "paxos";
  Payload payload{};

  friend bool operator==(const Envelope&, const Envelope&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.payload);
  }
  void facts(trace::FactSink& sink) const;
  bool is_reply() const;
};

Body envelope(Message message);  // an Envelope with that message

void encode_message(const Message& message, Encoder& encoder);

}  // namespace photon::paxos
