// Minimizes failures in the pool and writes the repros as scenario files.
#pragma once

#include <optional>
#include <string>

#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

struct MinimizeTask {
  const scenarios::Config& config;  // that fails
  std::string file{};               // for the minimized repro
  std::string command{};            // that reproduces the original failure
  std::string model_version{};
  PoolLimits limits{};  // without a deadline: `time` gives one
  WallClock::duration time{};
};

struct MinimizedRepro {
  std::string file{};  // empty: there is none
  std::string line{};  // the file and what remains in it, or why there is none
};

// Reuses an existing repro of the same scenario and program version, unless it was cut short and
// there is more time now. Returns nothing on a stop request. The result depends on the number of
// jobs only through the time.
std::optional<MinimizedRepro> minimize(const MinimizeTask& task, Listener& listener);

// The file name for the failure that `command` shows: NAME.toml, or NAME-2.toml and so on if that
// file holds something else.
std::string repro_file(const std::string& name, const std::string& command);

// "interrupted while failures were minimized; ...": how many were left out, and
// what reproduces them.
std::string repros_left_out(std::size_t left_out, std::size_t all);

}  // namespace photonsim::campaigns
