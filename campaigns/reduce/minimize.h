// Failures minimized in the pool, and written down as scenario files.
#pragma once

#include <optional>
#include <string>

#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"
#include "scenarios/language/config.h"

namespace photonsim::campaigns {

struct MinimizeTask {
  const scenarios::Config& config;  // that fails
  std::string file{};               // for the minimized repro
  std::string command{};            // that shows the failure as it is
  std::string model_version{};
  PoolLimits limits{};  // its deadline is not used: `time` gives one
  WallClock::duration time{};
};

struct MinimizedRepro {
  std::string file{};  // empty: there is none
  std::string line{};  // the file and what is left in it, or why there is none
};

// If the file holds a repro that was made from the same scenario by the same version of the
// program, it is taken as it is, unless it was cut short and there is more time now. Nothing on a
// stop request. The result depends on the number of jobs only through the time.
std::optional<MinimizedRepro> minimize(const MinimizeTask& task, Listener& listener);

// A file of that name for the failure that `command` shows: NAME.toml, or NAME-2.toml and so on if
// that holds something else.
std::string repro_file(const std::string& name, const std::string& command);

// "interrupted while failures were minimized; ...": how many were left out, and what shows them as
// they are.
std::string repros_left_out(std::size_t left_out, std::size_t all);

}  // namespace photonsim::campaigns
