// What a report shows of single runs: the parts of their `--json` objects.
#pragma once

#include <boost/json/array.hpp>

#include "report/report_points.h"

namespace photonsim::report {

// The first runs of the file that `run --out` saved, each the object of `--json` with two more
// keys, `run` (its number in the file) and `manifest`, and what recovery_times.h adds. Long lists keep their first rows, and
// `shortened` counts the others by name.
photon::Result<boost::json::array, photon::analysis::FileError> run_details(
    const photon::analysis::ResultReader& results, const ReportPoints& points);

}  // namespace photonsim::report
