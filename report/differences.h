// How the points of a file differ from the first one that keeps up, seed by seed.
#pragma once

#include <boost/json/object.hpp>

#include "report/report_points.h"

namespace photonsim::report {

// {first, metric, unit, point, value, low, high, n, correlation}: `first` is the number of that
// point, the others have a row for each metric and each later point that keeps up, over the seeds
// that both have.
boost::json::object differences(const ReportPoints& points);

}  // namespace photonsim::report
