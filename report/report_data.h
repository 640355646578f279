// All that a report shows, from a results file: one JSON object whose lists are columns.
//
//   file, model_versions []
//   studies       [what `sweep` concluded: StudyReport::outcome()]
//   campaigns     [what `fuzz` concluded: campaigns/outcome.h]
//   verdict       {runs, failed, violations, checks, lost, joined,
//                 duplicates, operations}: of all runs, failed ones too; operations: of a registry alone
//   parameters    {NAME [a value for each point]}
//   points        {label, scenario, kind, runs, failed, stationary, bound_by}: a column each
//   runs          {id, point, seed, verdict, exit_code, fingerprint, events, sim_seconds, what,
//                 replay, determinism}
//   metrics       {NAME {unit, value [], low [], high [], n []}}: a value for each point
//   quantiles     latency_curves.h
//   distributions the same
//   differences   differences.h
//   campaign      campaign_data.h
//   details       run_details.h, of the first runs of `run --out`
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "analysis/results/result_reader.h"

namespace photonsim::report {

// `file`: its name, to be shown.
photon::Result<boost::json::object, photon::analysis::FileError> report_data(
    const photon::analysis::ResultReader& results, const std::string& file);

}  // namespace photonsim::report
