#include "core_impl/paxos/log_record.h"

#include <algorithm>

namespace photon::paxos {

bool Recovered::absorb(const LogRecord& record) {
  switch (record.kind) {
    case RecordKind::promise:
      if (record.ballot <= promised) return false;
      promised = record.ballot;
      return true;
    case RecordKind::accept:
      if (record.slot == 0 || record.ballot < promised || record.ballot == Ballot{}) return false;
      promised = record.ballot;
      if (entries.size() < record.slot) entries.resize(record.slot);
      entries[record.slot - 1] = LogEntry{record.ballot, record.value};
      return true;
    case RecordKind::commit:
      if (record.slot <= commit || record.slot > entries.size()) return false;
      for (Slot slot = commit + 1; slot <= record.slot; ++slot) {
        if (entries[slot - 1].ballot == Ballot{}) return false;
      }
      commit = record.slot;
      return true;
  }
  return false;
}

}  // namespace photon::paxos
