// [[faults.link]] and [[faults.late_configuration]]: what befalls messages between some processes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core_impl/base/random.h"
#include "scenarios/language/config.h"
#include "sim/fault.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

// The processes that one of these names means (config_faults.h), in order of their numbers.
std::vector<photon::NodeId> parties(const Config& config, const std::vector<std::string>& names,
                                    const photon::sim::Topology& topology);

// Of the draws of the link fault of that number.
photon::RandomStream swizzle_stream(std::uint64_t seed, std::uint32_t number);

// One fault; of a swizzle one for each process that is clogged.
std::vector<photon::sim::Fault> link_faults(const Config& config, const LinkFault& link,
                                            const photon::sim::Topology& topology,
                                            const photon::RandomStream& stream);

// Whatever tells these processes a newer configuration is held back.
photon::sim::LinkFault late_configuration_for(std::vector<photon::NodeId> who, std::string target,
                                              const photon::sim::Topology& topology);

photon::sim::Fault late_configuration(const Config& config, const LateConfigurationFault& fault,
                                      const photon::sim::Topology& topology);

}  // namespace photonsim::scenarios
