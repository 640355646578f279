// Many runs in worker processes: random campaigns, generations of a guided search, reruns of the
// determinism check and candidates of a minimization all go through here.
//
// * A run that kills its process costs that run only: it has failed, and another process goes on.
// * A run that meets the limit of memory or of wall time has failed with kEnvironment and a remedy.
//   The limit of kernel events is a matter of the scenario (run.most_events).
// * A run of the determinism check is done again in a scattered process of the same slot, so that
//   no more processes are at work than there are jobs.
// * At the deadline, or on a stop request, runs in hand are ended and handed over as cut off.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "campaigns/pool/child_process.h"
#include "campaigns/runs/clocks.h"
#include "campaigns/runs/listener.h"
#include "campaigns/runs/run_spec.h"

namespace photonsim::campaigns {

struct PoolLimits {
  unsigned jobs = 1;                              // processes at work at a time
  std::uint64_t memory = kUsualMemory;            // bytes for each run
  std::optional<WallClock::duration> run_time{};  // for each run
  // Runs in hand are ended then. That none begins shortly before is for PoolWork::next to see to.
  std::optional<WallClock::time_point> deadline{};
};

struct PoolWork {
  // Number of the run that begins now; nothing: no more of them begin, and it is asked no more.
  std::function<std::optional<std::uint64_t>()> next{};
  // What that run is. Called in the worker, which is a copy of this process made before its first
  // run: a pure function of what was known when the pool began.
  std::function<RunSpec(std::uint64_t number)> spec_of{};
  std::function<bool(std::uint64_t number)> is_rerun{};  // by the determinism check; empty: none
  std::function<photon::Bytes(const scenarios::RunOutcome&)> probe{};  // as RunWanted::probe
  bool moments = false;
  // In the order in which they end. A cut-off run comes last.
  std::function<void(std::uint64_t number, RunResult result)> take{};
};

class RunPool {
 public:
  enum class End : std::uint8_t {
    complete,    // all that next() gave has ended
    deadline,    // some were cut off by it
    stopped,     // some were cut off by a stop request, or by stop()
    no_process,  // none is to be had
  };

  RunPool(PoolLimits limits, PoolWork work);
  ~RunPool();

  // `between`: called several times a second.
  End carry_out(Listener& listener, const std::function<void()>& between = {});
  // From `take`: nothing more is wanted, runs in hand included.
  void stop() { stopped_ = true; }

 private:
  class Slot;

  bool begin_runs();
  void cut_off();
  bool any_in_hand() const;
  bool over(Listener& listener) const;
  void listen();

  PoolLimits limits_;
  PoolWork work_;
  std::vector<std::unique_ptr<Slot>> slots_{};
  bool exhausted_ = false;
  bool stopped_ = false;
};

// Whether the run `first` is the same in a scattered process; empty if it is, otherwise one
// sentence (DeterminismCheck::difference).
std::string rerun_difference(const scenarios::Config& config, SeenRun first, std::uint64_t memory);

}  // namespace photonsim::campaigns
