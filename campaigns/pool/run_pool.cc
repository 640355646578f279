#include "campaigns/pool/run_pool.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "campaigns/pool/worker.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using analysis::RunEnd;

// Runs in the worker.
photon::Bytes answer(const PoolWork& work, const WorkerRequest& request) {
  RunExtras extras;
  extras.seen = request.kind == WorkerRequest::Kind::compare;
  extras.watched = request.watched;
  extras.probe = work.probe;
  extras.moments = work.moments;
  RunResult result;
  try {
    result = run_one(work.spec_of(request.number), extras);
  } catch (const std::bad_alloc&) {
    throw;                                 // without its own limit: the machine is out of memory
  } catch (const std::exception& error) {  // as main() does
    result.record =
        unfinished_run(RunEnd::exception, std::string("internal error: ") + error.what());
    if (extras.seen) result.seen.emplace().early_end = result.record.what;
  }
  return encode_result(result);
}

}  // namespace

// Does one run at a time in one process, and its reruns in a second one.
class RunPool::Slot {
 public:
  Slot(const PoolWork& work, const PoolLimits& limits)
      : limits_(limits),
        usual_([&work](const WorkerRequest& request) { return answer(work, request); },
               Layout::usual, limits.memory),
        scattered_([&work](const WorkerRequest& request) { return answer(work, request); },
                   Layout::scattered, limits.memory) {}

  bool is_idle() const { return !number_; }
  std::uint64_t number() const { return *number_; }
  int channel() const { return is_idle() ? -1 : asked_->channel(); }

  // Returns false if no process can be started.
  bool begin(std::uint64_t number, bool rerun) {
    number_ = number;
    rerun_ = rerun;
    result_.reset();
    check_.reset();
    return ask(usual_, {number, rerun ? Kind::compare : Kind::run, {}});
  }

  // Reads what has arrived. Returns the result when the run and its reruns have ended.
  std::optional<RunResult> listen() {
    photon::Bytes bytes;
    const Worker::Reply reply = asked_->listen(bytes);
    if (reply == Worker::Reply::none_yet) return std::nullopt;
    if (reply == Worker::Reply::died) return lose(asked_->out_of_memory(), asked_->death());
    auto result = decode_result(bytes);
    if (!result) {
      asked_->kill();
      return lose(false, "its process sent what cannot be read");
    }
    return take(*std::move(result));
  }

  bool is_late(WallClock::time_point now) const {
    return !is_idle() && limits_.run_time && now - began_ > *limits_.run_time;
  }
  RunResult give_up() {
    asked_->kill();
    const double seconds = std::chrono::duration<double>(*limits_.run_time).count();
    return failed(RunEnd::over_time,
                  fmt::format("the run was given up after {:g} s, its limit of wall time; allow "
                              "more if the configuration is that large, otherwise something in it "
                              "does not end",
                              seconds));
  }

  RunResult cut_off() {
    asked_->kill();
    RunResult result;
    result.cut_off = true;
    return end(std::move(result));
  }

 private:
  using Kind = WorkerRequest::Kind;

  bool ask(Worker& worker, const WorkerRequest& request) {
    asked_ = &worker;
    began_ = WallClock::now();
    if (worker.ask(request)) return true;
    number_.reset();
    return false;
  }

  RunResult end(RunResult result) {
    number_.reset();
    return result;
  }

  RunResult failed(RunEnd how, std::string why) {
    RunResult result;
    result.record = unfinished_run(how, std::move(why));
    return end(std::move(result));
  }

  // The process died in this run, or in a rerun of it, which therefore diverged.
  std::optional<RunResult> lose(bool out_of_memory, const std::string& death) {
    if (out_of_memory) return failed(RunEnd::over_memory, memory_text(limits_.memory));
    if (result_) {
      SeenRun seen;
      seen.early_end = death;
      return compare(std::move(seen));
    }
    return failed(RunEnd::died, death);
  }

  std::optional<RunResult> take(RunResult result) {
    if (!rerun_ || result.refused) return end(std::move(result));
    SeenRun seen = std::move(result.seen).value_or(SeenRun{});
    if (result_) return compare(std::move(seen));
    result.seen.reset();
    result_ = std::move(result);
    check_.emplace(std::move(seen));
    return rerun_or_end();
  }

  std::optional<RunResult> compare(SeenRun seen) {
    check_->take(std::move(seen));
    return rerun_or_end();
  }

  std::optional<RunResult> rerun_or_end() {
    if (const auto rerun = check_->next()) {
      Worker& worker = rerun->layout == Layout::usual ? usual_ : scattered_;
      const std::uint64_t number = *number_;
      if (ask(worker, {number, Kind::compare, rerun->watched})) return std::nullopt;
      number_ = number;
      SeenRun none;
      none.early_end = "there is no process to be had that does it again";
      return compare(std::move(none));
    }
    const std::string differs = check_->difference();
    analysis::RunRecord& run = result_->record;
    run.determinism =
        differs.empty() ? analysis::Determinism::same : analysis::Determinism::diverged;
    if (!differs.empty()) {
      run.exit_code = worse_of(run.exit_code, kNotDeterministic);
      run.what = differs + (run.what.empty() ? "" : "; ") + run.what;
    }
    return end(*std::move(result_));
  }

  const PoolLimits& limits_;
  Worker usual_;
  Worker scattered_;
  Worker* asked_ = nullptr;  // the one that is working
  std::optional<std::uint64_t> number_{};
  bool rerun_ = false;
  WallClock::time_point began_{};
  std::optional<RunResult> result_{};  // of the run, while its reruns are pending
  std::optional<DeterminismCheck> check_{};
};

RunPool::RunPool(PoolLimits limits, PoolWork work) : limits_(limits), work_(std::move(work)) {
  for (unsigned i = 0; i < std::max(limits_.jobs, 1U); ++i) {
    slots_.push_back(std::make_unique<Slot>(work_, limits_));
  }
}

RunPool::~RunPool() = default;

bool RunPool::any_in_hand() const {
  return std::ranges::any_of(slots_, [](const auto& slot) { return !slot->is_idle(); });
}

bool RunPool::begin_runs() {
  for (const auto& slot : slots_) {
    if (!slot->is_idle() || exhausted_ || stopped_) continue;
    const auto number = work_.next();
    exhausted_ = !number;
    if (!number) continue;
    if (!slot->begin(*number, work_.is_rerun && work_.is_rerun(*number))) return false;
  }
  return true;
}

bool RunPool::over(Listener& listener) const {
  return stopped_ || listener.stop_requested() ||
         (limits_.deadline && WallClock::now() >= *limits_.deadline);
}

void RunPool::listen() {
  std::vector<int> channels;
  for (const auto& slot : slots_) channels.push_back(slot->channel());
  for (const std::size_t i : readable(channels)) {
    const std::uint64_t number = slots_[i]->number();
    if (auto result = slots_[i]->listen()) work_.take(number, *std::move(result));
  }
  const auto now = WallClock::now();
  for (const auto& slot : slots_) {
    if (!slot->is_late(now)) continue;
    const std::uint64_t number = slot->number();
    work_.take(number, slot->give_up());
  }
}

void RunPool::cut_off() {
  for (const auto& slot : slots_) {
    if (slot->is_idle()) continue;
    const std::uint64_t number = slot->number();
    work_.take(number, slot->cut_off());
  }
}

RunPool::End RunPool::run(Listener& listener, const std::function<void()>& between) {
  for (;;) {
    if (over(listener)) {
      const bool late = !stopped_ && !listener.stop_requested();
      const bool in_hand = any_in_hand();
      cut_off();
      if (!in_hand && exhausted_) return End::complete;
      return late ? End::deadline : End::stopped;
    }
    if (!begin_runs()) {
      cut_off();
      return End::no_process;
    }
    if (!any_in_hand()) return End::complete;
    listen();
    if (between) between();
  }
}

std::string rerun_difference(const scenarios::Config& config, SeenRun first, std::uint64_t memory) {
  PoolWork work;
  work.spec_of = [&](std::uint64_t) { return RunSpec{config, {}}; };
  const auto answer_it = [&work](const WorkerRequest& request) { return answer(work, request); };
  Worker usual(answer_it, Layout::usual, memory);
  Worker scattered(answer_it, Layout::scattered, memory);
  DeterminismCheck check(std::move(first));
  while (const auto rerun = check.next()) {
    Worker& worker = rerun->layout == Layout::usual ? usual : scattered;
    const auto bytes = worker.ask_and_wait({0, WorkerRequest::Kind::compare, rerun->watched});
    SeenRun seen;
    auto result = bytes ? decode_result(*bytes) : std::nullopt;
    if (result && result->seen) {
      seen = *std::move(result->seen);
    } else {
      seen.early_end = worker.out_of_memory() ? memory_text(memory) : worker.death();
    }
    check.take(std::move(seen));
  }
  return check.difference();
}

}  // namespace photonsim::campaigns
