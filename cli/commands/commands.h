// The verbs of the program. Each takes its parsed options and returns an exit code.
//
// Data goes to stdout, progress and errors to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/trace_files/file_error.h"
#include "campaigns/guided/search.h"
#include "campaigns/mark_rarity.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/share.h"
#include "campaigns/swarm/swarm.h"
#include "cli/commands/ci_outputs.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/time.h"

namespace photonsim::cli {

enum class OutputForm : std::uint8_t { text, json };

struct RunCommand {
  std::string scenario{};                 // path of the TOML file
  std::vector<std::string> overrides{};   // "key=value"
  std::optional<std::uint64_t> seed{};    // instead of the scenario's
  std::string results{};                  // SQLite file; empty: none
  std::string trace{};                    // raw trace file; empty: none
  std::optional<std::uint64_t> memory{};  // address space of the process
  std::vector<std::string> expected{};    // gates on its figures
  unsigned workers = 1;                   // threads of the run
  bool twice = false;                     // rerun in another process and compare
  bool baseline = false;                  // run the seed without faults too, for their cost
  OutputForm form = OutputForm::text;
};
int run(const RunCommand& command);

struct CampaignCommand {
  std::vector<std::string> scenarios{};  // the seeds take them in turn
  std::vector<std::string> overrides{};
  std::uint64_t first = 1;  // seeds, both included
  std::uint64_t last = 100;
  unsigned jobs = 1;                               // processes
  std::uint64_t memory = campaigns::kUsualMemory;  // of each
  std::vector<std::string> expected{};             // gates on the figures of each run
  std::vector<std::string> required{};  // corner cases: fails if one of them never occurs
  // Fails if a mark of this rarity, or of a more common one, is never reached.
  std::optional<campaigns::MarkRarity> required_marks{};
  std::vector<std::size_t> named_marks{};            // marks: fails if one is never reached
  std::optional<scenarios::swarm::Options> swarm{};  // generated from the seeds

  double self_check = 0;  // this share of the runs is rerun and compared
  // No run starts later than this after the first.
  std::optional<std::chrono::nanoseconds> time{};
  std::optional<std::uint64_t> min_runs{};  // default: all; with `time`: none
  bool fail_fast = false;                   // no run starts after the first that failed
  bool coverage_gate = false;               // fails on missing coverage (campaigns/coverage_gate.h)
  bool limits_exemptions = false;           // fails on too many exemptions
  std::string results{};  // SQLite file for all runs, also earlier ones; empty: none
  CiOutputs ci{};
  std::uint64_t shrunk = 3;  // number of failures to minimize
  // Time limit for all of them, beyond `time`; nothing: a minute for each.
  std::optional<std::chrono::nanoseconds> shrink_time{};
  std::string repro_folder = "out/failures";  // their folder
  OutputForm form = OutputForm::text;
  bool verbose = false;  // the text also lists marks that no run reached

  std::optional<scenarios::guided::Feedback> guided{};  // a guided search
  std::uint64_t events = 0;                             // limit of kernel events; 0: none
  std::string oracle{};  // fail_fast: stop only at its findings; empty: at any failure
};
// Runs a campaign and reports its sums.
int fuzz(const CampaignCommand& command);

struct StudyCommand {
  std::string study{};    // path of the study file
  std::string results{};  // SQLite file for all runs, also earlier ones; empty: none
  unsigned jobs = 1;      // worker processes
  std::uint64_t memory = campaigns::kUsualMemory;  // of each run
  std::vector<std::string> expected{};             // further gates
  campaigns::Share share{};                        // of the runs
  bool charts = false;                             // of the text form claims and charts alone
  OutputForm form = OutputForm::text;
};
// Lists what the study would run; runs nothing.
int plan(const StudyCommand& command);
// Runs a study and reports its points.
int sweep(const StudyCommand& command);

struct SwarmCommand {
  scenarios::swarm::Options options{};
  std::uint64_t seed = 1;
};
int swarm(const SwarmCommand& command);

// Reproduces a run that a campaign has named: a minimized repro, a scenario with its own seed, or
// a generated configuration.
struct ReproCommand {
  std::string scenario{};  // empty: the swarm's
  SwarmCommand swarm{};
  RunCommand run{};  // its outputs; for a scenario also overrides and seed
};
int repro(const ReproCommand& command);

struct JudgeCommand {
  std::string trace{};
  OutputForm form = OutputForm::text;
};
int judge(const JudgeCommand& command);

struct TraceCommand {
  std::string input{};                       // a trace file, or a scenario (*.toml), which is run
  std::vector<std::string> overrides{};      // of the scenario
  std::optional<std::uint64_t> seed{};       // instead of the scenario's
  std::optional<photon::Duration> around{};  // since the beginning of the run
  std::optional<std::uint64_t> violation{};  // from 1, as judge lists them
  std::optional<photon::Duration> window{};  // its length
  std::string processes{};                   // pattern of paths; empty: all
  std::string event{};                       // an id, or its name in the log; empty: all events
  std::string html{};                        // files to write; at least one
  std::string perfetto{};
};
int trace(const TraceCommand& command);

struct CheckCommand {
  std::string scenario{};
  std::vector<std::string> overrides{};
};
int check(const CheckCommand& command);

struct ExportCommand {
  // One line for each figure of each run, for each run, or for each event of replayed logs.
  enum class What : std::uint8_t { metrics, runs, joined };

  std::string results{};  // SQLite file written by --out of run or fuzz
  std::string csv{};      // target: one file
  What what = What::metrics;
  std::string folder{};     // target: tidy tables; empty: none
  std::string notebooks{};  // target: notebooks that read them; empty: none
};
int export_results(const ExportCommand& command);
// The exit code for an unreadable results file: 8 if it is damaged, 2 if it is of another kind.
// Shared by `export` and `db verify`.
int code_of_unreadable(const photon::analysis::FileError& error);

struct ReportCommand {
  std::string results{};   // SQLite file written by --out
  std::string html{};      // target; empty: none
  std::string markdown{};  // target; "-": standard output; empty: none
};
int write_report(const ReportCommand& command);

struct ScorecardCommand {
  std::string results{};  // SQLite file written by sweep --out
  OutputForm form = OutputForm::text;
};
int scorecard(const ScorecardCommand& command);

struct DiffCommand {
  std::string before{};  // results files, or traces
  std::string after{};
  std::string gates{};  // TOML file; empty: none
  bool traces = false;
  OutputForm form = OutputForm::text;
};
int diff(const DiffCommand& command);

struct DbVerifyCommand {
  std::string results{};  // SQLite file written by --out of run or fuzz
};
// Verifies a results file, or lists its errors.
int db_verify(const DbVerifyCommand& command);

struct DbMergeCommand {
  std::string into{};               // SQLite file; made if it is not there
  std::vector<std::string> from{};  // SQLite files written by --out of sweep or fuzz
};
// Copies the runs of campaigns and studies into one file.
int db_merge(const DbMergeCommand& command);

inline constexpr const char* kExitCodesTopic = "exit-codes";
inline constexpr const char* kMetricsTopic = "metrics";
inline constexpr const char* kStudyKeysTopic = "study-keys";
// Explains one key of the scenario language or another name, lists the exit codes or the figures
// that gates and studies use if `key` is that topic, or lists all keys if it is empty.
int explain(const std::string& key);
// Lists the coverage marks.
int explain_marks();

}  // namespace photonsim::cli
