// How long after a fault the backlog and the latency of the pipelines were back at their level before.
#pragma once

#include <boost/json/object.hpp>

namespace photonsim::report {

// `details`: the object of `run --json` (run_details.h). Each of its `around_faults` that has an end
// and lasts for an interval of `series` or longer gets
//
//   backlog_back_after_seconds   from the end of the fault to the end of the first later interval in which
//                                no pipeline has more waiting clicks than at the end of any interval
//                                before the fault, within the period `before`
//   own_p90_back_after_seconds   the same of the p90 of the own share; a pipeline that joins nothing
//                                in an interval is not slow then
//
// null: not until the run ended. A fault that lasts to the end of the run (`ends` is false) gets none. Without the key: no pipeline had such a figure in `before`, so that there is no level
// to come back to. Pipelines without one are left out. Exact to an interval.
void add_recovery_times(boost::json::object& details);

}  // namespace photonsim::report
