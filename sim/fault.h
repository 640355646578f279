// A fault of a run: when it begins, how long it lasts, and what it does.
//
// What it does is a value of one of a few structs, one for each general mechanism; the same struct
// serves several kinds of fault (a restart loop is several crashes, a swizzle several clogs), so a
// fault also carries the kind that reports and campaigns count it under. Each struct has
//   kName                 the kind, unless the fault says otherwise
//   text(topology)        whom it strikes, for people
//   place(topology)       the datacenter where its effect is recorded
//   begin(scene)          strikes
//   end(scene)            lets go
// and, where it needs them,
//   prepare(scene)        the run begins, and the fault is to strike some time
//   ready(scene)          may it strike now, later or never?
//   under_way()           it has begun to wait for something that heal_all cannot take back
//   cut_short(scene)      heal_all ends it before its time; end(scene) follows
// Adding a fault: a struct with these, and its name in Action.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core_impl/base/time.h"
#include "sim/disk_faults.h"
#include "sim/network_faults.h"
#include "sim/outage.h"
#include "sim/process_faults.h"
#include "sim/topology.h"

namespace photon::sim {

inline constexpr Duration kForever = Duration::max();

using Action =
    std::variant<CrashProcess, PauseProcess, StopProcess, CrashHost, LoseDisk, LoseMemory, Outage,
                 SlowDatacenter, Partition, LinkTrouble, DiskTrouble, BitRot, TornWrite>;

struct Fault {
  SimTime at{};
  Duration duration = kForever;  // kForever: until heal_all
  Action action{};
  std::string_view kind{};  // static text; empty: the action's own name
  // Faults with the same number above 0 are what they are called only together (a restart loop, a
  // swizzle, the kill of a region): the first of them that does something is not yet an effect.
  std::uint32_t series = 0;

  friend bool operator==(const Fault&, const Fault&) = default;
};

std::string_view name_of(const Fault& fault);  // "process_crash", ...
std::string describe(const Fault& fault, const Topology& topology);
DatacenterId place_of(const Fault& fault, const Topology& topology);

void sort_by_time(std::vector<Fault>& faults);  // stable

}  // namespace photon::sim
