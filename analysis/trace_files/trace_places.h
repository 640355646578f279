// Names for the numbers in records.
#pragma once

#include <string>
#include <vector>

#include "core_impl/base/strong_id.h"

namespace photon::analysis {

// An object without a name is shown by its number.
struct TracePlaces {
  std::vector<std::string> datacenters{};  // by DatacenterId
  std::vector<std::string> processes{};    // by NodeId: paths, "us-east1/joiner/3"
  std::vector<std::string> volumes{};      // by VolumeId: "us-east1/cell", ...

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.datacenters, self.processes, self.volumes);
  }
  bool operator==(const TracePlaces&) const = default;
};

// "us-east1/joiner/3", or "process 28"; "environment" for kNoNode.
std::string process_name(const TracePlaces& places, NodeId node);
std::string datacenter_name(const TracePlaces& places, DatacenterId datacenter);
std::string volume_name(const TracePlaces& places, VolumeId volume);

}  // namespace photon::analysis
