#include "campaigns/pool/local_slot.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "campaigns/pool/run_pool.h"
#include "campaigns/pool/worker.h"
#include "campaigns/runs/determinism_check.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/check.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using analysis::RunEnd;

RunSpec spec_of(const PoolWork& work, const WorkerRequest& request) {
  if (request.text.empty()) return work.spec_of(request.number);
  const scenarios::LoadResult loaded =
      scenarios::load_text(request.text, std::filesystem::current_path() / "scenario of rank 0");
  if (!loaded) {
    throw std::runtime_error("rank 0 sent a scenario that this rank cannot load:\n" +
                             scenarios::format(loaded.diagnostics()));
  }
  return {loaded.config(), {}};
}

// Runs in the worker.
photon::Bytes answer(const PoolWork& work, const WorkerRequest& request) {
  RunExtras extras;
  extras.seen = request.kind == WorkerRequest::Kind::compare;
  extras.watched = request.watched;
  extras.probe = work.probe;
  extras.moments = work.moments;
  RunResult result;
  try {
    result = run_one(spec_of(work, request), extras);
  } catch (const std::bad_alloc&) {
    throw;                                 // without its own limit: the machine is out of memory
  } catch (const std::exception& error) {  // as main() does
    result.record =
        unfinished_run(RunEnd::exception, std::string("internal error: ") + error.what());
    if (extras.seen) result.seen.emplace().early_end = result.record.what;
  }
  return encode_result(result);
}

// Does one run at a time in one process, and its reruns in a second one.
class LocalSlot final : public RunSlot {
 public:
  LocalSlot(const PoolWork& work, const PoolLimits& limits)
      : limits_(limits),
        usual_([&work](const WorkerRequest& request) { return answer(work, request); },
               Layout::usual, limits.memory),
        scattered_([&work](const WorkerRequest& request) { return answer(work, request); },
                   Layout::scattered, limits.memory) {}

  bool is_idle() const override { return !number_; }
  std::uint64_t number() const override { return *number_; }
  int channel() const override { return is_idle() ? -1 : asked_->channel(); }

  // Returns false if no process can be started.
  bool begin(const RunOrder& order) override {
    number_ = order.number;
    rerun_ = order.rerun;
    text_ = order.text;
    result_.reset();
    check_.reset();
    return ask(usual_, {order.number, rerun_ ? Kind::compare : Kind::run, {}, text_});
  }

  Heard listen() override { return {.result = heard()}; }

  bool is_late(WallClock::time_point now) override {
    return !is_idle() && limits_.run_time && now - began_ > *limits_.run_time;
  }
  Heard give_up() override {
    asked_->kill();
    const double seconds = std::chrono::duration<double>(*limits_.run_time).count();
    return {.result =
                failed(RunEnd::over_time,
                       fmt::format("the run was given up after {:g} s, its limit of wall time; "
                                   "allow more if the configuration is that large, otherwise "
                                   "something in it does not end",
                                   seconds))};
  }

  RunResult cut_off() override {
    asked_->kill();
    RunResult result;
    result.cut_off = true;
    return end(std::move(result));
  }

 private:
  using Kind = WorkerRequest::Kind;

  // The result when the run and its reruns have ended.
  std::optional<RunResult> heard() {
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
    PHOTON_CHECK(result.seen || result.record.exit_code != kOk, "a rerun has something to compare");
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
      if (ask(worker, {number, Kind::compare, rerun->watched, text_})) return std::nullopt;
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
  std::string text_{};
  WallClock::time_point began_{};
  std::optional<RunResult> result_{};  // of the run, while its reruns are pending
  std::optional<DeterminismCheck> check_{};
};

}  // namespace

std::unique_ptr<RunSlot> make_local_slot(const PoolWork& work, const PoolLimits& limits) {
  return std::make_unique<LocalSlot>(work, limits);
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
    const auto bytes = worker.ask_and_wait({0, WorkerRequest::Kind::compare, rerun->watched, {}});
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
