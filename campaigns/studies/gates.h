// Gates: what a user expects of the figures of a run ("latency.total.p99 < 8s").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/results/run_record.h"
#include "campaigns/studies/condition.h"

namespace photonsim::campaigns {

struct Gates {
  std::vector<Condition> list{};
  std::string problem{};  // of the first text that is no gate; then the list is void
};
// Every name in a gate must be that of a figure.
Gates parse_gates(std::span<const std::string> texts);

// Why a run with these figures does not meet the gate; empty if it does.
std::string miss_of(const Condition& gate, std::span<const photon::analysis::Metric> figures);

}  // namespace photonsim::campaigns
