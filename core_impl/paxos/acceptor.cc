#include "core_impl/paxos/acceptor.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon::paxos {

Acceptor::Acceptor(Slot base, Ballot promised, PooledVector<LogEntry> entries)
    : promised_(promised), base_(base), entries_(std::move(entries)) {}

const LogEntry& Acceptor::entry(Slot slot) const {
  static const LogEntry kNothing;
  PHOTON_CHECK(slot > base_, "entries up to the base are gone");
  return slot <= last() ? entries_[slot - base_ - 1] : kNothing;
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
  if (slot <= base_) {
    PHOTON_MARK("paxos.accept.below_base");
    return promise(ballot);
  }
  promised_ = ballot;
  if (last() < slot) entries_.resize(slot - base_);
  LogEntry& entry = entries_[slot - base_ - 1];
  if (entry.ballot == ballot && entry.value == value) {
    PHOTON_MARK("paxos.accept.repeated");
    return std::nullopt;
  }
  if (entry.ballot != Ballot{}) PHOTON_MARK("paxos.accept.replaces");
  entry = LogEntry{ballot, value};
  return LogRecord::accept(slot, ballot, value);
}

void Acceptor::report(Slot from, PooledVector<Reported>& out) const {
  PHOTON_CHECK(from > base_, "what is gone cannot be reported");
  for (Slot slot = from; slot <= last(); ++slot) {
    const LogEntry& known = entry(slot);
    if (known.ballot != Ballot{}) out.push_back(Reported{slot, known.ballot, known.value});
  }
}

void Acceptor::compact(Slot through) {
  if (through <= base_) {
    // One snapshot is written at a time, so the base has not moved meanwhile.
    PHOTON_MARK("paxos.compact.nothing_new");
    return;
  }
  const auto gone = static_cast<std::ptrdiff_t>(std::min(through, last()) - base_);
  entries_.erase(entries_.begin(), entries_.begin() + gone);
  base_ = through;
}

// In the order of ballots, because a log never accepts below what it has promised.
void Acceptor::carry(PooledVector<LogRecord>& out) const {
  for (Slot slot = base_ + 1; slot <= last(); ++slot) {
    const LogEntry& known = entry(slot);
    if (known.ballot == Ballot{}) {
      PHOTON_MARK("paxos.rewrite.gap");
      continue;
    }
    out.push_back(LogRecord::accept(slot, known.ballot, known.value));
  }
  std::ranges::sort(out, {},
                    [](const LogRecord& record) { return std::tuple(record.ballot, record.slot); });
  const Ballot implied = out.empty() ? Ballot{} : out.back().ballot;
  if (implied < promised_) {
    PHOTON_MARK("paxos.rewrite.promise_alone");
    out.push_back(LogRecord::promise(promised_));
  }
}

}  // namespace photon::paxos
