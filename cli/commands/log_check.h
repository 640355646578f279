// The logs that scenarios replay, read before the runs: what is doubtful in them is warned of.
#pragma once

#include <set>
#include <string>

#include "core_impl/base/result.h"
#include "models/trace_log.h"
#include "scenarios/config/config.h"

namespace photonsim::cli {

// Of many configurations: says each sentence once, and reads a log again only where the workload
// differs from that of the configuration before.
class LogCheck {
 public:
  // Nothing to do where the workload replays no log. The faults of a log that cannot be read.
  photon::Result<void, photon::models::InputFaults> warn_of(const scenarios::Config& config);

 private:
  bool has_read_ = false;
  scenarios::Workload workload_{};  // the one whose log it is
  photon::models::TraceLog log_{};
  std::set<std::string> said_{};
};

}  // namespace photonsim::cli
