#include "core_impl/paxos/acceptor.h"

#include <utility>

#include "core_impl/base/check.h"

namespace photon::paxos {

Acceptor::Acceptor(Ballot promised, PooledVector<LogEntry> entries)
    : promised_(promised), entries_(std::move(entries)) {}

const LogEntry& Acceptor::entry(Slot slot) const {
  static const LogEntry kNothing;
  PHOTON_CHECK(slot != 0, "slots are numbered from 1");
  return slot <= entries_.size() ? entries_[slot - 1] : kNothing;
}

std::optional<LogRecord> Acceptor::promise(Ballot ballot) {
  PHOTON_CHECK(ballot >= promised_, "a promise is never taken back");
  if (ballot == promised_) return std::nullopt;
  promised_ = ballot;
  return LogRecord::promise(ballot);
}

std::optional<LogRecord> Acceptor::accept(Slot slot, Ballot ballot, const SharedBytes& value) {
  PHOTON_CHECK(ballot >= promised_, "nothing is accepted below the promise");
  PHOTON_CHECK(slot != 0, "slots are numbered from 1");
  promised_ = ballot;
  if (entries_.size() < slot) entries_.resize(slot);
  LogEntry& entry = entries_[slot - 1];
  if (entry.ballot == ballot && entry.value == value) return std::nullopt;
  entry = LogEntry{ballot, value};
  return LogRecord::accept(slot, ballot, value);
}

void Acceptor::report(Slot from, PooledVector<Reported>& out) const {
  for (Slot slot = from; slot <= entries_.size(); ++slot) {
    const LogEntry& entry = entries_[slot - 1];
    if (entry.ballot != Ballot{}) out.push_back(Reported{slot, entry.ballot, entry.value});
  }
}

}  // namespace photon::paxos
