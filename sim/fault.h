// A fault of a run: when it begins, how long it lasts, and what it does.
//
// Its effect is an Action (action.h). One struct may serve several kinds of fault (a restart loop
// is several crashes, a swizzle several clogs), so a fault also carries the kind that reports and
// campaigns count it under.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core_impl/base/time.h"
#include "sim/action.h"
#include "sim/disk_faults.h"
#include "sim/network_faults.h"
#include "sim/outage.h"
#include "sim/process_faults.h"
#include "sim/topology.h"

namespace photon::sim {

inline constexpr Duration kForever = Duration::max();

struct Fault {
  SimTime at{};
  Duration duration = kForever;  // kForever: until heal_all
  Action action{};
  std::string_view kind{};  // static text; empty: the action's own name
  // Faults with the same number above 0 form one fault together (a restart loop, a swizzle, the
  // kill of a region): the first of them that takes effect is not yet an effect of the whole.
  std::uint32_t series = 0;

  friend bool operator==(const Fault&, const Fault&) = default;
};

std::string_view name_of(const Fault& fault);  // "process_crash", ...
std::string describe(const Fault& fault, const Topology& topology);
DatacenterId place_of(const Fault& fault, const Topology& topology);

void sort_by_time(std::vector<Fault>& faults);  // stable

}  // namespace photon::sim
