// The runs of one generation of a guided search, in processes that are made for it: what kills one
// of them kills one run, and no run can disturb another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaigns/guided/search.h"

namespace photonsim::cli {

struct GuidedRun {
  int exit_code = 0;
  std::uint64_t events = 0;
  scenarios::guided::Signals signals{};  // none if its process died
  std::string text{};                    // what is wrong
};

struct GuidedProcesses {
  unsigned jobs = 1;         // so many at a time
  std::uint64_t memory = 0;  // bytes that each of them may have
};

// In the order of the worlds. Empty if there are no processes or pipes to be had, or if the program
// was told to stop (interrupted()).
std::vector<GuidedRun> run_generation(const std::vector<scenarios::guided::World>& worlds,
                                      const scenarios::guided::RareMarks& rare,
                                      const GuidedProcesses& processes);

}  // namespace photonsim::cli
