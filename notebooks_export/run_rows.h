// Lines of CSV of one run: all that a run has once, and its figures. Both begin with the place of
// the run, run,scenario,seed and a column for each parameter.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/results/result_reader.h"

namespace photonsim::notebooks {

// "seed,registry.shards" ... : what stands in each file after the number of the run; with a comma
// at its end.
std::string place_head(const std::vector<std::string>& parameters);
std::string place_of(const photon::analysis::ExportedRun& run);

// Marks, corner cases, obligations and kinds of faults: "mark.paxos.fetch.asks_again" and so on.
void for_each_count(const photon::analysis::ExportedRun& run,
                    const std::function<void(const std::string&, std::uint64_t)>& visit);

std::string metrics_head(const std::vector<std::string>& parameters);
std::string metric_rows(const photon::analysis::ExportedRun& run);

std::string runs_head(const std::vector<std::string>& parameters);
std::string run_row(const photon::analysis::ExportedRun& run);
// Names of the columns after the verdict.
std::vector<std::string> run_columns();

}  // namespace photonsim::notebooks
