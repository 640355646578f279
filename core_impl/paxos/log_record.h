// What a replica writes to its durable log, and the state that a prefix of the log stands for.
//
// Invariant: the fold of ANY prefix of the records is a state from which the replica may safely
// start, provided that nothing was sent which depended on a record after the prefix. The value type
// (replica.h) enforces the proviso by withholding messages.
#pragma once

#include <cstdint>

#include "core_impl/base/bytes.h"
#include "core_impl/paxos/generations.h"
#include "core_impl/paxos/types.h"

namespace photon::paxos {

enum class RecordKind : std::uint8_t {
  promise = 1,  // nothing below `ballot` will be accepted any more
  accept = 2,   // `value` accepted in `slot` at `ballot`; implies the promise of `ballot`
  commit = 3,   // every slot <= `slot` is chosen with the value this log holds for it
};

struct LogRecord {
  RecordKind kind = RecordKind::promise;
  Slot slot = 0;
  Ballot ballot{};
  SharedBytes value{};

  static LogRecord promise(Ballot ballot) { return {RecordKind::promise, 0, ballot, {}}; }
  static LogRecord accept(Slot slot, Ballot ballot, const SharedBytes& value) {
    return {RecordKind::accept, slot, ballot, value};
  }
  static LogRecord commit(Slot through) { return {RecordKind::commit, through, Ballot{}, {}}; }

  friend bool operator==(const LogRecord&, const LogRecord&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.kind, self.slot, self.ballot, self.value);
  }
};

// One slot as an acceptor knows it. Ballot 0: nothing accepted.
struct LogEntry {
  Ballot ballot{};
  SharedBytes value{};

  friend bool operator==(const LogEntry&, const LogEntry&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.ballot, self.value);
  }
};

// The part of a snapshot besides the state of the machine: slots <= `through` are chosen and in it,
// and `generations` are in force after them.
struct SnapshotPoint {
  Slot through = 0;
  Generations generations{};

  friend bool operator==(const SnapshotPoint&, const SnapshotPoint&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.through, self.generations);
  }
};

// What a replica starts from: the fold of its log, with its snapshot. `absorb` refuses (false) a
// record that no replica writes: the log is damaged.
struct Recovered {
  Generation generation = kFirstGeneration;  // of this replica's disk
  SnapshotPoint base{};                      // slots up to base.through have no entries
  Ballot promised{};
  Slot commit = 0;
  PooledVector<LogEntry> entries{};  // slot s at [s - base.through - 1]

  // True if the disk is that of a new group and no record was ever written: such a replica cannot
  // have granted a lease.
  bool is_fresh() const {
    return generation == kFirstGeneration && promised == Ballot{} && entries.empty() && commit == 0;
  }
  // An empty log whose entries up to `through` were dropped in favour of a snapshot.
  static Recovered above(Slot through) {
    Recovered log;
    log.base.through = through;
    log.commit = through;
    return log;
  }
  bool absorb(const LogRecord& record);
  // Every ballot in it is possible in a group of that size, which a log does not know, and no
  // admission lies after the first open slot (generations.h, R3). With its snapshot installed.
  bool is_possible(std::uint32_t replicas) const;
  // The replica has a snapshot: what it covers is chosen, and its entries are not needed.
  void install(const SnapshotPoint& snapshot);
  friend bool operator==(const Recovered&, const Recovered&) = default;
};

}  // namespace photon::paxos
