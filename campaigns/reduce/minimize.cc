#include "campaigns/reduce/minimize.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "analysis/trace_files/draft_file.h"
#include "campaigns/reduce/pieces.h"
#include "campaigns/reduce/same_failure.h"
#include "campaigns/reduce/shrink.h"
#include "campaigns/runs/verdict.h"
#include "core_impl/base/codec.h"
#include "scenarios/language/loader.h"

namespace photonsim::campaigns {
namespace {

namespace shrink = scenarios::shrink;
using Failures = std::vector<shrink::FoundFailure>;

constexpr const char* kNoTime =
    "no minimized repro: there was no time for it; --shrink-time gives more";

// What the result of a minimization depends on, besides the machine.
std::string origin_of(const MinimizeTask& task) {
  return fmt::format("{} (scenario {:016x}, model {})", task.command,
                     scenarios::config_hash(task.config), task.model_version);
}

// Whether the file already holds a repro of that run.
enum class Stands : std::uint8_t {
  no,
  cut_short,  // cut short, and no more time now
  more_time,  // cut short, and more time now
  wholly,
};

// The available time varies; only a quarter more counts as more.
Stands stands(const MinimizeTask& task) {
  std::ifstream file(task.file);
  const std::string expected = shrink::origin_line(origin_of(task));
  Stands found = Stands::no;
  std::string line;
  while (std::getline(file, line) && line.starts_with('#')) {
    if (line == expected) found = Stands::wholly;
    const auto had = shrink::cut_short_in(line);
    if (found == Stands::no || !had) continue;
    found = task.time / 5 * 4 > *had ? Stands::more_time : Stands::cut_short;
  }
  return found;
}

// Whether the file is a repro of the run that `command` shows, made by any version of the program.
bool is_of(const std::string& file, const std::string& command) {
  std::ifstream repro(file);
  const std::string expected = shrink::origin_line(command + " (scenario ");
  std::string line;
  while (std::getline(repro, line) && line.starts_with('#')) {
    if (line.starts_with(expected)) return true;
  }
  return false;
}

photon::Bytes encode_failures(const scenarios::RunOutcome& outcome) {
  photon::Bytes bytes;
  photon::Encoder encode(bytes);
  encode(shrink::failures_of(outcome));
  return bytes;
}

Failures failures_in(const RunResult& result) {
  if (!result.refused && result.probe.empty()) return {shrink::failure_of(result.record)};
  Failures failures;
  if (result.refused) return failures;
  photon::Decoder decode(std::span<const std::byte>(result.probe.data(), result.probe.size()));
  decode(failures);
  PHOTON_CHECK(decode.ok(), "the failures of a run are read as they were written");
  return failures;
}

// Runs candidates in the pool.
class CandidateRuns {
 public:
  CandidateRuns(const MinimizeTask& task, WallClock::time_point deadline, Listener& listener)
      : limits_(task.limits), listener_(listener) {
    limits_.deadline = deadline;
  }

  // The failures of each. Fewer than candidates: the time is over, or the pool was stopped.
  std::vector<Failures> run(const std::vector<scenarios::Config>& candidates) {
    std::vector<std::optional<RunResult>> results(candidates.size());
    PoolWork work;
    work.next = [&, next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
      return next < candidates.size() ? std::optional(next++) : std::nullopt;
    };
    work.spec_of = [&](std::uint64_t number) { return RunSpec{candidates[number], {}}; };
    work.probe = encode_failures;
    work.take = [&](std::uint64_t number, RunResult result) {
      if (!result.cut_off) results[number] = std::move(result);
    };
    PoolLimits limits = limits_;
    limits.cluster = nullptr;  // its probe reads more than a rank sends
    limits.jobs = static_cast<unsigned>(std::min<std::size_t>(limits.jobs, candidates.size()));
    end_ = RunPool(limits, std::move(work)).run(listener_);
    std::vector<Failures> failures;
    for (const auto& result : results) {
      if (!result) break;
      refused_ = refused_ || result->refused;
      failures.push_back(failures_in(*result));
    }
    return failures;
  }

  RunPool::End end() const { return end_; }  // of the last call
  bool refused() const { return refused_; }  // some candidate cannot be run

 private:
  PoolLimits limits_;
  Listener& listener_;
  RunPool::End end_ = RunPool::End::complete;
  bool refused_ = false;
};

// Writes the repro; on failure the line says why there is none.
MinimizedRepro write_repro(const MinimizeTask& task, const shrink::Shrunk& shrunk,
                           const shrink::FoundFailure& failure, WallClock::time_point began) {
  std::optional<std::chrono::nanoseconds> time_of_cut;
  if (!shrunk.exhausted) time_of_cut = task.time;
  const std::string fails = failure.cause.found_by + ", " + failure.message;
  const auto written = photon::analysis::write_file(
      task.file, shrink::repro_text(shrunk.config,
                                    {fails, repro_line(task.file), origin_of(task), time_of_cut}));
  if (!written) return {{}, "no minimized repro: " + written.assume_error().message()};
  const std::chrono::duration<double> took = WallClock::now() - began;
  return {task.file,
          fmt::format("{}: {} of {} faults and operations left after {} in {:.1f} s{}", task.file,
                      shrink::events_of(shrunk.config), shrink::events_of(task.config),
                      photon::analysis::counted(shrunk.runs, "run"), took.count(),
                      shrunk.exhausted ? "" : " (there was no time for more)")};
}

std::optional<MinimizedRepro> make_repro(const MinimizeTask& task, Listener& listener) {
  const auto began = WallClock::now();
  const auto deadline = began + task.time;
  CandidateRuns runs(task, deadline, listener);
  const std::vector<Failures> original = runs.run({task.config});
  if (runs.end() == RunPool::End::stopped) return std::nullopt;
  if (runs.end() == RunPool::End::no_process) {
    return MinimizedRepro{{}, "no minimized repro: there is no process to be had"};
  }
  if (original.empty()) return MinimizedRepro{{}, kNoTime};
  if (runs.refused()) return MinimizedRepro{{}, "no minimized repro: it cannot be run"};
  if (original.front().empty()) {
    return MinimizedRepro{{}, "no minimized repro: nothing was violated"};
  }
  shrink::FoundFailure failure = original.front().front();
  shrink::Trials trials;
  trials.at_once = std::max(task.limits.jobs, 1U);
  trials.fail = [&](const std::vector<scenarios::Config>& candidates) {
    std::vector<bool> fail;
    bool taken = false;
    for (const Failures& each : runs.run(candidates)) {
      const shrink::FoundFailure* found = shrink::find(each, failure.cause);
      fail.push_back(found != nullptr);
      if (found == nullptr || taken) continue;
      taken = true;  // the first failing candidate is taken
      failure.message = found->message;
    }
    return fail;
  };
  const auto enough = [&] { return WallClock::now() >= deadline || listener.stop_requested(); };
  const shrink::Shrunk shrunk = shrink::shrink(task.config, trials, enough);
  if (listener.stop_requested()) return std::nullopt;
  return write_repro(task, shrunk, failure, began);
}

}  // namespace

std::optional<MinimizedRepro> minimize(const MinimizeTask& task, Listener& listener) {
  const Stands before = stands(task);
  if (before == Stands::wholly) {
    return MinimizedRepro{
        task.file,
        task.file + ": it was made from this run before; remove it to have it made anew"};
  }
  if (before == Stands::cut_short) {
    return MinimizedRepro{task.file, task.file +
                                         ": it was made from this run before, in no less time; "
                                         "--shrink-time gives more"};
  }
  auto made = make_repro(task, listener);
  if (made && made->file.empty() && before == Stands::more_time) {
    return MinimizedRepro{task.file, task.file +
                                         ": there was no time to make it smaller than it is; "
                                         "--shrink-time gives more"};
  }
  return made;
}

std::string repro_file(const std::string& name, const std::string& command) {
  // Keeps files of the same name that belong to other runs: configurations of different tiers share
  // names and seeds, and a failing scenario may itself be a minimized repro.
  std::string file = name + ".toml";
  for (int number = 2; std::filesystem::exists(file) && !is_of(file, command); ++number) {
    file = fmt::format("{}-{}.toml", name, number);
  }
  return file;
}

std::string repros_left_out(std::size_t left_out, std::size_t all) {
  return fmt::format(
      "interrupted while failures were minimized: {} of {} were left out; their replay lines show "
      "them as they are, and the same command minimizes them",
      left_out, all);
}

}  // namespace photonsim::campaigns
