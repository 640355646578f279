#include "cli/commands/log_check.h"

#include <utility>
#include <vector>

#include "cli/commands/output.h"
#include "scenarios/world/trace_input.h"
#include "scenarios/world/trace_warnings.h"

namespace photonsim::cli {

bool LogCheck::passes(const scenarios::Config& config) {
  if (config.workload.kind != scenarios::WorkloadKind::kTrace) return true;
  if (!has_read_ || workload_ != config.workload) {
    auto log = scenarios::read_trace(config);
    if (!log) {
      complain_of(log.assume_error());
      return false;
    }
    log_ = std::move(log.assume_value());
    workload_ = config.workload;
    has_read_ = true;
  }
  std::vector<std::string> fresh;
  for (std::string& each : scenarios::trace_warnings(config, log_)) {
    if (said_.insert(each).second) fresh.push_back(std::move(each));
  }
  warn(fresh);
  return true;
}

}  // namespace photonsim::cli
