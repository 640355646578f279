// The verbs of the program. Each takes its parsed options and returns an exit code.
//
// Data goes to stdout, everything for people (progress, errors) to stderr.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/trace_files/file_error.h"
#include "campaigns/mark_rarity.h"
#include "campaigns/pool/run_pool.h"
#include "campaigns/swarm/swarm.h"
#include "cli/ci_outputs.h"
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
  std::optional<std::uint64_t> memory{};  // bytes that the process may have
  bool twice = false;                     // once more in another process, and compared
  OutputForm form = OutputForm::text;
};
int run(const RunCommand& command);

struct CampaignCommand {
  std::vector<std::string> scenarios{};  // dealt to the seeds in turn
  std::vector<std::string> overrides{};
  std::uint64_t first = 1;  // seeds, both included
  std::uint64_t last = 100;
  unsigned jobs = 1;                               // processes
  std::uint64_t memory = campaigns::kUsualMemory;  // bytes that each of them may have
  std::vector<std::string> required{};  // corner cases: fails if one of them never occurs
  // Fails if a mark of this rarity, or of a lesser one, is never reached.
  std::optional<photon::MarkRarity> required_marks{};
  std::vector<std::size_t> named_marks{};  // numbers of marks: or if one of these is never reached
  std::optional<scenarios::swarm::Options> swarm{};  // instead of scenarios: each seed is a world

  double self_check = 0;  // this share of the runs is done twice and compared
  // No run begins later than so long after the first.
  std::optional<std::chrono::nanoseconds> time{};
  std::optional<std::uint64_t> min_runs{};  // default: all; with `time`: none
  bool fail_fast = false;                   // nor behind the first that failed
  bool coverage_gate = false;   // fails if something that such a campaign must show was never seen
  bool limits_excuses = false;  // fails if too many runs were excused from being judged
  std::string results{};        // SQLite file for all runs, also those of before; empty: none
  CiOutputs ci{};
  std::uint64_t shrunk = 3;  // so many failures are made small
  // All of them in so much time, also beyond `time`; nothing: a minute for each.
  std::optional<std::chrono::nanoseconds> shrink_time{};
  std::string stories = "out/failures";  // the folder for them
  OutputForm form = OutputForm::text;
  bool verbose = false;  // the text also names what no run came by
};
// Carries out a campaign: many runs, and what they come to together.
int fuzz(const CampaignCommand& command);

// fuzz --guided.
struct GuidedCommand {
  std::string scenario{};  // start worlds: this one with drawn faults; empty: those of the swarm
  std::vector<std::string> overrides{};
  scenarios::swarm::Options swarm{};
  std::uint64_t first = 1;  // as many worlds as there are seeds in the range
  std::uint64_t last = 100;
  std::uint64_t events = 0;  // at most so many kernel events; 0: no such limit
  unsigned jobs = 1;
  std::uint64_t memory = campaigns::kUsualMemory;  // as of a campaign
  bool feedback = true;                            // false: every world is drawn anew
  bool fail_fast = false;
  // No generation of worlds begins later than so long after the first.
  std::optional<std::chrono::nanoseconds> time{};
  CiOutputs ci{};
  std::string oracle{};  // fail_fast: only what it finds first counts; empty: every failure
  std::uint64_t shrunk = 0;
  std::optional<std::chrono::nanoseconds> shrink_time{};  // as of a campaign
  std::string stories{};
  OutputForm form = OutputForm::text;
};
int guided_search(const GuidedCommand& command);

struct SwarmCommand {
  scenarios::swarm::Options options{};
  std::uint64_t seed = 1;
};
int swarm(const SwarmCommand& command);

// The run that a campaign has named, again: a story, any scenario with its own seed, or a world of
// the swarm.
struct ReproCommand {
  std::string scenario{};  // empty: the swarm's
  SwarmCommand swarm{};
  RunCommand run{};  // its files and form; of a scenario its overrides and seed
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
  std::optional<photon::Duration> window{};  // how long it is
  std::string processes{};                   // pattern of paths; empty: all
  photon::EventId event{};                   // null: everything
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
  // A line for each figure of each run, or one for each run.
  enum class What : std::uint8_t { metrics, runs };

  std::string results{};  // SQLite file written by --out of run or fuzz
  std::string csv{};      // target
  What what = What::metrics;
};
int export_results(const ExportCommand& command);
// The exit code for a results file that cannot be read: 8 if it is damaged, 2 if it is none that
// this program reads. `export` and `db verify` agree on it.
int code_of_unreadable(const photon::analysis::FileError& error);

struct DbVerifyCommand {
  std::string results{};  // SQLite file written by --out of run or fuzz
};
// Proves a results file whole, or says what is not.
int db_verify(const DbVerifyCommand& command);

inline constexpr const char* kExitCodesTopic = "exit-codes";
// Explains one key of the scenario language, or the exit codes if `key` is that topic, or lists all
// keys if it is empty.
int explain(const std::string& key);
// Lists the marks of the code.
int explain_marks();

}  // namespace photonsim::cli
