// How the points of a file differ from its first one, seed by seed.
#pragma once

#include <boost/json/object.hpp>

#include "report/report_points.h"

namespace photonsim::report {

// {metric, unit, point, value, low, high, n, correlation}: a row for each metric and each point but
// the first, over the seeds that both have. Only of points whose runs are all sound.
boost::json::object differences(const ReportPoints& points);

}  // namespace photonsim::report
