// The runs of one generation of a guided search, in the pool.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/guided/search.h"
#include "campaigns/pool/run_pool.h"

namespace photonsim::campaigns {

struct GuidedRun {
  int exit_code = 0;
  std::uint64_t events = 0;
  scenarios::guided::Signals signals{};  // none if its process died
  std::string text{};                    // what is wrong
};

struct GenerationRuns {
  RunPool::End end = RunPool::End::complete;
  std::vector<GuidedRun> runs{};  // in the order of the worlds; empty unless complete
};

GenerationRuns run_generation(const std::vector<scenarios::guided::World>& worlds,
                              const scenarios::guided::RareMarks& rare, const PoolLimits& limits,
                              Listener& listener);

}  // namespace photonsim::campaigns
