#include "core_impl/paxos/log_record.h"

#include <algorithm>
#include <span>

#include "core_impl/base/check.h"
#include "core_impl/paxos/value.h"

namespace photon::paxos {

bool Recovered::absorb(const LogRecord& record) {
  switch (record.kind) {
    case RecordKind::promise:
      if (record.ballot <= promised) return false;
      promised = record.ballot;
      return true;
    case RecordKind::accept: {
      const Slot first = base.through + 1;
      if (record.slot < first || record.ballot < promised || record.ballot == Ballot{})
        return false;
      if (record.slot - first >= entries.size() + kMaxGap) return false;
      promised = record.ballot;
      if (entries.size() < record.slot - first + 1) entries.resize(record.slot - first + 1);
      entries[record.slot - first] = LogEntry{record.ballot, record.value};
      return true;
    }
    case RecordKind::commit: {
      const Slot first = base.through + 1;
      if (record.slot <= commit || record.slot >= first + entries.size()) return false;
      for (Slot slot = commit + 1; slot <= record.slot; ++slot) {
        if (entries[slot - first].ballot == Ballot{}) return false;
      }
      commit = record.slot;
      return true;
    }
  }
  return false;
}

bool Recovered::is_possible(std::uint32_t replicas) const {
  PHOTON_CHECK(commit >= base.through, "the chosen slots include those of the snapshot");
  const auto possible = [&](Ballot ballot) {
    return ballot == Ballot{} || paxos::is_possible(ballot, replicas);
  };
  const std::size_t known = std::min<std::size_t>(commit + 1 - base.through, entries.size());
  const auto rest = std::span(entries).subspan(known);
  return possible(promised) && std::ranges::all_of(entries, possible, &LogEntry::ballot) &&
         std::ranges::none_of(
             rest, [](const LogEntry& entry) { return admission_in(entry.value).has_value(); });
}

void Recovered::install(const SnapshotPoint& snapshot) {
  PHOTON_CHECK(snapshot.through >= base.through, "a snapshot covers whatever its log has dropped");
  const Slot gone = std::min<Slot>(snapshot.through - base.through, entries.size());
  entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(gone));
  base = snapshot;
  commit = std::max(commit, base.through);
}

}  // namespace photon::paxos
