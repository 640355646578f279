// Runs of `run --out` in a results file: one SQLite database, many runs and campaigns (DESIGN 7).
// docs/results_schema.md documents the schema; campaign_store.h has the runs of campaigns.
//
// Invariants: one transaction per run, so a run is in the file whole or not at all; WAL mode;
// several programs may write one file and take turns, also when it is new to all of them;
// `user_version` says which schema it is. A run's key is the hash of (resolved scenario, seed,
// model version): saving the same key again replaces that run. Every error is a value that names
// the file, the cause and a remedy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/reports/summary.h"
#include "analysis/results/run_record.h"
#include "analysis/statistics/latency_histogram.h"
#include "analysis/trace_files/file_error.h"

namespace photon::analysis {

// Files of other schemas are refused.
inline constexpr int kResultStoreVersion = 9;

// 16 hexadecimal digits.
std::string run_key(std::string_view resolved_scenario, std::uint64_t seed,
                    std::string_view model_version);

struct FaultRow {
  std::uint32_t number = 0;
  std::string description{};
  std::int64_t at_nanoseconds = 0;
  bool effective = false;
  // Its planned end; not in the file. Nothing: never, or not known beforehand.
  std::optional<std::int64_t> until_nanoseconds{};
};

// State of the rolling fingerprint at a point of the run, to find the first divergence.
struct Checkpoint {
  std::int64_t at_nanoseconds = 0;
  std::uint64_t events = 0;
  std::string fingerprint{};
};

struct RunResult {
  std::string resolved_scenario{};  // TOML of the whole configuration but for the seed
  std::string model_version{};
  Summary summary{};
  std::vector<std::pair<std::string, LatencyHistogram>> histograms{};
  std::vector<FaultRow> faults{};
  std::vector<Checkpoint> checkpoints{};
  std::vector<std::pair<std::string, std::string>> manifest{};  // compiler, host, ... for people
  // Verdict, coverage and fault effects; nothing: those of the summary (run_record_of).
  std::optional<RunRecord> record{};

  std::string key() const { return run_key(resolved_scenario, summary.seed, model_version); }
};

// The histograms of a judged run under their names in the store.
std::vector<std::pair<std::string, LatencyHistogram>> histograms_of(const Judge& judge);

// The run of a key, without its figures.
struct StoredRun {
  std::string key{};
  std::string scenario{};
  std::string seed{};  // decimal
};

class ResultStore {
 public:
  // Opens for writing, creating the file (not its directory). Checks at once that it can be
  // written. Never deletes a file, not even one that it created in vain: another program may have
  // opened it since.
  static Result<ResultStore, FileError> open(const std::string& file);

  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  // Replaces a run of the same key.
  Result<void, FileError> save(const RunResult& run);
  // Moves all saved rows into the one file, which is then complete: SQLite's log beside it is
  // empty. Only if no other program uses the file.
  Result<void, FileError> gather();
  Result<bool, FileError> contains(const std::string& key) const;
  Result<std::vector<std::string>, FileError> keys() const;  // ascending
  Result<std::vector<StoredRun>, FileError> runs() const;    // by key, ascending
  // All figures of a run, by name.
  Result<std::vector<std::pair<std::string, double>>, FileError> metrics(
      const std::string& key) const;
  // The stored JSON of the summary; nothing if there is no such run.
  Result<std::optional<std::string>, FileError> summary_json(const std::string& key) const;
  Result<std::optional<double>, FileError> metric(const std::string& key,
                                                  const std::string& name) const;
  Result<std::optional<LatencyHistogram>, FileError> histogram(const std::string& key,
                                                               const std::string& name) const;

 private:
  struct State;
  explicit ResultStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
