// The share of a run's latencies above a bound, "latency.insert.above.10s": a figure for any bound,
// counted in the run's histogram.
//
// Values in the histogram's bucket of the bound, at most 1/64 above it, count as not above it
// (latency_histogram.h). What has no latency, such as a click that is never joined, counts neither
// as above nor in the whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/results/run_record.h"
#include "core_impl/base/time.h"

namespace photonsim::campaigns {

struct ShareAbove {
  std::string group{};  // as it is written: "latency.insert", or "load.insert_latency"
  photon::Duration bound{};
};
// Of a name of either kind. Nothing for another figure, or without a duration.
std::optional<ShareAbove> share_above_named(std::string_view name);
bool is_share_above(std::string_view name);

// One bound stands for all: "latency.insert.above.1s". Another name as it is.
std::string of_known_bound(std::string_view name);
// The figure of the same name as `known`, with the bound of `name` if both have one.
std::string of_bound_of(std::string_view name, std::string_view known);
// "latency.insert.above.DURATION", for lists, and the figure of the known bound of such a pattern.
// Another name as it is.
std::string pattern_of_bounds(std::string_view name);
std::string of_bounds_pattern(std::string_view name);

struct CountAbove {
  std::uint64_t above = 0;
  std::uint64_t count = 0;  // > 0
};
// `stored`: a name in the store. Nothing if the run has no latency of this group.
std::optional<CountAbove> count_above(const photon::analysis::RunRecord& run,
                                      std::string_view stored);

}  // namespace photonsim::campaigns
