// Ranks of a cluster, as processes behind sockets: their results are those of this machine's own
// processes, and one that dies or talks nonsense loses only its run.
#include "campaigns/pool/cluster.h"

#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaigns/pool/frames.h"
#include "campaigns/pool/rank_service.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/runs/exit_codes.h"
#include "scenarios/language/loader.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/campaigns/silent_listener.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns::testing {
namespace {

using Catch::Contains;

RunSpec small_run(std::uint64_t seed) {
  static const scenarios::LoadResult loaded = scenarios::load(
      "scenarios/registry/quiet.toml",
      std::vector<std::string>{"run.duration=2s", "run.warm_up=0s", "workload.registry.rate=5"});
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  RunSpec spec{loaded.config(), {}};
  spec.config.run.seed = seed;
  return spec;
}

// Processes with a socket each, until the end of the test.
class Ranks {
 public:
  using Life = std::function<void(int channel)>;

  explicit Ranks(const std::vector<Life>& lives) {
    std::vector<Cluster::Connection> connections;
    for (const Life& life : lives) {
      std::array<int, 2> ends{};
      REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
      const pid_t process = ::fork();
      if (process == 0) {
        for (const Cluster::Connection& each : connections) ::close(each.channel);
        ::close(ends[0]);
        life(ends[1]);
        ::_exit(0);
      }
      ::close(ends[1]);
      processes_.push_back(process);
      connections.push_back({ends[0], static_cast<int>(processes_.size()), "here"});
    }
    cluster_ = std::make_unique<Cluster>(std::move(connections));
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() {
    cluster_.reset();
    for (const pid_t process : processes_) ::waitpid(process, nullptr, 0);
  }

  Cluster& cluster() { return *cluster_; }

 private:
  std::unique_ptr<Cluster> cluster_{};
  std::vector<pid_t> processes_{};
};

// Takes a whole order, and then does `what`.
void upon_an_order(int channel, const std::function<void()>& what) {
  FrameReader frames;
  photon::Bytes order;
  while (frames.read_some(channel)) {
    if (frames.take(order) == Arrival::frame) return what();
  }
}

// Sends nothing more, until rank 0 turns away.
void fall_silent(int channel) {
  FrameReader rest;
  while (rest.read_some(channel)) {
  }
}

struct Spread {
  RunPool::End end = RunPool::End::complete;
  std::map<std::uint64_t, std::string> fingerprints{};
  std::vector<std::string> problems{};
};
Spread spread_runs(std::uint64_t runs, Cluster* cluster, bool rerun = false,
                   PoolLimits limits = {}) {
  Spread spread;
  PoolWork work;
  work.next = [runs, next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    return next < runs ? std::optional(next++) : std::nullopt;
  };
  work.spec_of = [](std::uint64_t number) { return small_run(number + 1); };
  if (rerun) work.is_rerun = [](std::uint64_t) { return true; };
  work.take = [&](std::uint64_t number, RunResult result) {
    CHECK(result.record.exit_code == kOk);
    CHECK((result.record.determinism == photon::analysis::Determinism::same) == rerun);
    CHECK(spread.fingerprints.emplace(number, result.record.fingerprint).second);
  };
  SilentListener listener;
  limits.cluster = cluster;
  spread.end = RunPool(limits, std::move(work)).run(listener);
  spread.problems = listener.problems;
  return spread;
}

}  // namespace

TEST_CASE("cluster: ranks give the results of this machine, reruns included, in several rounds") {
  const Spread here = spread_runs(9, nullptr);
  REQUIRE(here.fingerprints.size() == 9);
  Ranks ranks({serve_runs, serve_runs, serve_runs});
  for (const bool rerun : {false, true}) {
    const Spread there = spread_runs(9, &ranks.cluster(), rerun);
    CHECK(there.end == RunPool::End::complete);
    CHECK(there.fingerprints == here.fingerprints);
    CHECK(there.problems.empty());
  }
  CHECK(ranks.cluster().ranks() == 3);
}

TEST_CASE("cluster: a rank that dies, or sends what is no result, loses only its run") {
  const Spread here = spread_runs(6, nullptr);
  const std::vector<Ranks::Life> bad{
      [](int channel) { upon_an_order(channel, [] { ::raise(SIGKILL); }); },
      [](int channel) {
        upon_an_order(channel, [&] { send_frame(channel, photon::Bytes(100, std::byte{7})); });
        fall_silent(channel);
      },
      [](int channel) {  // the length of a frame that is none
        upon_an_order(channel, [&] { (void)!::write(channel, std::string(8, '\xff').data(), 8); });
        fall_silent(channel);
      },
      [](int channel) {
        upon_an_order(channel, [&] {
          const std::string_view half("\x10\0\0\0\0\0\0\0abc", 11);
          (void)!::write(channel, half.data(), half.size());
        });
      },
      [](int channel) { ::close(channel); }};
  for (std::size_t i = 0; i < bad.size(); ++i) {
    CAPTURE(i);
    Ranks ranks({serve_runs, bad[i]});
    const Spread there = spread_runs(6, &ranks.cluster());
    CHECK(there.end == RunPool::End::complete);
    CHECK(there.fingerprints == here.fingerprints);
    REQUIRE(there.problems.size() == 1);
    CHECK_THAT(there.problems.front(),
               Contains("rank 2 on here is gone, and its run goes to another; 1 rank left"));
    CHECK(ranks.cluster().ranks() == 1);
  }
}

TEST_CASE("cluster: a rank that hangs, or holds a run beyond its limit, loses only its run") {
  const Spread here = spread_runs(6, nullptr);
  const std::vector<Ranks::Life> bad{
      [](int channel) { upon_an_order(channel, [&] { fall_silent(channel); }); },
      [](int channel) {  // it lives, and its run does not end
        upon_an_order(channel, [&] {
          while (send_frame(channel, {}))
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        });
      }};
  PoolLimits limits;
  limits.rank_silence = std::chrono::seconds(2);
  for (std::size_t i = 0; i < bad.size(); ++i) {
    CAPTURE(i);
    if (i == 1) limits.run_time = std::chrono::seconds(3);
    Ranks ranks({serve_runs, bad[i]});
    const Spread there = spread_runs(6, &ranks.cluster(), false, limits);
    CHECK(there.end == RunPool::End::complete);
    CHECK(there.fingerprints == here.fingerprints);
    REQUIRE(there.problems.size() == 1);
    CHECK_THAT(there.problems.front(), Contains("rank 2 on here is gone"));
  }
}

TEST_CASE("cluster: without a rank that is left the pool ends and says so") {
  Ranks ranks({[](int channel) { upon_an_order(channel, [] { ::raise(SIGKILL); }); }});
  const Spread spread = spread_runs(2, &ranks.cluster());
  CHECK(spread.end == RunPool::End::no_process);
  CHECK(spread.fingerprints.empty());
  PoolLimits limits;
  limits.cluster = &ranks.cluster();
  CHECK_THAT(no_process_text(limits), Contains("no rank of the cluster is left"));
}

TEST_CASE("cluster: a run that kills its process, or takes too long, is a result of its rank") {
  Ranks ranks({serve_runs});
  PoolWork work;
  work.next = [next = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
    return next < 2 ? std::optional(next++) : std::nullopt;
  };
  work.spec_of = [](std::uint64_t number) {
    RunSpec spec = small_run(number + 1);
    if (number == 0) {  // far more than eight seconds
      spec.config.run.duration = std::chrono::hours(500);
      spec.config.workload.registry.rate = 1;
    }
    return spec;
  };
  std::map<std::uint64_t, RunResult> results;
  work.take = [&](std::uint64_t number, RunResult result) {
    results.emplace(number, std::move(result));
  };
  SilentListener listener;
  PoolLimits limits;
  limits.cluster = &ranks.cluster();
  limits.run_time = std::chrono::seconds(8);
  limits.rank_silence = std::chrono::seconds(3);  // signs of life come while the run goes on
  CHECK(RunPool(limits, std::move(work)).run(listener) == RunPool::End::complete);
  REQUIRE(results.size() == 2);
  INFO(results[0].record.what);
  CHECK(results[0].record.end == photon::analysis::RunEnd::over_time);
  CHECK(results[1].record.exit_code == kOk);
}

TEST_CASE("cluster: a pool whose runs need a probe of this process is refused") {
  const photon::testing::ChecksThrow throwing;
  Ranks ranks({serve_runs});
  PoolLimits limits;
  limits.cluster = &ranks.cluster();
  PoolWork probing, remembering;
  probing.probe = [](const scenarios::RunOutcome&) { return photon::Bytes(); };
  remembering.moments = true;
  CHECK_THROWS_AS(RunPool(limits, std::move(probing)), photon::testing::CheckFailed);
  CHECK_THROWS_AS(RunPool(limits, std::move(remembering)), photon::testing::CheckFailed);
}

}  // namespace photonsim::campaigns::testing
