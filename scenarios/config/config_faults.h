// The [faults] of a scenario: lists of entries, one for each table. Times count from the start of
// the run. scenarios/faults/all_faults.h lists the tables. Part of config.h, whose head explains
// fields, defaults and sources.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/config/durations.h"
#include "scenarios/config/fault_lists.h"

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
