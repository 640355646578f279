// The acceptor of one replica: its promise, and the value accepted last in every slot above `base`.
//
// Invariants: `promised` never falls; no entry is accepted below it, and an acceptance raises it.
// Slots up to `base` are chosen and in a durable snapshot; their entries are removed. Each change
// returns the record that makes it durable; the caller must write the records in order and must not
// let anything out that depends on them before they are durable (B-12).
#pragma once

#include <optional>

#include "core_impl/paxos/log_record.h"
#include "core_impl/paxos/messages.h"

namespace photon::paxos {

class Acceptor {
 public:
  Acceptor() = default;
  Acceptor(Slot base, Ballot promised, PooledVector<LogEntry> entries);

  Ballot promised() const { return promised_; }
  Slot base() const { return base_; }
  // The entry of `slot`, with ballot 0 if nothing was accepted there. Requires slot > base().
  const LogEntry& entry(Slot slot) const;
  // The highest slot with an entry, or base().
  Slot last() const { return base_ + entries_.size(); }

  // From now on refuses ballots below `ballot`. Requires ballot >= promised(); nothing to write
  // if equal.
  std::optional<LogRecord> promise(Ballot ballot);
  // Requires ballot >= promised(). Nothing to write if exactly this is accepted already. A slot up
  // to base() is chosen, so `value` can only be what is chosen there: the promise alone is kept.
  std::optional<LogRecord> accept(Slot slot, Ballot ballot, const SharedBytes& value);
  // Every acceptance in slots >= from, in slot order. Requires from > base().
  void report(Slot from, PooledVector<Reported>& out) const;
  // Forgets the entries up to `through`, which becomes the base.
  void compact(Slot through);
  // Records whose fold over an empty log with this base is this acceptor.
  void carry(PooledVector<LogRecord>& out) const;

  friend bool operator==(const Acceptor&, const Acceptor&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.promised_, self.base_, self.entries_);
  }

 private:
  Ballot promised_{};
  Slot base_ = 0;
  PooledVector<LogEntry> entries_;  // slot s at [s - base_ - 1]
};

}  // namespace photon::paxos
