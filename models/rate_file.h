// A file of rates: CSV with the columns "seconds" (since the start of the run) and "rate" (events
// per second); the rate is linear between two rows.
#pragma once

#include <string>
#include <vector>

#include "core_impl/base/result.h"
#include "models/load_shape.h"
#include "models/tables/input_fault.h"

namespace photon::models {

// The rows as knots whose factors are the rates: at least one, ascending, some rate above 0.
Result<std::vector<LoadShape::Knot>, InputFaults> read_rates(const std::string& path);

}  // namespace photon::models
