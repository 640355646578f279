// The names of datacenters, processes and volumes, for traces (analysis/trace_files/trace_file.h).
#pragma once

#include "analysis/trace_files/trace_file.h"
#include "sim/topology.h"

namespace photonsim::scenarios {

photon::analysis::TracePlaces places(const photon::sim::Topology& topology);

}  // namespace photonsim::scenarios
