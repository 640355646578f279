// An exhaustive explorer of one registry shard: three real RegistryServers, each with its PaxosDB
// replica, its log on a disk, its registry thread and its IdStore. Every interleaving within
// bounds, breadth first. It extends tests/paxos/explorer.h, which explores the bare replica.
//
// Moves: deliver any message ever sent (so loss, delay, duplication and reordering are included);
// ask a replica the next request of the script; let time pass; fire a replica's timer, by which a
// follower stands for election and a master steps down; crash and restart a replica; complete a
// write. Time stands still between two moves of time, and each of these ends every lease. A
// rejection is lost: it only decides which replica tries next.
//
// A request is asked and received once, in one move, and its reply is received when it is sent; a
// retry is a request of its own. This leaves out no behaviour of the servers, and it makes each
// operation's interval as short as it can be: what a longer interval cannot explain, this one
// cannot either (J-S4).
//
// THE STATE
//
// A server cannot be copied, so a machine (a server with its disk) is stored as its record: the
// sequence of events since its start, by which it is made again. Two machines are the same if these
// are equal: the replica's whole state; the disk, byte for byte; writes in flight; the store's
// snapshot; timers, clock and life; what report_use says; and the history of the life: requests,
// decisions of the trace and replies, in their order. The queue, the batches and whatever else the
// server keeps depend on that history alone. While a write is in flight, the events that issued
// records since the disk was idle count too, with the replica's state after each: those records
// wait in the driver. `audits` tests it: it takes machines that were reached by two records and
// compares what each does at every event. A world is: its machines, the set of messages sent, the
// number of moves of time and crashes, and of each request whether it was asked, what was answered
// before, and its reply.
//
// Every state is judged by definitions of its own (shard_verdict.h), from messages, disks,
// decisions and replies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core_impl/photon/registry_messages.h"
#include "tests/paxos/explorer.h"

namespace photon::testing {

using paxos::testing::kExplored;
using paxos::testing::PerReplica;
using paxos::testing::Writes;

// One request of the script. Requests are named by their place in it, sets of them by bits.
struct ScriptedRequest {
  std::vector<RegistryItem> items;
  std::uint32_t after_reply = 0;  // asked when all of these were answered
  std::uint32_t after_asked = 0;  // asked when all of these were asked
  std::uint32_t to = 1;           // replicas that may be asked, as bits
};
inline constexpr std::size_t kMaxRequests = 6;

struct ShardBounds {
  std::vector<ScriptedRequest> script;
  std::uint32_t pipeline_depth = 2;
  std::uint32_t max_batch_operations = 4096;
  std::uint32_t times = 0;  // moves of time
  PerReplica ticks{};       // firings of the consensus timer
  std::uint32_t crashes = 0;
  // Sets of replicas, as bits.
  std::uint32_t may_crash = 0b111;
  std::uint32_t deaf = 0;        // lose every message after the first election
  std::uint32_t deaf_early = 0;  // from then to the first move of time
  std::uint32_t deaf_late = 0;   // from the first move of time
  Writes writes = Writes::at_once;
  std::size_t states = 0;  // bound on the number of states, approximate
  std::size_t audits = 0;  // of pairs of records
};

struct ShardExploration {
  std::string violation;  // the first one; empty if there is none
  std::size_t states = 0;
  std::size_t transitions = 0;  // moves that were tried, those to known states included
  std::size_t machines = 0;     // distinct states of one server
  std::size_t replayed = 0;     // events, to make machines again
  bool exhausted = false;
  // The most of each in one state.
  std::size_t chosen = 0;    // slots
  std::size_t definite = 0;  // requests answered by definitive codes alone
  std::size_t masters = 0;   // replicas that were elected
  std::size_t open = 0;      // slots proposed and not applied by the one that proposed them
  std::size_t audited = 0;   // pairs of an event and a second record
};

ShardExploration explore_shard(const ShardBounds& bounds);
// The same, checks that there is no violation, and prints the figures.
ShardExploration explore_shard_and_check(const char* name, const ShardBounds& bounds);

}  // namespace photon::testing
