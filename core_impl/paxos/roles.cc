#include "core_impl/paxos/roles.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::paxos {

void Candidate::add(ReplicaIndex from, const Promise& promise) {
  PHOTON_CHECK(promise.ballot == ballot, "a promise counts for its own ballot only");
  if (promises.contains(from) || promise.from_slot != from_slot) return;
  promises.add(from);
  chosen_through = std::max(chosen_through, promise.chosen_through);
  for (const Reported& entry : promise.accepted) {
    if (entry.slot < from_slot) continue;
    const Slot offset = entry.slot - from_slot;
    if (reported.size() <= offset) reported.resize(offset + 1);
    if (entry.ballot > reported[offset].ballot) {
      reported[offset] = LogEntry{entry.ballot, entry.value};
    }
  }
}

}  // namespace photon::paxos
