// The runs of one batch of a guided search, in the pool.
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
  scenarios::guided::Features features{};  // none if its process died
  std::string text{};                      // why it failed
};

struct BatchRuns {
  RunPool::End end = RunPool::End::complete;
  // In the order of the configurations. All if complete; at a deadline those before the first that
  // was cut off; otherwise none.
  std::vector<GuidedRun> runs{};
};

BatchRuns run_batch(const std::vector<scenarios::guided::Candidate>& candidates,
                    const scenarios::guided::RareMarks& rare, const PoolLimits& limits,
                    Listener& listener);

}  // namespace photonsim::campaigns
