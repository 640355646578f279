#include "campaigns/study_engine.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "analysis/statistics/sequential.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/studies/estimates.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

StudyEngine::StudyEngine(StudyPlan plan, PoolLimits limits, ResultsFile& results,
                         Listener& listener, Share share)
    : plan_(std::move(plan)),
      limits_(limits),
      results_(results),
      listener_(listener),
      share_(share) {
  add_points();
}

void StudyEngine::add_points() {
  const std::size_t points = plan_.points().size();
  runs_.resize(points);
  wanted_.resize(points);
  for (std::size_t point = costs_.size(); point < points; ++point) {
    costs_.push_back(std::max(StudyPlan::cost_of(plan_.points()[point]).core_seconds, 1e-3));
    want(point, plan_.study().least_replications);
  }
}

void StudyEngine::want(std::size_t point, std::uint64_t replications) {
  const std::uint64_t before = std::exchange(wanted_[point], replications);
  all_wanted_ += replications - before;
  wanted_work_ += costs_[point] * (static_cast<double>(replications) - static_cast<double>(before));
}

bool StudyEngine::follow(std::size_t fresh) {
  const auto growth = results_.grow(plan_.identity(results_.model_version()));
  if (!growth) return false;
  if (*growth != ResultsFile::Growth::adopted) return true;
  ahead_.clear();
  return results_.read([&](analysis::RunRecord run) {
    if (run.scenario < fresh || run.end == analysis::RunEnd::died) return;
    if (is_planned(run.seed)) ahead_[run.scenario].push_back(std::move(run));
  });
}

std::uint64_t StudyEngine::loaded() const {
  std::uint64_t waiting = 0;
  for (const auto& [point, runs] : ahead_) waiting += runs.size();
  return loaded_ + waiting;
}

bool StudyEngine::is_planned(std::uint64_t seed) const {
  const std::uint64_t first = plan_.study().first_seed;
  return seed >= first && seed - first < plan_.study().most_replications;
}

bool StudyEngine::load_results() {
  if (plan_.study().search && !results_.grow(plan_.identity(results_.model_version())))
    return false;
  const bool read = results_.read([this](analysis::RunRecord run) {
    if (run.end == analysis::RunEnd::died) return;
    if (!is_planned(run.seed)) return;
    if (run.scenario < plan_.points().size()) {
      keep(plan_.number_of(run.scenario, run.seed - plan_.study().first_seed), std::move(run));
    } else if (plan_.study().search) {
      ahead_[run.scenario].push_back(std::move(run));
    }
  });
  loaded_ = done_;
  loaded_work_ = done_work_;
  return read;
}

bool StudyEngine::grow(const std::vector<Choice>& choices) {
  const std::size_t before = plan_.points().size();
  const std::vector<scenarios::Diagnostic> problems = plan_.add(choices);
  if (!problems.empty()) {
    error_code_ = kUsage;
    error_ =
        "the search came to a configuration that cannot be run\n" + scenarios::format(problems);
    return false;
  }
  add_points();
  save();
  if (error_code_ == 0 && !follow(before)) {
    error_code_ = kEnvironment;
    error_ = results_.error();
  }
  if (error_code_ != 0) return false;
  for (std::size_t point = before; point < plan_.points().size(); ++point) {
    const auto found = ahead_.find(static_cast<std::uint32_t>(point));
    if (found == ahead_.end()) continue;
    for (analysis::RunRecord& run : found->second) {
      keep(plan_.number_of(point, run.seed - plan_.study().first_seed), std::move(run));
      ++loaded_;
      loaded_work_ += costs_[point];
    }
    ahead_.erase(found);
  }
  return true;
}

void StudyEngine::confirm(const std::vector<std::size_t>& points) {
  confirmed_ = points;
  for (const std::size_t point : points) want(point, plan_.study().most_replications);
}

std::span<const std::optional<analysis::RunRecord>> StudyEngine::counted(std::size_t point) const {
  const std::span<const std::optional<analysis::RunRecord>> all = runs_[point];
  if (!plan_.study().search) return all;
  const std::size_t first = std::min<std::size_t>(plan_.study().least_replications, all.size());
  const bool confirmed = std::ranges::find(confirmed_, point) != confirmed_.end();
  return confirmed ? all.subspan(first) : all.first(first);
}

bool StudyEngine::has(std::uint64_t number) const {
  const auto& runs = runs_[plan_.point_of(number)];
  const std::uint64_t replication = plan_.replication_of(number);
  return replication < runs.size() && runs[replication].has_value();
}

void StudyEngine::keep(std::uint64_t number, analysis::RunRecord run) {
  if (has(number)) return;
  auto& runs = runs_[plan_.point_of(number)];
  const std::uint64_t replication = plan_.replication_of(number);
  if (replication >= runs.size()) runs.resize(replication + 1);
  if (run.replay.empty()) run.replay = plan_.replay_of(number);
  // A point is described by its figures.
  run.marks.clear();
  run.corner_cases.clear();
  run.obligations.clear();
  run.fault_effects.clear();
  failed_ += run.exit_code != kOk ? 1 : 0;
  runs[replication] = std::move(run);
  ++done_;
  done_work_ += costs_[plan_.point_of(number)];
}

std::vector<std::uint64_t> StudyEngine::missing() const {
  std::vector<std::uint64_t> numbers;
  const std::uint64_t most = *std::ranges::max_element(wanted_);
  for (std::uint64_t replication = 0; replication < most; ++replication) {
    for (std::size_t point = 0; point < wanted_.size(); ++point) {
      const std::uint64_t number = plan_.number_of(point, replication);
      const bool mine = replication < wanted_[point] && share_.holds(number);
      if (mine && !has(number)) numbers.push_back(number);
    }
  }
  return numbers;
}

void StudyEngine::run() {
  complete_ = false;
  do {
    const std::vector<std::uint64_t> numbers = missing();
    if (numbers.empty()) continue;
    PoolLimits limits = limits_;
    limits.jobs = static_cast<unsigned>(std::min<std::uint64_t>(limits.jobs, numbers.size()));
    std::size_t next = 0;
    PoolWork work;
    work.next = [&]() -> std::optional<std::uint64_t> {
      return next < numbers.size() ? std::optional(numbers[next++]) : std::nullopt;
    };
    work.spec_of = [this](std::uint64_t number) { return plan_.spec_of(number); };
    work.take = [this](std::uint64_t number, RunResult result) { take(number, std::move(result)); };
    RunPool pool(limits, std::move(work));
    pool_ = &pool;
    const RunPool::End end = pool.run(listener_, [this] {
      if (results_.due()) save();
      if (progress_is_due()) show_progress();
    });
    pool_ = nullptr;
    save();
    show_progress();
    if (error_code_ != 0) return;
    if (end == RunPool::End::stopped) {
      error_code_ = listener_.stop_exit_code();
      return;
    }
    if (end == RunPool::End::no_process) {
      error_code_ = kEnvironment;
      error_ = no_process_text(limits_);
      return;
    }
  } while (share_.is_whole() && !plan_.study().search && extend());
  share_done_ = !share_.is_whole();
  complete_ = share_.is_whole() && (!plan_.study().search || !confirmed_.empty());
}

void StudyEngine::take(std::uint64_t number, RunResult result) {
  if (result.cut_off) return;
  if (result.refused) {
    if (error_code_ == 0) {
      error_code_ = kUsage;
      error_ = fmt::format("{}\n  so point {} cannot be run: {}", result.record.what,
                           plan_.points()[plan_.point_of(number)].label, plan_.replay_of(number));
    }
    if (pool_ != nullptr) pool_->stop();
    return;
  }
  analysis::RunRecord& run = result.record;
  run.scenario = static_cast<std::uint32_t>(plan_.point_of(number));
  run.seed = plan_.seed_of(number);
  if (run.replay.empty()) run.replay = plan_.replay_of(number);
  results_.add(run);
  keep(number, std::move(run));
}

bool StudyEngine::extend() {
  const Study& study = plan_.study();
  bool more = false;
  for (std::size_t point = 0; point < wanted_.size(); ++point) {
    const std::uint64_t wanted = wanted_[point];
    if (wanted >= study.most_replications || wanted < 2) continue;
    const PointEstimates estimates(runs_[point]);
    if (!estimates.stationary().value_or(true)) continue;  // more runs make it no steadier
    std::uint64_t needed = wanted;
    for (const Precision& precision : study.precision) {
      const auto estimate = estimates.of(precision.metric);
      if (!estimate) continue;
      const auto scale = precision.relative ? analysis::Scale::relative : analysis::Scale::absolute;
      const analysis::SequentialStep step =
          analysis::check_precision(estimate->estimate, {precision.half_width, scale},
                                    {study.least_replications, study.most_replications});
      if (step.verdict != analysis::PrecisionVerdict::more_needed) continue;
      needed = std::max(needed, step.projected.value_or(wanted + 1));
    }
    if (needed == wanted) continue;
    // In steps of at most a doubling: a projection from few replications is rough.
    want(point, std::min({std::max(needed, wanted + 1), 2 * wanted, study.most_replications}));
    more = true;
  }
  return more;
}

void StudyEngine::save() {
  if (results_.save() || error_code_ != 0) return;
  error_code_ = kEnvironment;
  error_ = results_.error() +
           "\n  the runs saved until then are in the file: the same command does the rest";
  if (pool_ != nullptr) pool_->stop();
}

// A pool with many ranks turns thousands of times a second.
bool StudyEngine::progress_is_due() {
  constexpr auto kInterval = std::chrono::milliseconds(100);
  const auto now = WallClock::now();
  if (now - shown_ < kInterval) return false;
  shown_ = now;
  return true;
}

void StudyEngine::show_progress() {
  if (const auto& search = plan_.study().search) {
    const std::uint64_t most =
        search->points * plan_.study().least_replications + search->confirm * search->confirmations;
    const auto of = [](std::uint64_t part, std::uint64_t whole) {
      return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    return listener_.on_progress(
        std::min(of(done_ - loaded_, most - std::min(loaded_, most)), 1.0),
        fmt::format("{} of {} points chosen, {} of at most {} runs ended, {} failed",
                    plan_.points().size(), search->points, done_, most, failed_));
  }
  // By what the runs cost: points are unlike.
  const double left = wanted_work_ - loaded_work_;
  const double share = left <= 0 ? 1.0 : (done_work_ - loaded_work_) / left;
  listener_.on_progress(std::min(share, 1.0),
                        fmt::format("{} of {} runs ended, {} failed", done_, all_wanted_, failed_));
}

}  // namespace photonsim::campaigns
