#include "campaigns/engine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "campaigns/studies/gates.h"
#include "campaigns/triage.h"
#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// How long runs under way may take after the deadline.
constexpr auto kGrace = std::chrono::seconds(5);

CampaignSum::Pooling pooling_of(const CampaignSpec& spec) {
  return spec.swarm || spec.guided ? CampaignSum::Pooling::none : CampaignSum::Pooling::by_scenario;
}

}  // namespace

CampaignEngine::CampaignEngine(CampaignPlan plan, ResultsFile& results, Listener& listener)
    : plan_(std::move(plan)),
      strategy_(make_strategy(plan_)),
      results_(results),
      listener_(listener),
      kept_(results.keeps()),
      sum_(plan_.spec().names(), pooling_of(plan_.spec()), plan_.spec().numbered()) {}

bool CampaignEngine::load_results() {
  if (strategy_->learns()) return true;
  const bool read = results_.read([this](analysis::RunRecord run) {
    const auto number = plan_.run_of(run.scenario, run.seed);
    if (!number) return;
    if (run.end == analysis::RunEnd::died) {
      died_before_[*number].death = std::move(run);
      return;
    }
    note_end(*number, run.exit_code);
    done_.resize(plan_.runs());
    done_[*number] = true;
    run.replay = replay_of(*number, run);  // its files may have been renamed
    add(std::move(run));
  });
  loaded_ = sum_.runs();
  return read;
}

void CampaignEngine::run() {
  RunPool::End end = RunPool::End::complete;
  while (end == RunPool::End::complete && is_going_on() && !is_enough()) {
    const std::uint64_t runs = strategy_->plan_round(plan_.runs() - round_end_);
    if (runs == 0) break;
    end = run_round(runs);
  }
  if (end == RunPool::End::stopped && is_going_on()) {
    end_ = End::interrupted;
    error_code_ = listener_.stop_exit_code();
  }
  save();
  report_deaths();
  if (is_going_on()) conclude(end);
}

RunPool::End CampaignEngine::run_round(std::uint64_t runs) {
  round_end_ += runs;
  PoolLimits limits = plan_.spec().limits;
  limits.jobs = static_cast<unsigned>(
      std::min<std::uint64_t>({limits.jobs, runs, plan_.runs() - sum_.runs()}));
  if (plan_.spec().time) limits.deadline = began_ + *plan_.spec().time + kGrace;
  PoolWork work;
  work.next = [this] { return next(); };
  work.spec_of = [this](std::uint64_t number) { return strategy_->spec_of(number); };
  work.is_rerun = [this](std::uint64_t number) {
    return is_checked(plan_.seed_of(number), plan_.spec().determinism_share);
  };
  work.probe = strategy_->probe();
  work.moments = static_cast<bool>(work.probe);
  work.take = [this](std::uint64_t number, RunResult result) { take(number, std::move(result)); };
  RunPool pool(limits, std::move(work));
  pool_ = &pool;
  const RunPool::End end = pool.run(listener_, [this] {
    if (results_.due()) save();
    show_progress();
  });
  pool_ = nullptr;
  take_held();
  return end;
}

bool CampaignEngine::has_seen_enough() const {
  const CampaignSpec& spec = plan_.spec();
  return (spec.fail_fast && stopping_ > 0) ||
         (spec.most_events != 0 && sum_.events() >= spec.most_events);
}

bool CampaignEngine::is_enough() const {
  const auto& time = plan_.spec().time;
  return has_seen_enough() || (time && WallClock::now() - began_ > *time);
}

std::optional<std::uint64_t> CampaignEngine::next() {
  if (is_enough()) return std::nullopt;
  while (next_ < round_end_ && !done_.empty() && done_[next_]) ++next_;
  return next_ < round_end_ ? std::optional(next_++) : std::nullopt;
}

void CampaignEngine::take(std::uint64_t number, RunResult result) {
  if (result.cut_off) {
    // By run number, not by which worker was cut off first.
    cut_off_.insert(std::ranges::lower_bound(cut_off_, number), number);
  } else if (strategy_->learns()) {
    held_.emplace(number, std::move(result));
  } else {
    take_in_order(number, std::move(result));
  }
}

// Runs after the one that ends the campaign do not count: which of them have ended depends on the
// number of processes.
void CampaignEngine::take_held() {
  for (auto& [number, result] : held_) {
    if (!is_going_on() || has_seen_enough()) break;
    take_in_order(number, std::move(result));
  }
  held_.clear();
}

void CampaignEngine::take_in_order(std::uint64_t number, RunResult result) {
  analysis::RunRecord& run = result.record;
  run.scenario = static_cast<std::uint32_t>(plan_.scenario_of(number));
  run.seed = plan_.seed_of(number);
  if (result.refused) {
    const std::string where =
        fmt::format("so {} cannot be run with {} {}", plan_.spec().names()[run.scenario],
                    plan_.spec().numbered(), run.seed);
    return fail(kUsage, {std::move(run.what), where},
                strategy_->replay_of(number, Strategy::Shows::the_run));
  }
  const std::string problem = strategy_->learn(number, result);
  run.replay = replay_of(number, run);
  keep(number, std::move(run));
  if (!problem.empty()) fail(kEnvironment, {problem});
}

std::string CampaignEngine::replay_of(std::uint64_t number, const analysis::RunRecord& run) const {
  const bool diverged = run.determinism == analysis::Determinism::diverged;
  std::string line =
      strategy_->replay_of(number, diverged ? Strategy::Shows::rerun : Strategy::Shows::the_run);
  // Without the limit the same run passes.
  if (run.end != analysis::RunEnd::over_memory) return line;
  return line + " --memory " + scenarios::format_bytes(plan_.spec().limits.memory);
}

void CampaignEngine::keep(std::uint64_t number, analysis::RunRecord run) {
  note_end(number, run.exit_code);
  results_.add(run);
  add(std::move(run));
}

void CampaignEngine::add(analysis::RunRecord run) {
  verdict_ = worse_of(verdict_, run.exit_code);
  check_gates(run);
  const std::string& oracle = plan_.spec().stop_oracle;
  const bool is_meant =
      oracle.empty() ||
      std::ranges::any_of(run.findings, [&](const analysis::OracleFindings& each) {
        return each.oracle == oracle && each.standing == analysis::Standing::failing;
      });
  stopping_ += run.exit_code != kOk && is_meant ? 1 : 0;
  if (!sum_.add(std::move(run)))
    fail(kInternal, {"a process of the campaign sent a record that does not fit the others"});
}

void CampaignEngine::check_gates(const analysis::RunRecord& run) {
  if (run.end != analysis::RunEnd::complete) return;
  for (const Condition& gate : plan_.spec().gates) {
    std::string why = miss_of(gate, run);
    if (why.empty()) continue;
    Misses& misses = misses_[gate.text()];
    const bool first = misses.runs++ == 0 || run.seed < misses.first;
    if (first) misses = {misses.runs, run.seed, std::move(why), run.replay};
  }
}

void CampaignEngine::note_end(std::uint64_t number, int exit_code) {
  const auto found = died_before_.find(number);
  if (found != died_before_.end()) found->second.end = exit_code;
}

// A run whose process died in an earlier campaign has failed unless it was repeated.
void CampaignEngine::report_deaths() {
  for (auto& [number, before] : died_before_) {
    if (!before.end) {
      before.death.replay = strategy_->replay_of(number, Strategy::Shows::the_run);
      add(std::move(before.death));
      continue;
    }
    deaths_.push_back(fmt::format("{}: {} before; the rerun {}", sum_.label_of(before.death),
                                  before.death.what, *before.end == kOk ? "passed" : "failed"));
  }
}

// Stops the campaign if results cannot be saved.
void CampaignEngine::save() {
  if (results_.save()) return;
  kept_ = false;
  if (!is_going_on()) return listener_.on_problem(results_.error());
  const std::string rest = strategy_->learns() ? "" : ": the same command does the rest";
  fail(kEnvironment, {results_.error(), "the runs saved until then are in the file" + rest});
}

void CampaignEngine::conclude(RunPool::End end) {
  if (end == RunPool::End::no_process) {
    fail(kEnvironment, {no_process_text(plan_.spec().limits)});
  } else if (sum_.runs() == plan_.runs()) {
    end_ = End::complete;
  } else if (is_enough()) {
    end_ = End::ended_early;
  } else {
    fail(kInternal, {fmt::format("only {} of {} runs ended", sum_.runs(), plan_.runs())});
  }
}

void CampaignEngine::fail(int code, std::vector<std::string> why, std::string replay) {
  if (!is_going_on()) return;
  errors_ = std::move(why);
  replay_ = std::move(replay);
  end_ = End::error;
  error_code_ = code;
  if (pool_ != nullptr) pool_->stop();
}

void CampaignEngine::show_progress() {
  const std::uint64_t ended = sum_.runs() + held_.size();
  double share = static_cast<double>(ended - loaded_) /
                 static_cast<double>(std::max<std::uint64_t>(plan_.runs() - loaded_, 1));
  if (plan_.spec().time) {
    const std::chrono::duration<double> elapsed = WallClock::now() - began_;
    share = std::max(share, elapsed / std::chrono::duration<double>(*plan_.spec().time));
  }
  listener_.on_progress(std::min(share, 1.0), fmt::format("{} of {} runs ended, {} failed", ended,
                                                          plan_.runs(), sum_.failed()));
}

bool CampaignEngine::is_incomplete() const {
  const bool failed = plan_.spec().fail_fast && stopping_ > 0;
  return is_going_on() && !failed && sum_.runs() < plan_.spec().min_runs;
}

std::vector<std::uint64_t> CampaignEngine::runs_to_minimize(std::uint64_t most) const {
  std::vector<std::uint64_t> runs;
  if (!is_going_on()) return runs;
  std::vector<FailureGroup> groups = failure_groups(sum_);
  std::erase_if(groups, [](const FailureGroup& group) {
    const analysis::RunEnd end = group.runs.front()->end;
    return group.exit_code == kNotDeterministic || group.exit_code == kInertFault ||
           end == analysis::RunEnd::over_memory || end == analysis::RunEnd::over_time;
  });
  for (const analysis::RunRecord* run : each_cause_first(groups)) {
    if (runs.size() == most) break;
    runs.push_back(run->seed - plan_.spec().first);
  }
  return runs;
}

}  // namespace photonsim::campaigns
