#include "campaigns/guided/guided_campaign.h"

#include <algorithm>

#include <fmt/format.h>

#include "campaigns/guided/batch.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"

namespace photonsim::campaigns {
namespace {

namespace guided = scenarios::guided;

constexpr std::size_t kMostFailures = 20;
// How long a batch under way may take after the deadline.
constexpr auto kGrace = std::chrono::seconds(5);

class GuidedCampaign {
 public:
  GuidedCampaign(const GuidedSpec& spec, Listener& listener)
      : spec_(spec), listener_(listener), search_(spec.search) {
    if (spec_.time) end_time_ = began_ + *spec_.time;
  }

  GuidedResult run() {
    while (result_.end == GuidedResult::End::complete && !over()) run_next_batch();
    if (result_.end == GuidedResult::End::complete && listener_.stop_requested()) {
      result_.end = GuidedResult::End::interrupted;
    }
    result_.corpus = search_.corpus().size();
    result_.features = search_.corpus().features();
    result_.wall_seconds = std::chrono::duration<double>(WallClock::now() - began_).count();
    return std::move(result_);
  }

 private:
  void run_next_batch() {
    const std::vector<guided::Candidate> candidates = search_.plan();
    PoolLimits limits = spec_.limits;
    if (end_time_) limits.deadline = *end_time_ + kGrace;
    const BatchRuns done = run_batch(candidates, search_.rare_marks(), limits, listener_);
    if (done.end == RunPool::End::no_process) {
      result_.end = GuidedResult::End::no_process;
      result_.why = {"cannot start a process for the search; ask for fewer with --jobs"};
    }
    for (std::size_t i = 0; i < done.runs.size() && !enough(); ++i) {
      if (done.runs[i].exit_code == kUsage) return refuse(candidates[i], done.runs[i]);
      learn(candidates[i], done.runs[i]);
    }
    show();
  }

  bool enough() const {
    const bool failed = spec_.fail_fast && meant_ > 0;
    const bool costs = spec_.most_events != 0 && result_.events >= spec_.most_events;
    return failed || costs || result_.runs >= spec_.most_runs;
  }
  bool over() const {
    const bool late = end_time_ && WallClock::now() > *end_time_;
    return enough() || late || listener_.stop_requested();
  }

  // A refused configuration shows nothing about the system, and the next one would be refused too.
  void refuse(const guided::Candidate& candidate, const GuidedRun& run) {
    result_.end = GuidedResult::End::refused;
    result_.why = {run.text, fmt::format("so {} cannot be run with seed {}", spec_.name,
                                         candidate.config.run.seed)};
  }

  void learn(const guided::Candidate& candidate, const GuidedRun& run) {
    ++result_.runs;
    result_.events += run.events;
    if (run.exit_code != kInertFault) result_.verdict = worse_of(result_.verdict, run.exit_code);
    search_.learn(candidate, run.features, run.events);
    // A run whose check was vacuous (7) is not a finding.
    if (run.exit_code == kOk || run.exit_code == kInertFault) return;
    ++result_.failed;
    if (spec_.oracle.empty() || run.text.find(spec_.oracle + ",") != std::string::npos) ++meant_;
    if (result_.failures.size() == kMostFailures) return;
    result_.failures.push_back({candidate, result_.runs, result_.events, run.exit_code, run.text});
  }

  void show() {
    double share = static_cast<double>(result_.runs) / static_cast<double>(spec_.most_runs);
    if (end_time_) {
      const std::chrono::duration<double> elapsed = WallClock::now() - began_;
      share = std::max(share, elapsed / std::chrono::duration<double>(*spec_.time));
    }
    listener_.on_progress(std::min(share, 1.0),
                          fmt::format("{} configurations, corpus of {}, {} failed", result_.runs,
                                      search_.corpus().size(), result_.failed));
  }

  const GuidedSpec& spec_;
  Listener& listener_;
  guided::Search search_;
  WallClock::time_point began_ = WallClock::now();
  std::optional<WallClock::time_point> end_time_{};
  std::uint64_t meant_ = 0;  // failures by the requested oracle
  GuidedResult result_{};
};

}  // namespace

GuidedResult run_guided(const GuidedSpec& spec, Listener& listener) {
  return GuidedCampaign(spec, listener).run();
}

std::string not_searchable(const scenarios::Config& config) {
  constexpr std::chrono::seconds kShortest{2};
  if (config.workload.kind == scenarios::WorkloadKind::kTrace) {
    return "its load is a trace; take one with a synthetic load";
  }
  if (!config.run.duration || *config.run.duration < kShortest) {
    return "it is too short; give it a run.duration of two seconds at least";
  }
  if (config.registry.replicas.size() < 3) {
    return "no replica of its registry may fail; give it three at least";
  }
  return {};
}

}  // namespace photonsim::campaigns
