#include "cli/campaign_worker.h"

#include <csignal>
#include <ctime>
#include <exception>
#include <new>

#include <sys/mman.h>

#include "campaigns/campaign.h"
#include "cli/exit_codes.h"
#include "cli/replay_process.h"
#include "cli/self_check.h"
#include "cli/verdict.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

using MessageKind = CampaignMessage::Kind;

bool say_to(int pipe, const CampaignMessage& message) { return write_all(pipe, line_of(message)); }

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Does the runs of a campaign, and some of them again in a process of its own.
class Work {
 public:
  explicit Work(const CampaignPlan& plan)
      : plan_(plan), elsewhere_([this](std::uint64_t run, const Watched& watched) {
          return replay(run, watched);
        }) {}

  // How the run ended, or why it cannot be done.
  CampaignMessage carry_out(std::uint64_t run) {
    const std::uint64_t seed = plan_.seed_of(run);
    const scenarios::Config config = plan_.config_of(run);
    const double began = processor_seconds();
    const auto finished = scenarios::run_scenario({&config, seed, nullptr, nullptr});
    const double took = processor_seconds() - began;
    if (!finished) {
      return {MessageKind::refused, run, kUsage, {}, faults_text(finished.assume_error()), {}};
    }
    const scenarios::RunOutcome& outcome = finished.assume_value();
    CampaignMessage ended{MessageKind::ended,    run,          verdict_of(outcome), {},
                          failure_line(outcome), outcome.marks};
    if (is_checked(seed, plan_.command.self_check)) check(outcome, ended);
    if (outcome.failed_check) return ended;
    ended.cost = {outcome.summary.events,
                  static_cast<std::uint64_t>(outcome.summary.sim_seconds * 1e3),
                  static_cast<std::uint64_t>(took * 1e6)};
    ended.fingerprint = outcome.summary.fingerprint;
    ended.groups.emplace(photon::analysis::kFaultKinds, outcome.summary.fault_kinds);
    ended.groups.emplace(photon::analysis::kDemands, outcome.summary.demands);
    ended.groups.emplace(photon::analysis::kTierCounts, tier_counts(outcome));
    ended.groups.emplace(photon::analysis::kStates, outcome.states);
    for (const auto& [name, count] : photon::analysis::campaign_counts(outcome.summary)) {
      ended.counts.push_back(count);
    }
    return ended;
  }

 private:
  // Requires a run that can be done.
  SeenRun replay(std::uint64_t run, const Watched& watched) const {
    const scenarios::Config config = plan_.config_of(run);
    scenarios::RunRequest request{&config, plan_.seed_of(run), nullptr, nullptr};
    request.watched = watched;
    return seen_of(scenarios::run_scenario(request).assume_value());
  }

  void check(const scenarios::RunOutcome& outcome, CampaignMessage& ended) {
    const std::uint64_t run = ended.run;
    const std::string differs = difference(
        seen_of(outcome), [&](const Watched& watched) { return replay(run, watched); },
        [&](const Watched& watched) { return elsewhere_.replay(run, watched); });
    ended.groups[std::string(photon::analysis::kDoneTwice)] = {
        {std::string(differs.empty() ? photon::analysis::kTwiceSame
                                     : photon::analysis::kTwiceDiffered),
         1}};
    if (differs.empty()) return;
    ended.exit_code = worse_of(ended.exit_code, kNotDeterministic);
    ended.text = differs + (ended.text.empty() ? "" : "; ") + ended.text;
  }

  const CampaignPlan& plan_;
  ReplayProcess elsewhere_;
};

// The life of the process.
int work(const CampaignPlan& plan, RunCounter& counter, int to) {
  limit_memory(plan.command.memory);
  Work mine(plan);
  for (std::uint64_t run = counter.take(); run < plan.runs(); run = counter.take()) {
    if (plan.is_done(run)) continue;
    if (!say_to(to, {MessageKind::begun, run, 0, {}, {}, {}})) return kEnvironment;
    CampaignMessage result;
    try {  // as main() does
      result = mine.carry_out(run);
    } catch (const std::bad_alloc&) {
      result = {MessageKind::ended, run, kInternal, {}, memory_text(plan.command.memory), {}};
    } catch (const std::exception& error) {
      result = {MessageKind::ended,
                run,
                kInternal,
                {},
                std::string("internal error: ") + error.what(),
                {}};
    }
    if (!say_to(to, result)) return kEnvironment;
    if (result.kind == MessageKind::refused) return result.exit_code;
  }
  return kOk;
}

}  // namespace

RunCounter::RunCounter() {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  void* const place =
      ::mmap(nullptr, sizeof *next_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place != MAP_FAILED) next_ = new (place) std::atomic<std::uint64_t>(0);
}

RunCounter::~RunCounter() {
  if (next_ != nullptr) ::munmap(next_, sizeof *next_);
}

bool CampaignWorker::start(const CampaignPlan& plan, RunCounter& counter) {
  text_.clear();
  in_hand_.reset();
  garbled_ = false;
  return process_.start([&](int to) { return work(plan, counter, to); });
}

bool CampaignWorker::take(std::vector<CampaignMessage>& messages) {
  if (!process_.read_some(text_)) return false;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos;) {
    auto message = message_of(std::string_view(text_).substr(begin, end - begin));
    if (!message) {
      garbled_ = true;
      signal(SIGKILL);
      return false;
    }
    begin = end + 1;
    in_hand_ = message->kind == MessageKind::ended ? std::nullopt : std::optional(message->run);
    messages.push_back(std::move(*message));
  }
  text_.erase(0, begin);
  return true;
}

std::string CampaignWorker::reap() {
  const std::string how = process_.reap();
  return garbled_ ? "says what cannot be read" : how;
}

}  // namespace photonsim::cli
