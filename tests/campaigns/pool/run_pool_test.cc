// The pool: every run is delivered once, whatever happens to its process, in time.
#include "campaigns/pool/run_pool.h"

#include <chrono>
#include <csignal>
#include <map>
#include <thread>
#include <vector>

#include <unistd.h>

#include "campaigns/runs/exit_codes.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/silent_listener.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photonsim::campaigns::testing {
namespace {

using Catch::Contains;
using namespace std::chrono_literals;

RunSpec tiny_run(std::uint64_t seed) {
  static const scenarios::LoadResult loaded = scenarios::load(
      "scenarios/registry/quiet.toml",
      std::vector<std::string>{"run.duration=1s", "run.warm_up=0s", "workload.registry.rate=1"});
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  RunSpec spec{loaded.config(), {}};
  spec.config.run.seed = seed;
  return spec;
}

// The outcomes of the runs 0 to `runs` - 1, in which `in_worker` is called first.
struct Carried {
  RunPool::End end = RunPool::End::complete;
  std::map<std::uint64_t, RunResult> results{};
};
Carried run_in_pool(std::uint64_t runs, PoolLimits limits,
                    const std::function<void(std::uint64_t)>& in_worker, PoolWork work = {},
                    SilentListener* listener = nullptr) {
  Carried carried;
  work.next = [runs, next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    return next < runs ? std::optional(next++) : std::nullopt;
  };
  work.spec_of = [&](std::uint64_t number) {
    in_worker(number);
    return tiny_run(number + 1);
  };
  work.take = [&](std::uint64_t number, RunResult result) {
    CHECK(carried.results.emplace(number, std::move(result)).second);
  };
  SilentListener silent;
  RunPool pool(limits, std::move(work));
  carried.end = pool.run(listener != nullptr ? *listener : silent);
  return carried;
}

PoolLimits with_jobs(unsigned jobs) {
  PoolLimits limits;
  limits.jobs = jobs;
  return limits;
}

void sleep_long() { std::this_thread::sleep_for(100s); }

// Of wall time, for an empty run: a hundred times what a loaded machine takes, sanitizer included.
constexpr auto kEnough = 8s;

}  // namespace

TEST_CASE("pool: the results are the same for any number of jobs") {
  std::vector<std::string> fingerprints;
  for (const unsigned jobs : {1U, 3U}) {
    const Carried carried = run_in_pool(7, with_jobs(jobs), [](std::uint64_t) {});
    CHECK(carried.end == RunPool::End::complete);
    REQUIRE(carried.results.size() == 7);
    std::string all;
    for (const auto& [number, result] : carried.results) {
      CHECK(result.record.exit_code == kOk);
      CHECK(result.record.seed == number + 1);
      CHECK_FALSE(result.record.fingerprint.empty());
      all += result.record.fingerprint;
    }
    fingerprints.push_back(all);
  }
  CHECK(fingerprints.front() == fingerprints.back());
}

TEST_CASE("pool: a worker that dies, or exceeds its memory limit, costs its run only") {
  PoolLimits limits = with_jobs(2);
  limits.memory = std::uint64_t{1} << 30;
  const Carried carried = run_in_pool(6, limits, [](std::uint64_t number) {
    if (number == 1) ::raise(SIGKILL);
    if (number == 4 && !photon::testing::kSanitized) {
      const std::vector<char> large(std::size_t{2} << 30);
      CHECK(large.size() > 1);
    }
  });
  CHECK(carried.end == RunPool::End::complete);
  REQUIRE(carried.results.size() == 6);
  for (const auto& [number, result] : carried.results) {
    CAPTURE(number);
    const bool large = number == 4 && !photon::testing::kSanitized;
    CHECK(result.record.exit_code == (number == 1 ? kInternal : large ? kEnvironment : kOk));
    CHECK((result.record.end == photon::analysis::RunEnd::died) == (number == 1));
    if (large) CHECK_THAT(result.record.what, Contains("needs more memory than the 1GiB"));
  }
  CHECK(carried.results.at(1).record.what == "its process died of signal 9 (Killed)");
}

TEST_CASE("pool: a run above its limit of wall time has failed, with a remedy") {
  PoolLimits limits = with_jobs(1);
  limits.run_time = kEnough;
  const Carried carried = run_in_pool(3, limits, [](std::uint64_t number) {
    if (number == 1) sleep_long();
  });
  CHECK(carried.end == RunPool::End::complete);
  CHECK(carried.results.at(0).record.exit_code == kOk);
  CHECK(carried.results.at(1).record.exit_code == kEnvironment);
  CHECK_THAT(carried.results.at(1).record.what,
             Contains("given up after 8 s, its limit of wall time; allow more"));
  CHECK(carried.results.at(2).record.exit_code == kOk);
}

TEST_CASE("pool: at the deadline and on a stop request, runs in progress are cut off") {
  const auto in_worker = [](std::uint64_t number) {
    if (number == 1) sleep_long();
  };
  PoolLimits limits = with_jobs(1);
  limits.deadline = WallClock::now() + kEnough;
  const Carried late = run_in_pool(3, limits, in_worker);
  CHECK(late.end == RunPool::End::deadline);
  CHECK(late.results.size() == 2);
  CHECK_FALSE(late.results.at(0).cut_off);
  CHECK(late.results.at(1).cut_off);
  SilentListener stopping;
  PoolWork work;
  stopping.stop = true;
  const Carried stopped = run_in_pool(3, with_jobs(1), in_worker, std::move(work), &stopping);
  CHECK(stopped.end == RunPool::End::stopped);
  CHECK(stopped.results.empty());
}

TEST_CASE("J-S17 pool: a run that depends on its process is rerun elsewhere and found to diverge") {
  // A difference between the two processes of a slot decides the seed.
  PoolWork work;
  work.is_rerun = [](std::uint64_t number) { return number != 0; };
  const pid_t mine = ::getpid();
  static pid_t first = 0;
  first = 0;
  PoolWork other = work;
  const Carried same = run_in_pool(
      2, with_jobs(1), [](std::uint64_t) {}, std::move(work));
  using photon::analysis::Determinism;
  CHECK(same.results.at(0).record.determinism == Determinism::unchecked);
  CHECK(same.results.at(1).record.determinism == Determinism::same);
  const Carried died = run_in_pool(
      2, with_jobs(1),
      [mine](std::uint64_t number) {
        // The scattered process begins with the rerun of run 1; the usual one has done run 0.
        if (number == 0) first = ::getpid();
        if (number == 1 && first == 0 && ::getpid() != mine) ::raise(SIGKILL);
      },
      std::move(other));
  CHECK(died.end == RunPool::End::complete);
  CHECK(died.results.at(1).record.determinism == Determinism::diverged);
  CHECK(died.results.at(1).record.exit_code == kNotDeterministic);
  CHECK_THAT(died.results.at(1).record.what,
             Contains("this run diverged in its rerun") &&
                 Contains("there: its process died of signal 9 (Killed)"));
}

}  // namespace photonsim::campaigns::testing
