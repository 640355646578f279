// The check of a raw trace before it is judged: records that this program could have written, one
// after the other.
//
// A file with right digests may still have been written by another program, or by a version with an
// error. The judge relies on the properties checked here: kinds and values of enumerations that it
// knows, numbers of nodes, datacenters and groups within the head's limits, times in order and
// within 73 years of zero, so that sums of a few of them are times. Statements of a trace about the
// *run* may be false: finding that out is the judge's work. as wrong as it likes: finding that out
// is the judge's work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/trace_files/judge_config.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// The fault of the configuration in a trace's head; nothing if it is usable.
std::optional<std::string> fault_of(const JudgeConfig& config);

// The records of one trace, in order.
class TraceCheck {
 public:
  // Process slots are numbered below this.
  static constexpr std::uint32_t kMostNodes = 1U << 20U;
  // Of any time from the zero of its clock.
  static constexpr Duration kFarthest = Duration::max() / 4;

  // `config` outlives the check; it has no fault.
  explicit TraceCheck(const JudgeConfig& config) : config_(config) {}

  // The fault of the next record; nothing if it is in order.
  std::optional<std::string> next(const trace::Record& record);

 private:
  const JudgeConfig& config_;
  SimTime last_ = SimTime::min();
};

}  // namespace photon::analysis
