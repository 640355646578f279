// What all runs of the file found, failed ones too: failures in groups, and what was checked how
// often. runs: in how many of them.
#pragma once

#include <boost/json/object.hpp>

#include "report/report_points.h"

namespace photonsim::report {

//   failures     {oracle, title, standing, severity, runs, count, run, seed, at_seconds, process,
//                message, replay}: failing ones first, then by the time of the first; a row for
//                each oracle, or each other reason why runs failed, whose severity is their
//                verdict; run: the first one
//   losses       {name, count, runs}: lost clicks by class; none without lost clicks
//   obligations  {oracle, checks, runs}
//   fault_states {kind, state, count}: faults that took effect while the protocols were in a state
//   fault_kinds  {kind, count, runs}
//   marks        {name, hits, runs}: of coverage
//   corner_cases {name, count, runs}
boost::json::object campaign_data(const ReportPoints& points);

}  // namespace photonsim::report
