#include "core_impl/paxos/acceptor.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon::paxos {

Acceptor::Acceptor(Slot base, Ballot promised, PooledVector<LogEntry> entries)
    : promised_(promised), base_(base), entries_(std::move(entries)) {
  PHOTON_CHECK(base_ <= kMaxStoredSlot, "a slot is one that a log can hold");
  const auto below = [&](Ballot ballot) { return ballot <= promised_; };
  PHOTON_CHECK(std::ranges::all_of(entries_, below, &LogEntry::ballot),
               "nothing was accepted above the promise");
}

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
  PHOTON_CHECK(entry.ballot <= ballot, "an acceptance replaces an older one");
  if (entry.ballot != Ballot{}) PHOTON_MARK("paxos.accept.replaces");
  entry = LogEntry{ballot, value};
  return LogRecord::accept(slot, ballot, value);
}

void Acceptor::report(Slot from, PooledVector<Reported>& out) const {
  PHOTON_CHECK(from > base_, "only entries after the base can be reported");
  PHOTON_CHECK(out.empty(), "a report is complete in itself");
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
  PHOTON_CHECK(out.empty(), "the carried records begin the list");
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
