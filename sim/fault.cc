#include "sim/fault.h"

#include <algorithm>

#include "core_impl/base/time_text.h"

namespace photon::sim {

std::string_view name_of(const Fault& fault) {
  if (!fault.kind.empty()) return fault.kind;
  return fault.action.name();
}

std::string describe(const Fault& fault, const Topology& topology) {
  std::string text(name_of(fault));
  text += " " + fault.action.text(topology);
  text += " at " + in_seconds(fault.at - SimTime{});
  if (fault.duration == kForever) return text + " for good";
  return text + " for " + in_seconds(fault.duration);
}

DatacenterId place_of(const Fault& fault, const Topology& topology) {
  return fault.action.place(topology);
}

void sort_by_time(std::vector<Fault>& faults) {
  std::ranges::stable_sort(faults, {}, [](const Fault& fault) { return fault.at; });
}

}  // namespace photon::sim
