// From the scenario's [faults] to the run's explicit, sorted list of faults (DESIGN 5).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/deployment/deployment.h"
#include "scenarios/faults/modelled_fault.h"
#include "sim/fault.h"

namespace photonsim::scenarios {

struct FaultPlan {
  std::vector<photon::sim::Fault> list{};  // by time
  // Which entry of the scenario's tables list[i] belongs to; none: from [[faults.random]]. An entry
  // must have an effect.
  std::vector<std::optional<std::size_t>> entries{};
  std::vector<std::string_view> tables{};  // of each entry: "faults.crash"
  std::optional<std::size_t> forced{};     // the place in `list` of a forced crash; it may be inert
};

// `numbers` maps the keys of faults that models carry out; it must outlive the run.
// `generation`: how long clicks are generated; random faults without `until` stop there.
FaultPlan plan_faults(const Config& config, const Deployment& deployment, Duration generation,
                      std::uint64_t seed, FaultNumbers& numbers);

}  // namespace photonsim::scenarios
