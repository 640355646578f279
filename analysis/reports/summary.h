// The summary of a run: the object that `--json` prints and the text report.
//
// Figures stand in lists: `each_figure(figures, visit)` calls visit(name, unit, adding, value) for
// each of them, in the order of the JSON object. From it come the object and the metrics of the
// results store (analysis/results/run_metrics.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/accounting/accounting.h"
#include "analysis/capacity/capacity.h"
#include "analysis/oracles/undecided_ids.h"
#include "analysis/oracles/violation.h"
#include "analysis/reports/baseline.h"
#include "analysis/reports/fault_latency.h"
#include "analysis/reports/figure.h"
#include "analysis/reports/figure_table.h"
#include "analysis/reports/latency_figures.h"
#include "analysis/reports/settling.h"
#include "analysis/reports/time_series.h"
#include "analysis/trace_files/inert_fault.h"
#include "analysis/trace_files/traced_fault.h"

namespace photon::analysis {

class Judge;

struct RegistryFigures {
  std::uint64_t transactions = 0;
  double mean_batch = 0;
  std::uint64_t lookups = 0;
  std::uint64_t insert_attempts = 0;
  std::uint64_t insert_requests = 0;
  std::uint64_t elections = 0;
  std::uint64_t failovers = 0;
  std::uint64_t lost_replies = 0;
  std::uint64_t reshards = 0;
  std::uint64_t reshards_cancelled = 0;
  std::uint64_t overloaded = 0;
  std::uint64_t future_inserts = 0;
  std::uint64_t snapshots = 0;
  std::uint64_t restorations = 0;
  std::uint64_t disks_replaced = 0;
  std::uint64_t disks_admitted = 0;
  LatencyFigures insert_latency{};
  LatencyFigures commit_latency{};
  std::uint64_t collections = 0;    // transactions that removed ids below the boundary
  std::uint64_t ids_collected = 0;  // by them
  double boundary_lag_mean = 0;     // seconds of lag to true time - N, over time and shards
  double boundary_lag_max = 0;
  std::uint64_t bytes_held_most = 0;  // of the ids of all shards at one time (figure_ledger.h)

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("transactions", Unit::count, Adding::sum, self.transactions);
    visit("mean_batch", Unit::ratio, Adding::none, self.mean_batch);
    visit("lookups", Unit::count, Adding::sum, self.lookups);
    visit("insert_attempts", Unit::count, Adding::sum, self.insert_attempts);
    visit("insert_requests", Unit::count, Adding::sum, self.insert_requests);
    visit("elections", Unit::count, Adding::sum, self.elections);
    visit("failovers", Unit::count, Adding::sum, self.failovers);
    visit("lost_replies", Unit::count, Adding::sum, self.lost_replies);
    visit("snapshots", Unit::count, Adding::sum, self.snapshots);
    visit("restorations", Unit::count, Adding::sum, self.restorations);
    visit("disks_replaced", Unit::count, Adding::sum, self.disks_replaced);
    visit("disks_admitted", Unit::count, Adding::sum, self.disks_admitted);
    visit("reshards", Unit::count, Adding::sum, self.reshards);
    visit("reshards_cancelled", Unit::count, Adding::sum, self.reshards_cancelled);
    visit("overloaded", Unit::count, Adding::sum, self.overloaded);
    visit("future_inserts", Unit::count, Adding::sum, self.future_inserts);
    visit("collections", Unit::count, Adding::sum, self.collections);
    visit("ids_collected", Unit::count, Adding::sum, self.ids_collected);
    visit("boundary_lag_mean", Unit::seconds, Adding::none, self.boundary_lag_mean);
    visit("boundary_lag_max", Unit::seconds, Adding::greatest, self.boundary_lag_max);
    visit("bytes_held_most", Unit::bytes, Adding::greatest, self.bytes_held_most);
  }
};

// The work of verification and recovery (recovery_ledger.h); all zero without it.
struct RecoveryFigures {
  bool enabled = false;
  std::uint64_t cleared = 0;      // tokens of ids whose output was seen
  std::uint64_t removals = 0;     // ids taken from dead joiners
  std::uint64_t returned = 0;     // clicks written for dispatchers again
  std::uint64_t recovered = 0;    // of the removed ones: joined since
  std::uint64_t output_lost = 0;  // verifiers gave up: the output had it and lost it (F-14)
  // Verifiers gave up: its joiner is dead, and storage has lost the proof that it did not write it.
  std::uint64_t indeterminate = 0;
  std::uint64_t expired = 0;    // verifiers gave up: the click was too old
  std::uint64_t discarded = 0;  // brought back and still not registered
  LatencyFigures time{};        // from the joiner's death to the output

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("tokens_cleared", Unit::count, Adding::sum, self.cleared);
    visit("ids_removed", Unit::count, Adding::sum, self.removals);
    visit("clicks_returned", Unit::count, Adding::sum, self.returned);
    visit("clicks_recovered", Unit::count, Adding::sum, self.recovered);
    visit("output_lost", Unit::count, Adding::sum, self.output_lost);
    visit("indeterminate", Unit::count, Adding::sum, self.indeterminate);
    visit("expired", Unit::count, Adding::sum, self.expired);
    visit("discarded", Unit::count, Adding::sum, self.discarded);
  }
};

// Named counts in a fixed order.
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;
std::uint64_t count_of(const Counts& counts, std::string_view name);  // 0 if there is none

// Names of the classes of loss, in the order of Summary::lost: "L-crash", ...
std::vector<std::string_view> loss_classes();

// Names of the definitive answers to an operation, in the order of LoadFigures::codes.
std::span<const std::string_view> load_codes();

// Of a registry-only load; all zero where there is none.
struct LoadFigures {
  std::uint64_t operations = 0;
  std::uint64_t answered = 0;
  std::uint64_t abandoned = 0;         // their client died
  double seconds = 0;                  // from the first operation asked to the last
  double transactions_per_second = 0;  // in that time
  double mean_batch = 0;
  Counts codes{};  // definitive answers
  LatencyFigures insert_latency{};
  LatencyFigures lookup_latency{};

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("operations", Unit::count, Adding::sum, self.operations);
    visit("answered", Unit::count, Adding::sum, self.answered);
    visit("abandoned", Unit::count, Adding::sum, self.abandoned);
    visit("seconds", Unit::seconds, Adding::sum, self.seconds);
    visit("transactions_per_second", Unit::per_second, Adding::none, self.transactions_per_second);
    visit("mean_batch", Unit::ratio, Adding::none, self.mean_batch);
  }
};

// Work per click, over all datacenters (SPEC, appendix 3): the cost of exactly once beyond
// one join.
struct WorkFigures {
  std::uint64_t clicks_read = 0;        // by dispatchers, re-reads included
  std::uint64_t join_requests = 0;      // dispatcher to joiner
  std::uint64_t query_lookups = 0;      // of the EventStore
  std::uint64_t query_log_lookups = 0;  // those sent to the logs

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("clicks_read", Unit::count, Adding::sum, self.clicks_read);
    visit("join_requests", Unit::count, Adding::sum, self.join_requests);
    visit("query_lookups", Unit::count, Adding::sum, self.query_lookups);
    visit("query_log_lookups", Unit::count, Adding::sum, self.query_log_lookups);
  }
};

// The cost of the ends of joiners' lives (D-15, D-20, G-18). The window at a crash is the possible
// loss. Attempts in it that had not taken effect, or whose output in flight became durable, are
// not lost.
struct JoinerEndFigures {
  std::uint64_t crashes = 0;
  std::uint64_t stops = 0;   // ended in order (D-23)
  std::uint64_t window = 0;  // attempts in the windows of all crashes
  std::uint64_t window_max = 0;
  std::uint64_t lost = 0;      // clicks, all crashes together
  std::uint64_t returned = 0;  // lost as well, and removed from the dead joiner by recovery since
  std::uint64_t lost_max = 0;  // with one crash, both kinds

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("crashes", Unit::count, Adding::sum, self.crashes);
    visit("stops", Unit::count, Adding::sum, self.stops);
    visit("window", Unit::count, Adding::sum, self.window);
    visit("window_max", Unit::count, Adding::greatest, self.window_max);
    visit("lost", Unit::count, Adding::sum, self.lost);
    visit("returned", Unit::count, Adding::sum, self.returned);
    visit("lost_max", Unit::count, Adding::greatest, self.lost_max);
  }
};

// What a run contributes to estimates of rare events ([rare] in its scenario).
struct RareFigures {
  bool forced = false;            // a crash was forced:
  std::uint64_t crashes = 0;      // 1: it found the joiner up
  std::uint64_t window = 0;       // attempts in the joiner's window
  std::uint64_t lost = 0;         // clicks, those too that recovery returned since
  std::uint64_t lost_at_end = 0;  // clicks of them that recovery has not returned
  double click_seconds = 0;       // from the first click to the end of generation
  bool split = false;             // a splitting:
  double probability = 0;         // its estimate of reaching the last level
  std::uint64_t trials = 0;
  std::uint64_t entrances_least = 0;  // states from which the stage with the fewest began
  std::uint64_t ancestors = 0;        // first trials of which the last stage's paths are branches
  std::uint64_t replayed = 0;         // kernel events that repeat those of another path
  std::vector<std::uint64_t> reached{};  // trials of each stage that reached its level

  template <class Self, class Visitor>
  static void each_forced(Self& self, Visitor&& visit) {
    visit("crashes", Unit::count, Adding::sum, self.crashes);
    visit("window", Unit::count, Adding::sum, self.window);
    visit("lost", Unit::count, Adding::sum, self.lost);
    visit("lost_at_end", Unit::count, Adding::sum, self.lost_at_end);
    visit("click_seconds", Unit::seconds, Adding::sum, self.click_seconds);
  }
  template <class Self, class Visitor>
  static void each_split(Self& self, Visitor&& visit) {
    visit("probability", Unit::ratio, Adding::none, self.probability);
    visit("trials", Unit::count, Adding::sum, self.trials);
    visit("entrances_least", Unit::count, Adding::none, self.entrances_least);
    visit("ancestors", Unit::count, Adding::none, self.ancestors);
    visit("events_replayed", Unit::count, Adding::sum, self.replayed);
  }
};

// What a formula says of a figure that a run measures.
struct PredictedFigure {
  std::string name{};  // of the figure, as in the results store
  Unit unit = Unit::count;
  double predicted = 0;
  std::optional<double> measured{};  // nothing: the run has no such figure
  std::string formula{};             // in a few words
};

struct Summary {
  // Set by the runner, or from the head of a trace.
  std::string scenario{};
  std::uint64_t seed = 0;
  std::string fingerprint{};  // 16 hexadecimal digits
  std::string model_version{};
  std::string config_hash{};                // 16 hexadecimal digits
  std::vector<std::string> overrides{};     // "key=value", as given with --set
  std::vector<std::string> missed_gates{};  // of --expect: each gate, and what was measured
  std::vector<InertFault> inert_faults{};
  // Scripted operations without an end, or with an unexpected one.
  std::vector<std::string> unexpected_ends{};
  int exit_code = 0;         // of the program
  std::uint64_t events = 0;  // kernel events
  double sim_seconds = 0;
  double wall_seconds = 0;           // 0: not known (a trace does not contain it)
  std::uint64_t peak_rss_bytes = 0;  // 0: not known
  std::uint64_t faults_configured = 0;
  Counts network{};                    // fates of messages; empty if judged from a trace
  Counts storage{};                    // fates of requests to volumes; the same
  std::uint64_t core_obligations = 0;  // clicks that a core had to finish alone (J-P1)
  bool stall_exempt = false;           // the core could not elect a master
  Counts fault_kinds{};                // of each kind that was configured, how many had an effect
  // The outcome of each scripted operation, one sentence each.
  std::vector<std::string> operations{};
  // Events that did not happen because their servers could not issue an id; empty if no
  // fault could cause that, or if judged from a trace.
  Counts unnamed{};
  std::vector<TracedFault> faults{};  // the run's list
  std::string scale{};                // what a smaller run stands for; empty: it is the deployment
  std::vector<PredictedFigure> predicted{};  // by theory, without faults; empty: no formula holds

  // Set by summarise().
  std::uint64_t records = 0;
  std::uint64_t generated = 0;
  std::uint64_t joinable = 0;
  std::uint64_t joined = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t output_copies = 0;  // of joined records, in other datacenters (D-08)
  Counts lost{};                    // all classes
  Counts never_joinable{};          // all reasons
  Counts unjoinable{};              // the unjoinable ones, by why (Unjoinable)
  std::uint64_t borderline = 0;
  std::uint64_t pending = 0;
  std::vector<Loss> losses{};  // the first Accounting::kLossesKept, in order of generation
  std::uint64_t wasted_joins = 0;
  LatencyFigures latency{};
  LatencyFigures latency_own{};        // without the shipping of both inputs (SPEC G-04)
  LatencyFigures latency_at_output{};  // true time, when the joiner was about to write (D-21)
  LatencyFigures latency_biased{};     // the same by the joiner's clock and the click's stamp
  std::vector<std::pair<std::string, LatencyFigures>> stages{};
  SlowestFigures slowest{};
  WorkFigures work{};
  RecoveryFigures recovery{};
  RegistryFigures registry{};
  std::uint64_t backlog_windows = 0;  // in which a backlog had to decrease (J-P3)
  CapacityFigures capacity{};
  std::vector<FigureRow> figures{};  // of single shards, pipelines and joiners
  PlaceFigures places{};
  TimeSeries series{};
  bool keep_series = false;  // set by the runner: its values are figures of the run
  Settling settling{};
  std::vector<FaultLatency> fault_latencies{};  // of the faults that took effect
  std::optional<double> backlog_return{};       // seconds; recovery_times.h
  std::optional<Baseline> baseline{};           // nothing: the run without faults was not asked for
  LoadFigures load{};
  Counts damage{};        // of logs and output, and stretches skipped by readers; empty if none
  Counts corner_cases{};  // how often each occurred; empty if not counted
  Counts obligations{};   // obligations of each oracle, liveness last
  std::uint64_t process_crashes = 0;
  std::uint64_t joiner_crashes = 0;
  std::uint64_t processes_stopped = 0;  // in good order; not among the crashes
  JoinerEndFigures joiner_ends{};
  RareFigures rare{};
  std::uint64_t faults_effective = 0;
  std::uint64_t violations_total = 0;
  std::uint64_t safety_violations = 0;   // of them; the others are of liveness
  std::uint64_t stuck = 0;               // of them: clicks that were not finished (J-P0)
  std::vector<Violation> violations{};   // the first of each oracle
  Counts violations_by_rule{};           // all of them, by oracle
  std::uint64_t boundaries_watched = 0;  // of shards that B-68 checked at the end
  bool undecided_allowed = false;        // they do not fail the run
  UndecidedIds undecided_ids{};          // that J-S4 stopped judging: checks not made

  template <class Self, class Visitor>
  static void each_figure(Self& self, Visitor&& visit) {
    visit("events", Unit::count, Adding::sum, self.events);
    visit("records", Unit::count, Adding::sum, self.records);
    visit("sim_seconds", Unit::seconds, Adding::sum, self.sim_seconds);
    visit("generated", Unit::count, Adding::sum, self.generated);
    visit("joinable", Unit::count, Adding::sum, self.joinable);
    visit("joined", Unit::count, Adding::sum, self.joined);
    visit("duplicates", Unit::count, Adding::sum, self.duplicates);
    visit("output_copies", Unit::count, Adding::sum, self.output_copies);
    visit("borderline", Unit::count, Adding::sum, self.borderline);
    visit("pending", Unit::count, Adding::sum, self.pending);
    visit("backlog_windows_judged", Unit::count, Adding::sum, self.backlog_windows);
    visit("crashes.processes", Unit::count, Adding::sum, self.process_crashes);
    visit("crashes.joiners", Unit::count, Adding::sum, self.joiner_crashes);
    visit("stopped_in_order", Unit::count, Adding::sum, self.processes_stopped);
    visit("faults.configured", Unit::count, Adding::sum, self.faults_configured);
    visit("faults.effective", Unit::count, Adding::sum, self.faults_effective);
    visit("undecided_ids", Unit::count, Adding::sum, self.undecided_ids.total());
    visit("undecided_ids.configurations", Unit::count, Adding::sum,
          self.undecided_ids.configurations);
    visit("undecided_ids.steps", Unit::count, Adding::sum, self.undecided_ids.steps);
    visit("undecided_ids.bytes", Unit::count, Adding::sum, self.undecided_ids.bytes);
    visit("boundaries_watched", Unit::count, Adding::sum, self.boundaries_watched);
    visit("core.clicks_to_finish_alone", Unit::count, Adding::sum, self.core_obligations);
    visit("core.runs", Unit::count, Adding::sum, self.core_obligations > 0);
    visit("core.stalls_exempt", Unit::count, Adding::sum, self.stall_exempt);
    visit("stuck", Unit::count, Adding::sum, self.stuck);
    visit("violations", Unit::count, Adding::sum, self.violations_total);
    visit("violations.safety", Unit::count, Adding::sum, self.safety_violations);
  }

  std::uint64_t lost_total() const;
  std::uint64_t never_joinable_total() const;
};

// Work that was wasted or repeated, as shares: nothing where `whole` is 0.
struct Share {
  std::string_view name{};
  std::uint64_t part = 0;
  std::uint64_t whole = 0;
};
std::vector<Share> waste_of(const Summary& summary);

// Fills all fields that the judge knows; requires judge.finish().
void summarise(const Judge& judge, Summary& summary);

// The checks that were not made, and the remedy; empty if all were made.
std::string checks_not_made(const Summary& summary);

// One JSON object on one line, keys in a fixed order, numbers spelled the same everywhere: equal
// summaries give equal bytes. No newline at the end.
std::string to_json(const Summary& summary);
// The text report: a few aligned lines, no colour, newline at the end.
std::string to_text(const Summary& summary);

}  // namespace photon::analysis
