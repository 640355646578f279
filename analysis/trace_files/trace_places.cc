#include "analysis/trace_files/trace_places.h"

#include <string_view>

#include <fmt/format.h>

namespace photon::analysis {
namespace {

template <class Id>
std::string name_or_number(const std::vector<std::string>& names, std::string_view what, Id id) {
  if (id.value() < names.size()) return names[id.value()];
  return fmt::format("{} {}", what, id.value());
}

}  // namespace

std::string process_name(const TracePlaces& places, NodeId node) {
  return node == kNoNode ? "environment" : name_or_number(places.processes, "process", node);
}

std::string datacenter_name(const TracePlaces& places, DatacenterId datacenter) {
  return name_or_number(places.datacenters, "datacenter", datacenter);
}

std::string volume_name(const TracePlaces& places, VolumeId volume) {
  return name_or_number(places.volumes, "volume", volume);
}

}  // namespace photon::analysis
