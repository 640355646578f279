// Facts about the consensus groups. A group is one registry shard; masterships are ordered
// by `ballot`.
#pragma once

#include <cstdint>

#include "core_impl/base/strong_id.h"
#include "core_impl/trace/record.h"

namespace photon::trace {

using GroupId = ShardId;

// Message facts (source sent or delivered).
struct PaxosPrepare {
  static constexpr Kind kKind = Kind::paxos_prepare;
  std::uint64_t ballot;
  std::uint64_t from_slot;
  std::uint64_t released;  // the ballot whose master handed over to the sender; 0: none did
  GroupId group;
  std::uint32_t unused = 0;
};

// The acceptor promises to refuse ballots below `ballot`; one PaxosReported per acceptance it
// holds. As a storage fact: the promise is on the replica's disk, and only `ballot` has a meaning.
struct PaxosPromise {
  static constexpr Kind kKind = Kind::paxos_promise;
  std::uint64_t ballot;
  std::uint64_t from_slot;
  std::uint64_t reported;  // how many PaxosReported facts belong to this promise
  GroupId group;
  std::uint32_t unused = 0;
};

struct PaxosReported {
  static constexpr Kind kKind = Kind::paxos_reported;
  std::uint64_t promised_ballot;
  std::uint64_t accepted_ballot;
  std::uint64_t slot;
  std::uint64_t value_hash;
  GroupId group;
  std::uint32_t unused = 0;
};

struct PaxosAccept {
  static constexpr Kind kKind = Kind::paxos_accept;
  std::uint64_t ballot;
  std::uint64_t slot;
  std::uint64_t value_hash;
  GroupId group;
  std::uint32_t unused = 0;
};

// The master of `ballot` lives. `stamp` names the heartbeat: the master's own clock.
struct PaxosHeartbeat {
  static constexpr Kind kKind = Kind::paxos_heartbeat;
  std::uint64_t ballot;
  std::int64_t stamp;
  GroupId group;
  std::uint32_t unused = 0;
};

// The sender grants a lease to the master of `ballot`, in answer to the message of that stamp. A
// statement of acceptances (PaxosAccepted) grants one too, without this fact.
struct PaxosGranted {
  static constexpr Kind kKind = Kind::paxos_granted;
  std::uint64_t ballot;
  std::int64_t stamp;
  GroupId group;
  std::uint32_t unused = 0;
};

// As a storage fact: the acceptance is on the replica's disk.
struct PaxosAccepted {
  static constexpr Kind kKind = Kind::paxos_accepted;
  std::uint64_t ballot;
  std::uint64_t slot;
  std::uint64_t value_hash;
  GroupId group;
  std::uint32_t unused = 0;
};

// Storage fact: an append to a replica's log became durable; the promises and acceptances in it
// follow. The first append of a segment states what it continues: the first `previous_valid` bytes
// of segment `previous` (0: none), and nothing of any segment between the two. Bytes that such a
// statement leaves out are void: no life of the replica knows them any more.
// A segment that begins a chain repeats everything that still counts: its facts stand for the
// whole log, of which nothing about slots <= base is left, and one PaxosLogRestated ends them.
struct PaxosLogWritten {
  static constexpr Kind kKind = Kind::paxos_log_written;
  std::uint64_t segment;
  std::uint64_t offset;  // of the append in its segment; 0: the segment begins
  std::uint64_t previous;
  std::uint64_t previous_valid;
  GroupId group;
  std::uint32_t replica = 0;    // its number in the group; offset 0
  std::uint32_t beginning = 0;  // 1: the segment begins a chain
  std::uint32_t unused = 0;
  std::uint64_t base = 0;
};

struct PaxosLogRestated {
  static constexpr Kind kKind = Kind::paxos_log_restated;
  std::uint64_t segment;
  std::uint64_t base;
  GroupId group;
  std::uint32_t unused = 0;
};

// Storage fact: a segment is gone.
struct PaxosLogRemoved {
  static constexpr Kind kKind = Kind::paxos_log_removed;
  std::uint64_t segment;
  GroupId group;
  std::uint32_t unused = 0;
};

// Storage fact, after the PaxosAccepted of the same value: the value admits a disk.
struct PaxosAdmission {
  static constexpr Kind kKind = Kind::paxos_admission;
  std::uint64_t value_hash;
  GroupId group;
  std::uint32_t replica;
  std::uint32_t generation;
  std::uint32_t unused = 0;
};

// Storage fact: the disk was formatted. It is a new acceptor, which has forgotten everything.
struct PaxosFormatted {
  static constexpr Kind kKind = Kind::paxos_formatted;
  GroupId group;
  std::uint32_t generation;
};

// Storage fact: the disk has a snapshot of the state after `slot`.
struct PaxosSnapshot {
  static constexpr Kind kKind = Kind::paxos_snapshot;
  std::uint64_t slot;
  std::uint64_t state_hash;
  std::uint64_t generations_hash;  // hash of the generations in force after it, by replica
  GroupId group;
  std::uint32_t unused = 0;
};

// Decisions.
// The replica applied the chosen value of `slot`; afterwards its store hashes to `state_hash`
// (order-independent over keys; equal at equal slots on all replicas, B-10).
struct SlotApplied {
  static constexpr Kind kKind = Kind::slot_applied;
  std::uint64_t slot;
  std::uint64_t value_hash;
  std::uint64_t state_hash;
  GroupId group;
  std::uint32_t operations;
};

// The replica replaced its state by that of its snapshot: it continues with slot + 1.
struct StateRestored {
  static constexpr Kind kKind = Kind::state_restored;
  std::uint64_t slot;
  std::uint64_t state_hash;
  GroupId group;
  std::uint32_t unused = 0;
};

// The replica finished phase 1 for `ballot` and has applied every slot chosen before (B-13).
struct MasterElected {
  static constexpr Kind kKind = Kind::master_elected;
  std::uint64_t ballot;
  std::uint64_t applied_slot;
  GroupId group;
  std::uint32_t unused = 0;
};

// The master holds authority from header.at for `remaining` on its own monotonic clock.
struct LeaseExtended {
  static constexpr Kind kKind = Kind::lease_extended;
  std::uint64_t ballot;
  std::int64_t remaining_nanoseconds;
  GroupId group;
  std::uint32_t unused = 0;
};

// The replica gave up its mastership (deposed or lease run out).
struct MasterEnded {
  static constexpr Kind kKind = Kind::master_ended;
  std::uint64_t ballot;
  GroupId group;
  std::uint32_t unused = 0;
};

}  // namespace photon::trace
