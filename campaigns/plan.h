// The runs of a campaign, and the spec of each.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/guided/search.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/run_spec.h"
#include "campaigns/studies/condition.h"
#include "campaigns/swarm/swarm.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// The name of all generated configurations together.
inline constexpr const char* kSwarmName = "swarm";

struct CampaignSpec {
  struct Scenario {
    std::string name{};  // the file, as the user gave it
    scenarios::Config config{};
  };
  std::vector<Scenario> scenarios{};                 // dealt to the seeds in turn; or none, and
  std::optional<scenarios::swarm::Options> swarm{};  // each seed is a configuration of its own
  std::vector<std::string> overrides{};              // of all scenarios, as the user gave them
  std::uint64_t first = 1;                           // seeds, both included
  std::uint64_t last = 100;
  PoolLimits limits{};             // without a deadline, which `time` gives
  std::vector<Condition> gates{};  // that the figures of each complete run must meet
  double determinism_share = 0;    // this share of the runs is rerun and compared
  // No run starts later than this after the first.
  std::optional<std::chrono::nanoseconds> time{};
  std::uint64_t min_runs =
      0;                   // with fewer runs, those of the results file included, it is incomplete
  bool fail_fast = false;  // no run starts after the first that failed
  std::string stop_oracle{};  // fail_fast: only at its findings; empty: at any failure
  // A guided search, in which the swarm or the one scenario generates the first configurations.
  struct Guided {
    scenarios::guided::Feedback feedback = scenarios::guided::Feedback::on;
    std::string folder{};  // for the scenario files of failed configurations
  };
  std::optional<Guided> guided{};
  std::uint64_t most_events = 0;  // kernel events of all runs together; 0: no limit
  std::string model_version{};

  // What the number of a run is called: the seed, or the place of its configuration in a search.
  const char* numbered() const { return guided ? "configuration" : "seed"; }
  // Names of the scenarios; "swarm" for generated configurations.
  std::vector<std::string> names() const;
};

class CampaignPlan {
 public:
  explicit CampaignPlan(CampaignSpec spec) : spec_(std::move(spec)) {}

  const CampaignSpec& spec() const { return spec_; }
  std::uint64_t runs() const { return spec_.last - spec_.first + 1; }
  std::uint64_t seed_of(std::uint64_t run) const { return spec_.first + run; }
  std::size_t scenario_of(std::uint64_t run) const {
    return spec_.scenarios.empty() ? 0 : static_cast<std::size_t>(run % spec_.scenarios.size());
  }
  // The run of that scenario with that seed; nothing if the plan has none.
  std::optional<std::uint64_t> run_of(std::size_t scenario, std::uint64_t seed) const;
  // "swarm, seed 7"
  std::string label_of(std::uint64_t run) const;
  // Requires a plan without a guided search: there a configuration depends on earlier results.
  RunSpec spec_of(std::uint64_t run) const;
  // The command that reproduces it; `rerun`: the one that shows that it diverges. Requires a plan
  // without a guided search.
  enum class Shows : std::uint8_t { the_run, rerun };
  std::string replay_of(std::uint64_t run, Shows shows = Shows::the_run) const;

 private:
  CampaignSpec spec_;
};

}  // namespace photonsim::campaigns
