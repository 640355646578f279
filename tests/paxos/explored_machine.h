// One replica of the explorer (explorer.h): its machine, its disk, and its moves.
//
// A move depends on nothing but the machine that makes it and, for a delivery, on the message; only
// an offered snapshot is also taken from its sender's disk. Its messages are handed to the caller.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core_impl/paxos/replica.h"
#include "tests/paxos/explorer.h"

namespace photon::paxos::testing {

// A message in the network; with from == to an acceptance of the master's own, for the judge only.
struct Flying {
  ReplicaIndex from = kNoReplica;
  ReplicaIndex to = kNoReplica;
  Message message{};
  std::uint64_t hash = 0;
};

using History = std::vector<std::uint64_t>;  // hashes of the values applied
struct Snapshot {
  SnapshotPoint point;
  History applied;
};
using SnapshotHandle = std::shared_ptr<const Snapshot>;

enum class Move : std::uint8_t {
  persist_all,
  persist_first,
  crash,
  lose_disk,
  compact,
  campaign,
  propose
};

class Machine {
 public:
  Machine(ReplicaIndex self, const Bounds& bounds);

  // The moves it can make by itself, within the bounds; the explorer bounds crashes.
  std::vector<Move> moves() const;
  // Both append what they send to `sent`.
  void deliver(const Flying& flying, const SnapshotHandle& of_sender, std::vector<Flying>& sent);
  void make(Move move, std::vector<Flying>& sent);

  const History& applied() const { return applied_; }
  const SnapshotHandle& snapshot() const { return snapshot_; }
  // The records on its disk, the oldest first.
  const std::vector<LogRecord>& durable() const { return durable_; }
  bool admitted() const { return !replica_.generations().in_force(self_, kFirstGeneration); }
  bool installed() const { return replica_.base() > 0 && snapshots_ == 0; }
  // Of everything, disk included.
  std::uint64_t hash() const;

 private:
  template <class Event>
  void feed(Event event);
  void send(const Outgoing& outgoing);
  void send_to(ReplicaIndex to, const Message& message);
  void write(std::size_t count);
  void rewrite_log();
  void install(const Offered& offer);
  void compact();
  void restart();

  ReplicaIndex self_;
  const Bounds* bounds_;
  Replica replica_;
  History applied_;
  std::uint64_t durable_in_life_ = 0;
  // The disk.
  Generation generation_ = kFirstGeneration;
  SnapshotHandle snapshot_;
  Slot base_ = 0;
  std::vector<LogRecord> durable_;
  std::vector<LogRecord> writing_;
  // Spent of the bounds.
  std::uint32_t elections_ = 0;
  std::uint32_t proposals_ = 0;
  std::uint32_t losses_ = 0;
  std::uint32_t snapshots_ = 0;
  // During a move.
  SnapshotHandle of_sender_;
  std::vector<Flying>* sent_ = nullptr;
};

}  // namespace photon::paxos::testing
