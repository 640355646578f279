// Names of the figures that studies and gates use.
//
// A figure has the name that the results store gives it ("registry.mean_batch"). Latencies of
// clicks have shorter ones: "latency.total.p99", "latency.own.mean", "latency.lookup.p90"; so have
// those of a registry-only load: "latency.insert.p99", "latency.look_up.p99".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"

namespace photonsim::campaigns {

// All names, those of the store and the shorter ones, ascending.
const std::vector<std::string>& metric_names();
bool is_metric(const std::string& name);
// Of a name of either kind. Nothing if there is no such metric.
std::optional<photon::analysis::Unit> unit_of_metric(const std::string& name);

// The name in the store.
std::string stored_name(const std::string& name);
// The shorter name of a name in the store, or that name.
std::string spoken_name(const std::string& stored);

// Nothing if the run has none.
std::optional<double> metric_of(const photon::analysis::RunRecord& run, const std::string& name);

}  // namespace photonsim::campaigns
