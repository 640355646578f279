// Names of the figures that studies and gates use.
//
// A figure has the name that the results store gives it ("registry.mean_batch"). Latencies of
// clicks have shorter ones: "latency.total.p99", "latency.own.mean", "latency.lookup.p90"; so have
// those of a registry-only load: "latency.insert.p99", "latency.look_up.p99". Any of them has the
// share above a bound: "latency.total.above.7s" (share_above.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/run_record.h"

namespace photonsim::campaigns {

// All names, those of the store and the shorter ones, ascending. Of the figures of intervals
// (analysis/results/series_metrics.h) only those of the first, of the shares above a bound only
// those of one bound.
const std::vector<std::string>& metric_names();
// One such name for all intervals or bounds, "series.offered.NNNN", and back.
std::string listed_name(const std::string& name);
std::string of_listed_name(const std::string& listed);
bool is_metric(const std::string& name);
// The nearest name to one that is no metric; empty if none is near. Of the figures of intervals
// always one, of the same interval.
std::string closest_metric(const std::string& name);
// "did you mean ...?", with that name; empty if there is none.
std::string metric_hint(const std::string& name);
// Of a name of either kind. Nothing if there is no such metric.
std::optional<photon::analysis::Unit> unit_of_metric(const std::string& name);

// Most are not: only growth and lag may be.
bool may_be_negative(const std::string& name);
// Whether runs of this kind of workload have it: the registry with its clients alone, or clicks.
bool is_measured(const std::string& name, bool registry_only);

// The name in the store.
std::string stored_name(const std::string& name);
// The shorter name of a name in the store, or that name.
std::string spoken_name(const std::string& stored);

// Names of figures or keys without the parts before their last dot, where these tell them apart.
std::vector<std::string> shortened(const std::vector<std::string>& names);

// A quantile of latencies by its name in the store: "latency_own" and 0.99 of "latency_own.p99".
struct QuantileName {
  std::string group{};
  double fraction = 0;
};
// Nothing for another figure.
std::optional<QuantileName> quantile_named(std::string_view stored);
// A quantile of a run or of an interval of it: it stands in no product, as a quantile of all is
// another than the mean of theirs.
bool is_quantile(const std::string& name);

// Events per trial, where a run has many: clicks lost, latencies above a bound.
bool is_rate(const std::string& name);
// A count or such a rate: zero in all runs, it has no interval of its own.
bool counts_events(const std::string& name);

// How the value of a figure over all replications is estimated, with its interval.
enum class Estimator : std::uint8_t {
  mean,           // Student's interval
  positive_mean,  // of a skewed figure that is not negative (analysis/rare_events/replications.h)
  probability,    // of estimates of one, which are skewed too
};
Estimator estimator_of(std::string_view stored);

// Nothing if the run has none.
std::optional<double> metric_of(const photon::analysis::RunRecord& run, const std::string& name);

}  // namespace photonsim::campaigns
