// The guided search as a strategy: each round is a batch of configurations that the search
// (guided/search.h) plans from the features that earlier runs reached.
//
// The number of a configuration takes the place of a seed: configuration N of a search from seed F
// has the number F + N - 1. A configuration that fails has no seed that generates it, so it is
// written as a complete scenario file.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaigns/guided/search.h"
#include "campaigns/strategy.h"
#include "campaigns/triage.h"

namespace photonsim::campaigns {

class GuidedStrategy final : public Strategy {
 public:
  // Requires a plan with `guided`, and the swarm or one scenario.
  explicit GuidedStrategy(const CampaignPlan& plan);

  std::uint64_t plan_round(std::uint64_t most) override;
  RunSpec spec_of(std::uint64_t run) const override;
  // Its file's command, or else the search up to it.
  std::string replay_of(std::uint64_t run, Shows shows) const override;
  std::string repro_name(std::uint64_t run) const override;
  bool learns() const override { return true; }
  Probe probe() const override;
  // Mutation makes faults without effect, so a run that fails by them alone (exit code 7) counts as
  // passed: its record gets exit code 0.
  std::string learn(std::uint64_t run, RunResult& result) override;
  std::optional<SearchFigures> figures() const override;
  std::string file_of(std::uint64_t run) const override;

 private:
  std::string write_failure(std::uint64_t run, const photon::analysis::RunRecord& record);
  std::string search_line(std::uint64_t run) const;

  CampaignPlan plan_;
  scenarios::guided::Search search_;
  std::vector<scenarios::guided::Candidate> round_{};
  std::uint64_t round_first_ = 0;  // the number of its first run
  std::uint64_t next_ = 0;         // of the next round's first run
  std::map<std::uint64_t, scenarios::guided::Candidate> failed_{};
  std::map<std::uint64_t, std::string> files_{};
  std::set<FailureCause> causes_{};
};

// Why the swarm's faults cannot be generated for that scenario; empty if they can.
std::string not_searchable(const scenarios::Config& config);

}  // namespace photonsim::campaigns
