// What many runs found: failures in groups, and what was checked how often.
#pragma once

#include <boost/json/object.hpp>

#include "report/report_points.h"

namespace photonsim::report {

//   failures     {oracle, standing, severity, runs, count, run, seed, message, replay}: a row for
//                each oracle, or each other reason why runs failed; run: the first one
//   obligations  {oracle, checks}, over all runs
//   fault_states {kind, state, count}: faults that took effect while the protocols were in a state
//   fault_kinds  {kind, count}
//   marks        {name, hits, runs}: of coverage
//   corner_cases {name, count, runs}
boost::json::object campaign_data(const ReportPoints& points);

}  // namespace photonsim::report
