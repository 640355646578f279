// The points of a results file and their figures as columns.
#pragma once

#include <boost/json/object.hpp>

#include "report/report_points.h"

namespace photonsim::report {

// {label, scenario, kind, runs, failed, stationary, bound_by}: a value for each point. stationary:
// null if it is not known.
boost::json::object point_columns(const ReportPoints& points);

// {NAME [a value for each point]}, as they were set; "" where a point has none.
boost::json::object parameter_columns(const ReportPoints& points);

// {NAME {unit, value [], low [], high [], n []}}: a value for each point, null where its runs lack
// the figure or its interval. By the names that gates use (campaigns/studies/metric_names.h).
// Figures that are zero everywhere are left out.
boost::json::object metric_columns(const ReportPoints& points);

// {id, point, seed, verdict, exit_code, fingerprint, events, sim_seconds, what, replay,
// determinism}: a value for each run. Seeds are text.
boost::json::object run_columns(const ReportPoints& points);

}  // namespace photonsim::report
