// Raw trace files: written by `--trace FILE`, read by `judge TRACE`.
//
// Layout, little-endian: magic "photontr", format version, record size, length of the head; head =
// encoded TraceHead, its checksum; records; end = encoded TraceEnd; trailer = magic, count, digest
// of all records, length and checksum of the end. A file without a valid trailer is truncated and
// says so.
//
// A trace gets its name only when it is complete (draft_file.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/trace_files/file_error.h"
#include "analysis/trace_files/inert_fault.h"
#include "analysis/trace_files/judge_config.h"
#include "analysis/trace_files/trace_places.h"
#include "analysis/trace_files/traced_fault.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

inline constexpr std::uint32_t kTraceFormatVersion = 18;

// Facts known before the run.
struct TraceHead {
  std::string scenario{};           // name
  std::string resolved_scenario{};  // TOML
  std::string model_version{};
  std::string config_hash{};             // as in Summary
  std::vector<std::string> overrides{};  // as in Summary
  std::uint64_t seed = 0;
  JudgeConfig judge{};
  TracePlaces places{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.scenario, self.resolved_scenario, self.model_version, self.config_hash,
          self.overrides, self.seed, self.judge, self.places);
  }
  bool operator==(const TraceHead&) const = default;
};

// How many faults of a kind that was configured had an effect, as in Summary::fault_kinds.
struct FaultKindCount {
  std::string kind{};
  std::uint64_t count = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.kind, self.count);
  }
  bool operator==(const FaultKindCount&) const = default;
};

// The run's knowledge at its end that no record contains.
struct TraceEnd {
  std::string fingerprint{};  // as in Summary
  std::uint64_t events = 0;   // kernel events
  std::int64_t simulated_ns = 0;
  std::uint64_t faults_configured = 0;
  std::vector<InertFault> inert_faults{};      // as in Summary
  std::vector<std::string> unexpected_ends{};  // as in Summary
  std::vector<std::string> operations{};       // as in Summary
  std::vector<FaultKindCount> fault_kinds{};
  std::vector<TracedFault> faults{};  // all of the run's list, by number

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.fingerprint, self.events, self.simulated_ns, self.faults_configured,
          self.inert_faults, self.unexpected_ends, self.operations, self.fault_kinds, self.faults);
  }
  bool operator==(const TraceEnd&) const = default;
};

// Buffers; an error (disk full) is kept and returned by finish().
class TraceWriter final : public trace::Sink {
 public:
  static Result<std::unique_ptr<TraceWriter>, FileError> create(const std::string& file,
                                                                const TraceHead& head);
  ~TraceWriter() override;  // an unfinished trace is removed

  void record(const trace::Record& record) override;
  // Writes end and trailer, closes, and gives the file its name. Called once. On error the previous
  // file keeps the name.
  Result<void, FileError> finish(const TraceEnd& end);
  std::uint64_t records() const;

 private:
  struct State;
  explicit TraceWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class TraceCheck;

class TraceReader {
 public:
  static Result<TraceReader, FileError> open(const std::string& file);
  TraceReader(TraceReader&&) noexcept;
  TraceReader& operator=(TraceReader&&) noexcept;
  ~TraceReader();

  const TraceHead& head() const;
  const TraceEnd& end() const;
  std::uint64_t records() const;  // as the trailer says
  // Feeds every record to `sink`, once all of them have been read, their digest is right and each
  // is one that this program writes (trace_check.h): no record of a damaged trace is ever judged.
  Result<void, FileError> replay(trace::Sink& sink);

 private:
  struct State;
  template <class Take>
  Result<void, FileError> each_batch(Take&& take);
  std::optional<FileError> first_fault(TraceCheck& check, std::uint64_t before,
                                       std::span<const trace::Record> records) const;
  explicit TraceReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
