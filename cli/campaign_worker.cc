#include "cli/campaign_worker.h"

#include <csignal>
#include <ctime>
#include <exception>
#include <new>

#include <sys/mman.h>

#include "cli/exit_codes.h"
#include "cli/replay_process.h"
#include "cli/self_check.h"
#include "cli/verdict.h"
#include "scenarios/world/runner.h"

namespace photonsim::cli {
namespace {

using campaigns::WorkerMessage;
using photon::analysis::Determinism;
using photon::analysis::RunEnd;
using photon::analysis::RunRecord;
using MessageKind = WorkerMessage::Kind;

bool say_to(int pipe, const WorkerMessage& message) {
  const photon::Bytes frame = campaigns::frame_of(message);
  return write_all(pipe, {reinterpret_cast<const char*>(frame.data()), frame.size()});
}

// Of a run that came to no end.
RunRecord broken(std::string what) {
  RunRecord record;
  record.end = RunEnd::broken;
  record.exit_code = kInternal;
  record.what = std::move(what);
  return record;
}

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
  WorkerMessage carry_out(std::uint64_t run) {
    const std::uint64_t seed = plan_.seed_of(run);
    const scenarios::Config config = plan_.config_of(run);
    const double began = processor_seconds();
    const auto finished = scenarios::run_scenario({&config, seed, nullptr, nullptr});
    const double took = processor_seconds() - began;
    if (!finished) {
      return {MessageKind::refused, run, faults_text(finished.assume_error()), kUsage, {}};
    }
    const scenarios::RunOutcome& outcome = finished.assume_value();
    WorkerMessage ended{MessageKind::ended, run, {}, kOk, record_of(outcome)};
    ended.record.cpu_microseconds = static_cast<std::uint64_t>(took * 1e6);
    if (is_checked(seed, plan_.command.self_check)) check(outcome, run, ended.record);
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

  void check(const scenarios::RunOutcome& outcome, std::uint64_t run, RunRecord& record) {
    const std::string differs = difference(
        seen_of(outcome), [&](const Watched& watched) { return replay(run, watched); },
        [&](const Watched& watched) { return elsewhere_.replay(run, watched); });
    record.determinism = differs.empty() ? Determinism::same : Determinism::diverged;
    if (differs.empty()) return;
    record.exit_code = worse_of(record.exit_code, kNotDeterministic);
    record.what = differs + (record.what.empty() ? "" : "; ") + record.what;
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
    if (!say_to(to, {MessageKind::begun, run, {}, kOk, {}})) return kEnvironment;
    WorkerMessage result{MessageKind::ended, run, {}, kOk, {}};
    try {  // as main() does
      result = mine.carry_out(run);
    } catch (const std::bad_alloc&) {
      result.record = broken(memory_text(plan.command.memory));
    } catch (const std::exception& error) {
      result.record = broken(std::string("internal error: ") + error.what());
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
  said_.clear();
  in_hand_.reset();
  garbled_ = false;
  return process_.start([&](int to) { return work(plan, counter, to); });
}

bool CampaignWorker::take(std::vector<WorkerMessage>& messages) {
  if (!process_.read_some(said_)) return false;
  std::string_view rest = said_;
  WorkerMessage message;
  campaigns::Taken taken = campaigns::take_message(rest, message);
  for (; taken == campaigns::Taken::whole; taken = campaigns::take_message(rest, message)) {
    in_hand_ = message.kind == MessageKind::ended ? std::nullopt : std::optional(message.run);
    messages.push_back(std::move(message));
  }
  if (taken == campaigns::Taken::garbled) {
    garbled_ = true;
    signal(SIGKILL);
    return false;
  }
  said_.erase(0, said_.size() - rest.size());
  return true;
}

std::string CampaignWorker::reap() {
  const std::string how = process_.reap();
  return garbled_ ? "says what cannot be read" : how;
}

}  // namespace photonsim::cli
