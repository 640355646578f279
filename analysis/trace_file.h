// Raw trace files: what `--trace FILE` writes and `judge TRACE` reads.
//
// Layout, little-endian: magic "photontr", format version, record size, length of the head; head =
// encoded TraceHead, its checksum; records; trailer = magic, count, digest of all records. A file
// without a valid trailer is truncated and says so. The writer writes to FILE and removes it again
// if it could not be completed: nothing half-written is left that looks complete.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "analysis/judge_config.h"
#include "analysis/result_error.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

inline constexpr std::uint32_t kTraceFormatVersion = 1;

struct TraceHead {
  std::string scenario{};           // name
  std::string resolved_scenario{};  // TOML
  std::string model_version{};
  std::uint64_t seed = 0;
  std::uint64_t faults_configured = 0;
  JudgeConfig judge{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.scenario, self.resolved_scenario, self.model_version, self.seed,
          self.faults_configured, self.judge);
  }
  bool operator==(const TraceHead&) const = default;
};

// Buffers; an error (disk full) is kept and returned by finish().
class TraceWriter final : public trace::Sink {
 public:
  static Result<std::unique_ptr<TraceWriter>, FileError> create(const std::string& file,
                                                                const TraceHead& head);
  ~TraceWriter() override;  // removes an unfinished file

  void record(const trace::Record& record) override;
  // Writes the trailer and closes. On error the file is gone.
  Result<void, FileError> finish();
  std::uint64_t records() const;

 private:
  struct State;
  explicit TraceWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class TraceReader {
 public:
  static Result<TraceReader, FileError> open(const std::string& file);
  TraceReader(TraceReader&&) noexcept;
  TraceReader& operator=(TraceReader&&) noexcept;
  ~TraceReader();

  const TraceHead& head() const;
  std::uint64_t records() const;  // as the trailer says
  // Feeds every record to `sink`; checks count and digest.
  Result<void, FileError> replay(trace::Sink& sink);

 private:
  struct State;
  explicit TraceReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace photon::analysis
