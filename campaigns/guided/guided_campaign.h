// A guided campaign: configurations that are changed a little when they have reached something new,
// until one fails or enough have run.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/guided/search.h"
#include "campaigns/pool/run_pool.h"

namespace photonsim::campaigns {

struct GuidedSpec {
  std::string name{};  // of the scenario, or "swarm"
  scenarios::guided::SearchOptions search{};
  std::uint64_t first = 1;  // seed of the first configuration
  std::uint64_t most_runs = 100;
  std::uint64_t most_events = 0;  // kernel events in all; 0: no such limit
  PoolLimits limits{};            // but for its deadline, which `time` gives
  std::optional<std::chrono::nanoseconds> time{};
  bool fail_fast = false;
  std::string oracle{};  // fail_fast: only what it finds first counts; empty: every failure
};

struct GuidedFailure {
  scenarios::guided::World world{};
  std::uint64_t run = 0;     // its number, from 1
  std::uint64_t events = 0;  // of all runs up to it and of it
  int exit_code = 0;
  std::string text{};
};

struct GuidedResult {
  enum class End : std::uint8_t {
    complete,
    interrupted,
    refused,     // a configuration cannot be run; `why` says which and why not
    no_process,  // none is to be had
  };
  End end = End::complete;
  int verdict = 0;  // the worst of its runs, as an exit code
  std::vector<std::string> why{};
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  std::uint64_t failed = 0;
  std::vector<GuidedFailure> failures{};  // the first of them, at most 20
  std::size_t corpus = 0;                 // configurations kept for what they reached
  std::size_t features = 0;               // that they reached
  double wall_seconds = 0;
};

// The same for any number of jobs, unless the time ends it: then by its last whole generation.
GuidedResult run_guided(const GuidedSpec& spec, Listener& listener);

// Why faults cannot be drawn for that scenario as for the swarm; empty if they can.
std::string not_searchable(const scenarios::Config& config);

}  // namespace photonsim::campaigns
