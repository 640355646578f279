// The pool of worker processes. Random campaigns, batches of a guided search, reruns of the
// determinism check and candidates of a minimization all run here.
//
// * A run that kills its process fails alone; another process continues.
// * A run that exceeds the limit of memory or of wall time fails with kEnvironment and a remedy.
//   The limit of kernel events belongs to the scenario (run.most_events).
// * The determinism check reruns in a second process of the same slot, with another memory layout,
//   so that no more processes work than there are jobs.
// * A rank of a cluster that dies or hangs loses only its run, which goes to another (cluster.h).
// * At the deadline, or on a stop request, runs under way are ended and reported as cut off.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "campaigns/pool/child_process.h"
#include "campaigns/pool/run_slot.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"
#include "campaigns/runs/run_spec.h"

namespace photonsim::campaigns {

class Cluster;

struct PoolLimits {
  unsigned jobs = 1;                              // processes working at a time
  std::uint64_t memory = kUsualMemory;            // bytes for each run
  std::optional<WallClock::duration> run_time{};  // for each run
  Cluster* cluster = nullptr;  // its ranks execute the runs; null: `jobs` processes do
  // A rank that has a run in hand and sends nothing for this long is lost; so is one that exceeds
  // `run_time` by it.
  WallClock::duration rank_silence = std::chrono::seconds(60);
  // Runs under way are ended then. PoolWork::next must stop starting runs shortly before.
  std::optional<WallClock::time_point> deadline{};
};

struct PoolWork {
  // Number of the run to start; nothing: no more runs, and it is not called again.
  std::function<std::optional<std::uint64_t>()> next{};
  // Its spec. Called in the worker, which is a copy of this process from before its first run; with
  // a cluster in this process, which sends it. Must be a pure function of the state at the start of
  // the pool.
  std::function<RunSpec(std::uint64_t number)> spec_of{};
  std::function<bool(std::uint64_t number)> is_rerun{};  // determinism check; empty: none
  // As in RunExtras. Not with a cluster: its ranks have neither.
  std::function<photon::Bytes(const scenarios::RunOutcome&)> probe{};
  bool moments = false;
  // Receives results in the order in which runs end; cut-off runs last.
  std::function<void(std::uint64_t number, RunResult result)> take{};
};

class RunPool {
 public:
  enum class End : std::uint8_t {
    complete,    // all runs that next() gave have ended
    deadline,    // some were cut off by it
    stopped,     // some were cut off by a stop request, or by stop()
    no_process,  // no process can be started, or no rank of the cluster is left
  };

  RunPool(PoolLimits limits, PoolWork work);
  ~RunPool();

  // `between` is called several times a second.
  End run(Listener& listener, const std::function<void()>& between = {});
  // Called from `take`: stops the pool, runs under way included.
  void stop() { stopped_ = true; }

 private:
  std::optional<std::uint64_t> next();
  bool begin_runs(Listener& listener);
  void lose(std::size_t place, std::uint64_t number, Listener& listener);
  void cut_off();
  bool any_in_hand() const;
  bool over(Listener& listener) const;
  void listen(Listener& listener);

  PoolLimits limits_;
  PoolWork work_;
  std::vector<std::unique_ptr<RunSlot>> slots_{};
  std::vector<std::uint64_t> lost_{};  // runs to give to another slot
  bool exhausted_ = false;
  bool stopped_ = false;
};

// Why no process of these could execute runs, and what to do.
std::string no_process_text(const PoolLimits& limits);

// Whether a scattered rerun of `first` is the same: empty if it is, otherwise
// one sentence (DeterminismCheck::difference).
std::string rerun_difference(const scenarios::Config& config, SeenRun first, std::uint64_t memory);

}  // namespace photonsim::campaigns
