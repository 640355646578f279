// A part of a datacenter's clicks that one dispatcher worker owns at a time, as seen by its owner.
//
// The files of the click logs are divided by the numbers of the servers that write them; so are the
// files of returned clicks. A partition has a journal of its own, which passes from owner to owner
// with the offsets and the retry store in it (intake/intake.h).
#pragma once

#include <cstdint>

#include "core_impl/photon/intake/intake.h"

namespace photon {

struct Partition {
  enum class Stage : std::uint8_t {
    looking,  // reads which worker owns it
    waiting,  // for another owner, until the next check
    taking,   // fenced, read, not yet written under this worker's name
    owned,
    leaving,  // to be released as soon as no write to its journal is open
  };
  using Handle = Intake::Handle;  // of a click in the worker's table

  Partition(std::uint32_t of, const StateStore::Options& journal, ClickSource clicks)
      : number(of), intake(journal, std::move(clicks)) {}

  std::uint32_t number;
  Stage stage = Stage::looking;
  // Number of consecutive checks in which another worker's journal was unchanged. Its owner
  // renews it every third of the lease, so at WorkerGroup::kUnchangedReads it has no owner,
  // whatever the journal says.
  std::uint32_t unmoved = 0;
  Intake intake;
  PooledDeque<Handle> retries{};   // due
  PooledDeque<Handle> sendable{};  // looked up, waiting for a free send
  bool retry_first = false;
  Handle forming = 0;  // the group that takes the clicks being read (click_groups.h); 0: none

  // Work may be started.
  bool is_open(MonotonicTime now) const { return stage == Stage::owned && intake.lease_held(now); }
};

}  // namespace photon
