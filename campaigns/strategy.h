// How a campaign chooses its runs, round by round. The engine (engine.h) does the rest: pool, sums,
// results file, limits, verdict.
//
// A strategy that learns is given the results of a round in the order of their numbers, so its
// choices do not depend on the number of worker processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/plan.h"
#include "campaigns/runs/run_spec.h"
#include "scenarios/world/runner.h"

namespace photonsim::campaigns {

// What a learning strategy reports besides the runs.
struct SearchFigures {
  std::size_t corpus = 0;    // configurations in the corpus
  std::size_t features = 0;  // distinct features they reached
};

class Strategy {
 public:
  using Probe = std::function<photon::Bytes(const scenarios::RunOutcome&)>;
  using Shows = CampaignPlan::Shows;

  Strategy() = default;
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;
  virtual ~Strategy() = default;

  // Plans the next round: the runs after those of the last round, at most `most`. Returns their
  // number.
  virtual std::uint64_t plan_round(std::uint64_t most) = 0;
  // The spec of a run of this round, or of an earlier run that failed. Pure until the next round.
  virtual RunSpec spec_of(std::uint64_t run) const = 0;
  // The command that reproduces it.
  virtual std::string replay_of(std::uint64_t run, Shows shows) const = 0;
  // The name for its minimized repro, without folder.
  virtual std::string repro_name(std::uint64_t run) const = 0;

  virtual bool learns() const { return false; }
  // Computed in the worker, for learn(). Empty: nothing is computed.
  virtual Probe probe() const { return {}; }
  // Takes the result of a run, and may set aside what is no failure of the system. Returns an empty
  // text, or why the campaign cannot go on.
  virtual std::string learn(std::uint64_t /*run*/, RunResult& /*result*/) { return {}; }
  virtual std::optional<SearchFigures> figures() const { return std::nullopt; }
  // The scenario file written for a failed run; empty: none.
  virtual std::string file_of(std::uint64_t /*run*/) const { return {}; }
};

std::unique_ptr<Strategy> make_strategy(const CampaignPlan& plan);

}  // namespace photonsim::campaigns
