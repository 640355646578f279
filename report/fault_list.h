// All faults of a run that the file keeps details of, in their order.
#pragma once

#include <cstdint>

#include <boost/json/object.hpp>

#include "analysis/results/result_reader.h"

namespace photonsim::report {

// {number, description, at_seconds, effective}: a value for each of the first kFaultsMost faults.
// effective: it changed something in the run. `more`: how many are left out.
inline constexpr std::uint64_t kFaultsMost = 300;
photon::Result<boost::json::object, photon::analysis::FileError> fault_list(
    const photon::analysis::ResultReader& results, std::int64_t run);

}  // namespace photonsim::report
