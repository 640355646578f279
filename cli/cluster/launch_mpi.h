// Part of the program alone, not of the library, and only where MPI is found.
#pragma once

#include <string>

#include "cli/cluster/launch.h"

namespace photonsim::cli {

Started start_ranks_by_mpi(const std::string& version, std::string (*offer)());

}  // namespace photonsim::cli
