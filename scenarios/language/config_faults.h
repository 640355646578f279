// The [faults] of a scenario: lists of entries, one for each table. Times count from the start of
// the run. scenarios/faults/all_faults.h lists the tables. Part of config.h, whose head explains
// fields, defaults and sources.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/faults/clock.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/fault_lists.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/log.h"
#include "scenarios/faults/outage.h"
#include "scenarios/faults/partition.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random.h"
#include "scenarios/faults/slow.h"

namespace photonsim::scenarios {

// What a fault that did nothing means for the run.
enum class InertFaults : std::uint8_t {
  kFail,  // "fail": one that is written down must have an effect (DESIGN 6)
  // "allow": they are counted; for scenarios that were drawn at random. So are operations that end
  // otherwise than they should
  kAllow,
};

struct Faults {
  InertFaults inert{InertFaults::kFail};
  FaultLists lists{};

  // The entries of one table: of<CrashFault>() are those of [[faults.crash]].
  template <class Entry>
  std::vector<Entry>& of() {
    return lists.of<Entry>();
  }
  template <class Entry>
  const std::vector<Entry>& of() const {
    return lists.of<Entry>();
  }
  bool operator==(const Faults&) const = default;
};

}  // namespace photonsim::scenarios
