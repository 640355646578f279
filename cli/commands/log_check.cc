#include "cli/commands/log_check.h"

#include <utility>
#include <vector>

#include "cli/commands/output.h"
#include "scenarios/world/trace_input.h"
#include "scenarios/world/trace_warnings.h"

namespace photonsim::cli {

photon::Result<void, photon::models::InputFaults> LogCheck::warn_of(
    const scenarios::Config& config) {
  if (config.workload.kind != scenarios::WorkloadKind::kTrace) {
    return boost::outcome_v2::success();
  }
  if (!has_read_ || workload_ != config.workload) {
    auto log = scenarios::read_trace(config);
    if (!log) return std::move(log).assume_error();
    log_ = std::move(log.assume_value());
    workload_ = config.workload;
    has_read_ = true;
  }
  std::vector<std::string> fresh;
  for (std::string& each : scenarios::trace_warnings(config, log_)) {
    if (said_.insert(each).second) fresh.push_back(std::move(each));
  }
  warn(fresh);
  return boost::outcome_v2::success();
}

}  // namespace photonsim::cli
