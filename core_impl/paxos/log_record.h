// What a replica writes to its durable log, and the state that a prefix of the log stands for.
//
// Invariant: the fold of ANY prefix of the records is a state from which the replica may safely
// start, provided that nothing was sent which depended on a record behind the prefix. The value
// type (replica.h) enforces the proviso by withholding messages.
#pragma once

#include <cstdint>

#include "core_impl/base/bytes.h"
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

// Fold of a log. `absorb` refuses (false) a record that no replica writes: the log is damaged.
struct Recovered {
  Ballot promised{};
  Slot commit = 0;
  PooledVector<LogEntry> entries{};  // slot s at [s - 1]

  // True if no record was ever written: such a replica cannot have granted a lease.
  bool is_fresh() const { return promised == Ballot{} && entries.empty() && commit == 0; }
  bool absorb(const LogRecord& record);
  friend bool operator==(const Recovered&, const Recovered&) = default;
};

}  // namespace photon::paxos
