// One run of a scenario: build the deployment, generate under faults, heal, drain, judge.
//
// Phases (DESIGN 6, SPEC J-P0): *safety* while clicks are generated and faults take effect; then
// all is healed and restarted, and *liveness* is checked: the run continues until no click is open
// or the quiescence limit has passed, and until every replica has caught up or is out of time
// (analysis/oracles/b_18_redundancy.h). The outcome is a pure function of (config, seed, binary),
// apart from wall time and memory, which the caller measures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reports/event_names.h"
#include "analysis/reports/joined_pairs.h"
#include "analysis/reports/summary.h"
#include "analysis/results/run_details.h"
#include "analysis/results/run_record.h"
#include "analysis/trace_files/trace_file.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/result.h"
#include "models/tables/input_fault.h"
#include "scenarios/config/config.h"
#include "scenarios/world/expectations.h"

namespace photonsim::scenarios {

enum class StopRequest : std::uint8_t { go_on, stop };

// Receives the progress of the run (every second of virtual time, and every 100,000 events); may
// request a stop.
class RunObserver {
 public:
  struct Progress {
    double sim_seconds = 0;
    double sim_seconds_planned = 0;  // end of generation; quiescence comes on top
    // Of all work, 0 to 1: what is finished of what was and will be asked for. Where clicks come
    // faster than they are finished, less than the share of time.
    double share = 0;
    std::uint64_t events = 0;
    std::uint64_t clicks = 0;
    std::uint64_t disk_bytes = 0;  // in files on replicas' disks
    std::uint64_t cell_bytes = 0;  // in files in pipelines' cells
  };
  RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;
  virtual ~RunObserver() = default;
  virtual StopRequest on_progress(const Progress& progress) = 0;
  // Before the run, if there are any (trace_warnings.h).
  virtual void on_warnings(const std::vector<std::string>& /*warnings*/) {}
};

// A judge keeps what it knows of every click. Without one the run reports no violations; it
// ends when all logs have arrived.
enum class Judging : std::uint8_t { full, none };

// Events to record one by one, by their numbers from 1.
struct WatchedRange {
  std::uint64_t first = 1;
  std::uint64_t count = 0;
};

struct WatchedEvent {
  std::uint64_t number = 0;
  std::string text{};  // time, type, process, digest of its effects
};

// A second of virtual time in which marks were hit: their numbers, ascending.
struct Moment {
  std::int64_t second = 0;  // 0: the first of the run
  std::vector<std::size_t> marks{};
};

// Ends the run once its importance reaches this, or at the end of generation.
struct StopAtLevel {
  std::uint64_t level = 0;
  // Called when it is reached, with the number of the last event. A seed lets the run go on to its
  // usual end, with draws from that seed, as a step of a lineage does: a process that forks here
  // has two branches of one path. May be empty.
  std::function<std::optional<std::uint64_t>(std::uint64_t event)> branch{};
};

struct RunRequest {
  const Config* config = nullptr;
  std::uint64_t seed = 1;
  photon::trace::Sink* trace = nullptr;  // gets every record besides the judge; may be null
  RunObserver* observer = nullptr;       // may be null
  Judging judging = Judging::full;
  std::optional<WatchedRange> watched{};
  std::optional<StopAtLevel> stop_at{};  // needs full judging
  // Threads of the run. With two the judge has one of its own; more have no use yet. The outcome
  // does not depend on it. A trace and levels keep the judge on the run's thread.
  unsigned workers = 1;
  bool moments = false;    // RunOutcome::moments is requested
  bool pairs = false;      // RunOutcome::pairs and names are
  bool latencies = false;  // RunOutcome::latencies are
};

// A check of the code that failed inside the run, or while it was built or judged: a bug,
// regardless of the oracles.
struct FailedCheck {
  std::string site{};     // FILE:LINE
  std::string message{};  // what was checked, and the condition
  std::string process{};  // name of the process that was active; empty: none was
  std::string text{};     // all of it; in a running simulation time and event number too
};

struct RunOutcome {
  photon::analysis::Summary summary{};
  std::vector<std::pair<std::string, photon::analysis::LatencyHistogram>> histograms{};
  std::vector<photon::analysis::Checkpoint> checkpoints{};
  std::vector<WatchedEvent> watched{};
  std::optional<FailedCheck> failed_check{};
  std::string over_limit{};  // the run exceeded its limit of events: how far it came; empty: no
  bool interrupted = false;
  // With RunRequest::stop_at: the number of the event after which the level was reached.
  std::optional<std::uint64_t> entrance{};
  std::uint64_t importance = 0;  // the greatest, with [[rare.level]] or stop_at
  Expectations expectations{};   // by the scenario
  std::uint64_t safety_violations = 0;
  std::uint64_t liveness_violations = 0;
  photon::MarkHits marks{};       // marks that the run hit
  std::vector<Moment> moments{};  // and when, by second
  photon::analysis::JoinedPairs pairs{};
  photon::analysis::JoinedLatencies latencies{};  // of the measured clicks
  // Of the events of a replayed log; null: none, or not requested.
  std::shared_ptr<const photon::analysis::EventNames> names{};
  // In which states of the protocols faults took effect (state_watch.h).
  std::vector<photon::analysis::FaultEffects> fault_effects{};

  // It came to its end, so it was judged.
  bool is_complete() const { return !interrupted && !failed_check && over_limit.empty(); }
};

// What the trace of this run will have to be judged by; for the head of a trace file.
photon::analysis::JudgeConfig judge_config_of(const Config& config);
// The names of what its records give by number; for the same head.
photon::analysis::TracePlaces places_of(const Config& config);

photon::Result<RunOutcome, photon::models::InputFaults> run_scenario(const RunRequest& request);

}  // namespace photonsim::scenarios
