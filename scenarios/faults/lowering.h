// Helpers for lowering: from the entries of a scenario to faults of the simulator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/faults/fault_table.h"
#include "sim/network_faults.h"

namespace photonsim::scenarios {

struct When {
  Duration at{};
  Duration duration{};
};

// `kind`: static text; empty: the action's own name.
photon::sim::Fault fault_of(const When& when, photon::sim::Action action,
                            std::string_view kind = {});

// The datacenters that these names mean: datacenters, or all of a region.
std::vector<photon::DatacenterId> members(const std::vector<std::string>& names,
                                          const photon::sim::Topology& topology);

// The processes that one of these names means (LinkFault::from), in order of their numbers.
std::vector<photon::NodeId> parties(const Config& config, const std::vector<std::string>& names,
                                    const photon::sim::Topology& topology);

// Holds back messages that bring these processes a newer configuration.
photon::sim::LinkFault late_configuration_for(std::vector<photon::NodeId> receivers,
                                              std::string text,
                                              const photon::sim::Topology& topology);

}  // namespace photonsim::scenarios
