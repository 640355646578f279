// The acceptor of one replica: its promise, and the value accepted last in every slot.
//
// Invariants: `promised` never falls; no entry is accepted below it, and an acceptance raises it.
// Each change returns the record that makes it durable; the caller must write the records in order
// and must not let anything out that depends on them before they are durable (B-12).
#pragma once

#include <optional>

#include "core_impl/paxos/log_record.h"
#include "core_impl/paxos/messages.h"

namespace photon::paxos {

class Acceptor {
 public:
  Acceptor() = default;
  Acceptor(Ballot promised, PooledVector<LogEntry> entries);

  Ballot promised() const { return promised_; }
  // The entry of `slot`, with ballot 0 if nothing was accepted there.
  const LogEntry& entry(Slot slot) const;

  // Refuses from now on what is below `ballot`. Requires ballot >= promised(); nothing to write if
  // equal.
  std::optional<LogRecord> promise(Ballot ballot);
  // Requires ballot >= promised(). Nothing to write if exactly this is accepted already.
  std::optional<LogRecord> accept(Slot slot, Ballot ballot, const SharedBytes& value);
  // Every acceptance in slots >= from, in slot order.
  void report(Slot from, PooledVector<Reported>& out) const;

  friend bool operator==(const Acceptor&, const Acceptor&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.promised_, self.entries_);
  }

 private:
  Ballot promised_{};
  PooledVector<LogEntry> entries_;  // slot s at [s - 1]
};

}  // namespace photon::paxos
