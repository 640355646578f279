// The logs that scenarios replay, read before the runs: a damaged one refuses the command, a
// doubtful one is warned of.
#pragma once

#include <set>
#include <string>

#include "models/trace_log.h"
#include "scenarios/config/config.h"

namespace photonsim::cli {

// Of many configurations: says each sentence once, and reads a log again only where the workload
// differs from that of the configuration before.
class LogCheck {
 public:
  // False after an error message. True without a look where the workload replays no log.
  [[nodiscard]] bool passes(const scenarios::Config& config);

 private:
  bool has_read_ = false;
  scenarios::Workload workload_{};  // the one whose log it is
  photon::models::TraceLog log_{};
  std::set<std::string> said_{};
};

}  // namespace photonsim::cli
