// A guided campaign: mutates configurations that reached new features, until one fails or
// enough have run.
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
  std::uint64_t most_events = 0;  // kernel events in total; 0: no limit
  PoolLimits limits{};            // without a deadline, which `time` gives
  std::optional<std::chrono::nanoseconds> time{};
  bool fail_fast = false;
  std::string oracle{};  // fail_fast: stop only at its findings; empty: at any failure
};

struct GuidedFailure {
  scenarios::guided::Candidate candidate{};
  std::uint64_t run = 0;     // its number, from 1
  std::uint64_t events = 0;  // of all runs so far, this one included
  int exit_code = 0;
  std::string text{};
};

struct GuidedResult {
  enum class End : std::uint8_t {
    complete,
    interrupted,
    refused,     // a configuration cannot be run; `why` names it and the reason
    no_process,  // no process can be started
  };
  End end = End::complete;
  int verdict = 0;  // the worst exit code of its runs
  std::vector<std::string> why{};
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  std::uint64_t failed = 0;
  std::vector<GuidedFailure> failures{};  // the first of them, at most 20
  std::size_t corpus = 0;                 // configurations in the corpus
  std::size_t features = 0;               // distinct features they reached
  double wall_seconds = 0;
};

// The result is the same for any number of jobs, unless the time ends it; then its last
// complete batch counts.
GuidedResult run_guided(const GuidedSpec& spec, Listener& listener);

// Why the swarm's faults cannot be generated for that scenario; empty if they can.
std::string not_searchable(const scenarios::Config& config);

}  // namespace photonsim::campaigns
