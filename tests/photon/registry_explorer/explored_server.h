// One server of the explorer (registry_explorer.h): a real RegistryServer on a context of its own.
//
// It lives as long as one record is replayed: it is made, warmed up, and fed with events.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core_impl/photon/registry/registry_server.h"
#include "core_impl/trace/consensus.h"
#include "tests/paxos/explored_machine.h"
#include "tests/photon/registry_explorer/registry_explorer.h"
#include "tests/support/fake_context.h"

namespace photon::testing {

using paxos::testing::Flying;

// Events of a machine: a kind in the upper bits, and the number of a message or request.
using Event = std::uint32_t;
inline constexpr Event kEventKind = 7U << 28U;
inline constexpr Event kDeliver = 0;
inline constexpr Event kAsk = 1U << 28U;
inline constexpr Event kTick = 2U << 28U;
inline constexpr Event kTimePasses = 3U << 28U;
inline constexpr Event kPersist = 4U << 28U;       // the oldest write completes
inline constexpr Event kCrash = 5U << 28U;         // and what is in flight is lost
inline constexpr Event kCrashWritten = 6U << 28U;  // and the oldest append is on the disk

// A reply as it left a server, which had applied `applied` slots.
struct SentReply {
  std::uint32_t request = 0;
  std::uint64_t applied = 0;
  std::vector<RegistryResult> results;
  std::uint64_t hash = 0;
};

// What the judge reads of one server: the decisions of its present life.
struct ServerEvidence {
  std::vector<trace::SlotApplied> slots;
  std::vector<trace::OperationApplied> operations;
  std::uint64_t hash = 0;
  std::size_t elected = 0;  // in this life
  std::size_t open = 0;     // slots
};

class ExploredServer {
 public:
  ExploredServer(paxos::ReplicaIndex self, const ShardBounds& bounds);

  // `flying`: the message of a delivery.
  void happen(Event event, const Flying* flying);

  // What the latest event sent.
  std::vector<Flying> sent;
  std::vector<SentReply> replies;

  bool timer_due() const;
  bool writing() const { return !context_.pending.empty(); }
  std::uint32_t ticks() const { return ticks_; }
  ServerEvidence evidence() const;
  // Of everything that decides what it does (registry_explorer.h).
  std::uint64_t hash() const;

 private:
  void start();
  void ask(std::uint32_t request);
  void crash(std::size_t kept);
  void collect(Event event);
  void collect_sent();
  void collect_own_votes();
  void send_to(paxos::ReplicaIndex to, const paxos::Message& message);

  paxos::ReplicaIndex self_;
  const ShardBounds* bounds_;
  FakeContext context_;
  std::unique_ptr<RegistryServer> server_;
  std::uint32_t ticks_ = 0;
  std::uint64_t history_ = 0;    // of this life
  std::uint64_t unsettled_ = 0;  // records since the disk was idle: events, states after them
  std::uint64_t records_ = 0;    // issued in this life
  std::size_t decisions_ = 0;    // of them in history_
};

}  // namespace photon::testing
