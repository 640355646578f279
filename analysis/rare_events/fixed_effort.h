// Fixed-effort splitting: how likely a random path reaches a rare level of an importance function.
//
// Levels l1 < ... < lm. Stage 1 begins `effort` paths and counts those that reach l1. Stage i+1
// begins `effort` paths from the states in which stage i reached its level, each with draws of its
// own from there on, and counts those that reach l(i+1). The product of the shares estimates the
// probability of reaching lm. It is unbiased whatever the levels and the effort are, as long as
// each state is as likely as the others to begin a path (Garvels, PhD thesis, Twente 2000, section
// 2.3; L'Ecuyer, Demers and Tuffin, ACM TOMACS 17, 2007): here the states are dealt out in a random
// order, so that their numbers of paths differ by one at most.
//
// Paths of one splitting share their beginnings, so its shares say nothing of its error:
// independent splittings do (replications.h). How many of the first paths the last ones descend
// from tells how much they share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/rare_events/purposes.h"
#include "core_impl/base/check.h"
#include "core_impl/base/random.h"

namespace photon::analysis {

struct SplittingStage {
  std::uint64_t trials = 0;
  std::uint64_t reached = 0;    // trials that reached the stage's level
  std::uint64_t entrances = 0;  // states from which the trials began; of the first stage: trials
  std::uint64_t ancestors = 0;  // trials of the first stage from which the paths descend
};

struct Splitting {
  double probability = 0;
  std::vector<SplittingStage> stages{};  // up to the first that no path got through
  std::uint64_t trials() const {
    std::uint64_t sum = 0;
    for (const SplittingStage& each : stages) sum += each.trials;
    return sum;
  }
};

struct Effort {
  std::uint64_t stages = 1;  // levels
  std::uint64_t trials = 1;  // of each stage
  std::uint64_t seed = 1;    // of the order in which states are dealt out
};

// The numbers below `count` in a random order.
std::vector<std::size_t> shuffled(std::size_t count, const RandomStream& stream,
                                  std::uint64_t ordinal);

// `begin(trial)` follows a path from the start to the first level, `go_on(state, stage, trial)` one
// from `state` to the level of that stage, the second being 1: each returns the state in which the
// path reached it, or nothing. All their draws must be independent of those of other calls. `top`
// gets a state in which the last level was reached, if one was.
template <class State, class Begin, class GoOn>
Splitting split(const Effort& effort, const Begin& begin, const GoOn& go_on,
                std::optional<State>* top = nullptr) {
  PHOTON_CHECK(effort.stages > 0 && effort.trials > 0, "a splitting has levels and trials");
  struct Entrance {
    State state;
    std::size_t root;
  };
  const RandomStream order(effort.seed, purpose::kSplittingOrder, 0);
  Splitting result;
  result.probability = 1;
  std::vector<Entrance> from;
  for (std::uint64_t stage = 0; stage < effort.stages; ++stage) {
    const std::vector<std::size_t> dealt = shuffled(from.size(), order, stage);
    std::vector<Entrance> reached;
    std::set<std::size_t> ancestors;
    for (std::uint64_t trial = 0; trial < effort.trials; ++trial) {
      const Entrance* entrance = stage == 0 ? nullptr : &from[dealt[trial % from.size()]];
      auto state = entrance == nullptr ? begin(trial) : go_on(entrance->state, stage, trial);
      if (!state) continue;
      const std::size_t root = entrance == nullptr ? trial : entrance->root;
      ancestors.insert(root);
      reached.push_back({*std::move(state), root});
    }
    result.stages.push_back({effort.trials, reached.size(),
                             stage == 0 ? effort.trials : std::min(from.size(), effort.trials),
                             ancestors.size()});
    result.probability *= static_cast<double>(reached.size()) / static_cast<double>(effort.trials);
    if (reached.empty()) return result;
    from = std::move(reached);
  }
  if (top != nullptr) *top = std::move(from.front().state);
  return result;
}

}  // namespace photon::analysis
