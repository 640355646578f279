// Gates: what a user expects of the figures of a run ("latency.total.p99 < 8s").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/studies/condition.h"
#include "campaigns/studies/dimension.h"

namespace photonsim::campaigns {

struct Gates {
  std::vector<Condition> list{};
  std::string problem{};  // of the first text that is no gate; then the list is void
};
// Every name in a gate must be that of a figure.
Gates parse_gates(std::span<const std::string> texts);

// Why the two sides of a condition on figures cannot be compared; empty if they can.
std::string misfit_of(const Condition& gate);
// A quantity such as "8s", "5%" or "3" has the unit of that figure.
bool has_unit_of(std::string_view quantity, const std::string& figure);

// Of a figure or a quantity.
Dimension dimension_of_word(std::string_view word);

// It is about a time, such as a quantile of latencies, or the share of them above a bound.
bool names_latency(const Condition& gate);

// Why the run does not meet the gate; empty if it does.
std::string miss_of(const Condition& gate, const photon::analysis::RunRecord& run);

}  // namespace photonsim::campaigns
