#include "core_impl/paxos/roles.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon::paxos {

void Candidate::add(ReplicaIndex from, const Promise& promise) {
  PHOTON_CHECK(from < kMaxReplicas, "only members promise");
  PHOTON_CHECK(promise.ballot == ballot, "a promise counts for its own ballot only");
  if (promise.from_slot != from_slot) {
    // A ballot collects promises once, from one slot on.
    PHOTON_MARK("paxos.promise.other_start");
    return;
  }
  if (promises.size() <= from) promises.resize(from + std::size_t{1});
  if (promises[from] >= promise.generation) {
    PHOTON_MARK("paxos.promise.repeated");
    return;
  }
  if (promises[from] != Generation{}) PHOTON_MARK("paxos.promise.of_a_new_disk");
  promises[from] = promise.generation;
  chosen_through = std::max(chosen_through, promise.chosen_through);
  for (const Reported& entry : promise.accepted) {
    if (entry.slot < from_slot) continue;
    const Slot offset = entry.slot - from_slot;
    if (reported.size() <= offset) reported.resize(offset + 1);
    if (reported[offset].ballot != Ballot{} && reported[offset].ballot != entry.ballot) {
      PHOTON_MARK("paxos.recovery.reports_differ");
    }
    if (entry.ballot > reported[offset].ballot) {
      reported[offset] = LogEntry{entry.ballot, entry.value};
    }
  }
}

bool Candidate::has_majority(const Config& config, const Generations& in_force) const {
  ReplicaSet counted;
  for (ReplicaIndex i = 0; i < promises.size(); ++i) {
    if (in_force.in_force(i, promises[i])) counted.add(i);
  }
  return config.is_quorum(counted);
}

bool Candidate::is_elected(const Config& config, Generations in_force) const {
  PHOTON_CHECK(chosen_through < from_slot + reported.size(), "chosen slots were reported");
  for (Slot slot = from_slot; slot <= chosen_through; ++slot) {
    const auto chosen = admission_in(reported[slot - from_slot].value);
    if (chosen) {
      PHOTON_MARK("paxos.recovery.admission_chosen");
      in_force.admit(*chosen);
    }
  }
  if (!has_majority(config, in_force)) return false;
  const Slot next = std::max(from_slot, chosen_through + 1) - from_slot;
  if (next >= reported.size()) return true;
  const auto open = admission_in(reported[next].value);
  if (open) PHOTON_MARK("paxos.recovery.admission_open");
  return !open || !in_force.admit(*open) || has_majority(config, in_force);
}

}  // namespace photon::paxos
