#include "cli/campaign_worker.h"

#include <csignal>
#include <ctime>
#include <exception>
#include <new>

#include <sys/mman.h>

#include "analysis/campaign.h"
#include "cli/exit_codes.h"
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

// How the run ended, or why it cannot be done.
CampaignMessage carry_out(const CampaignPlan& plan, std::uint64_t run) {
  const std::uint64_t seed = plan.seed_of(run);
  const scenarios::Config config = plan.config_of(run);
  const double began = processor_seconds();
  const auto finished = scenarios::run_scenario({&config, seed, nullptr, nullptr});
  const double took = processor_seconds() - began;
  if (!finished) {
    return {MessageKind::refused, run, kUsage, {}, faults_text(finished.assume_error()), {}};
  }
  const scenarios::RunOutcome& outcome = finished.assume_value();
  CampaignMessage ended{MessageKind::ended,    run,          verdict_of(outcome), {},
                        failure_line(outcome), outcome.marks};
  if (is_checked(seed, plan.command.self_check)) {
    const std::string differs = difference(outcome, [&](std::optional<scenarios::WatchedRange> w) {
      return scenarios::run_scenario(
                 {&config, seed, nullptr, nullptr, scenarios::Judging::whole, w})
          .assume_value();
    });
    ended.groups[std::string(photon::analysis::kDoneTwice)] = {
        {std::string(differs.empty() ? photon::analysis::kTwiceSame
                                     : photon::analysis::kTwiceDiffered),
         1}};
    if (!differs.empty()) {
      ended.exit_code = worse_of(ended.exit_code, kNotDeterministic);
      ended.text = differs + (ended.text.empty() ? "" : "; ") + ended.text;
    }
  }
  if (outcome.failed_check) return ended;
  ended.cost = {outcome.summary.events,
                static_cast<std::uint64_t>(outcome.summary.sim_seconds * 1e3),
                static_cast<std::uint64_t>(took * 1e6)};
  ended.fingerprint = outcome.summary.fingerprint;
  ended.groups.emplace(photon::analysis::kFaultKinds, outcome.summary.fault_kinds);
  ended.groups.emplace(photon::analysis::kTierCounts, tier_counts(outcome));
  ended.groups.emplace(photon::analysis::kStates, outcome.states);
  for (const auto& [name, count] : photon::analysis::campaign_counts(outcome.summary)) {
    ended.counts.push_back(count);
  }
  return ended;
}

// The life of the process.
int work(const CampaignPlan& plan, RunCounter& counter, int to) {
  for (std::uint64_t run = counter.take(); run < plan.runs(); run = counter.take()) {
    if (plan.is_done(run)) continue;
    if (!say_to(to, {MessageKind::begun, run, 0, {}, {}, {}})) return kEnvironment;
    CampaignMessage result;
    try {  // as main() does
      result = carry_out(plan, run);
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
