// One run in campaigns, studies and the results store: a typed struct with one list of its fields.
// The pipe of the worker processes, the store, the sums of campaigns and the CSV export all come
// from that list.
//
// A new figure of a run is a line of `each_figure` in analysis/reports/summary.h. A new value that
// every run has once is a line of RunRecord::each_scalar, and of the table `run`
// (result_schema.cc). Lists of a new kind need a line of RunRecord::each_field and a table.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/oracles/violation.h"
#include "analysis/reports/figure.h"
#include "analysis/reports/summary.h"
#include "analysis/results/protocol_state.h"
#include "analysis/statistics/latency_histogram.h"
#include "core_impl/base/bytes.h"
#include "core_impl/base/mark.h"

namespace photon::analysis {

// How a run ended. Only a complete one has figures.
enum class RunEnd : std::uint8_t {
  complete,
  check_failed,  // a check of the code failed: check_site and the fields after it say which
  exception,     // the code threw; `what` says what
  over_events,   // it exceeded its limit of kernel events,
  over_memory,   // of memory,
  over_time,     // of wall time
  died,          // its process died, `what` says how
};
inline constexpr std::array<std::string_view, 7> kRunEndNames{
    "complete", "check failed", "exception", "over events", "over memory", "over time", "died"};

// The tier of a run's scenario (DESIGN 6).
enum class RunTier : std::uint8_t { within, over, contract };
inline constexpr std::array<std::string_view, 3> kRunTierNames{"within", "over", "contract"};

// Whether a rerun in another process was the same (SPEC J-S17).
enum class Determinism : std::uint8_t { unchecked, same, diverged };
inline constexpr std::array<std::string_view, 3> kDeterminismNames{"unchecked", "same", "diverged"};

// The meaning of an oracle's finding for the verdict.
enum class Standing : std::uint8_t {
  failing,   // it counts against the run
  expected,  // it is the required detection of a broken assumption
  exempt,    // exempt by its tier: a fault has made it impossible for good
};
inline constexpr std::array<std::string_view, 3> kStandingNames{"failing", "expected", "exempt"};

inline constexpr std::array<std::string_view, 2> kSeverityNames{"safety", "liveness"};

inline std::string_view name_of(RunEnd end) { return kRunEndNames[static_cast<std::size_t>(end)]; }
inline std::string_view name_of(RunTier tier) {
  return kRunTierNames[static_cast<std::size_t>(tier)];
}
inline std::string_view name_of(Determinism result) {
  return kDeterminismNames[static_cast<std::size_t>(result)];
}
inline std::string_view name_of(Standing standing) {
  return kStandingNames[static_cast<std::size_t>(standing)];
}
inline std::string_view name_of(Severity severity) {
  return kSeverityNames[static_cast<std::size_t>(severity)];
}

// One figure of a run.
struct Metric {
  std::string name{};  // "latency_seconds.p99", "lost.L-crash"
  Unit unit = Unit::count;
  Adding adding = Adding::sum;
  double value = 0;  // never NaN; a count is exact up to 2^53

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    auto bits = std::bit_cast<std::uint64_t>(self.value);
    visit(self.name, self.unit, self.adding, bits);
    if constexpr (!std::is_const_v<Self>) self.value = std::bit_cast<double>(bits);
  }
  bool operator==(const Metric&) const = default;
};

// The findings of one oracle in a run: their number, and the first one.
struct OracleFindings {
  std::string oracle{};
  Severity severity = Severity::safety;
  Standing standing = Standing::failing;
  std::uint64_t count = 0;
  std::string first_message{};
  std::string process{};  // of the first, by name; empty: none
  std::string event{};    // of the first, as reports write it; empty: none
  SimTime at{};           // of the first

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.oracle, self.severity, self.standing, self.count, self.first_message, self.process,
          self.event, self.at);
  }
  bool operator==(const OracleFindings&) const = default;
};

// The latencies of a run under a name of the store ("stages.lookup").
struct StoredHistogram {
  std::string name{};
  Bytes data{};  // a hundredth of the histogram's size in memory

  // Requires data of a histogram, as run_record_of makes it and decode_record checks it.
  LatencyHistogram histogram() const;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.name, self.data);
  }
  bool operator==(const StoredHistogram&) const = default;
};

// A named count: hits of a coverage mark, occurrences of a corner case, obligations of an oracle.
struct NamedCount {
  std::string name{};
  std::uint64_t count = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.name, self.count);
  }
  bool operator==(const NamedCount&) const = default;
};

// How many faults of a kind took effect while the protocols were in a state.
struct FaultEffects {
  std::string kind{};
  ProtocolState state = ProtocolState::quiet;
  std::uint64_t count = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.kind, self.state, self.count);
  }
  bool operator==(const FaultEffects&) const = default;
};

struct RunRecord {
  std::uint32_t scenario = 0;  // its place among the scenarios (points) of the campaign, from 0
  std::uint64_t seed = 0;
  RunEnd end = RunEnd::complete;
  std::int32_t exit_code = 0;  // 0 unless it failed
  std::string what{};          // why it failed
  std::string replay{};        // the command that reproduces it
  // The failed check of the code; empty without one.
  std::string check_site{};     // FILE:LINE
  std::string check_message{};  // what was checked, and the condition
  std::string check_process{};  // the process that was active; may be empty
  RunTier tier = RunTier::within;
  std::string
      bound_by{};  // the resource that held up a run that is not, or perhaps not, stationary
  std::string broken_assumption{};  // of the contract tier: Scenario::breaks
  bool damage_detected = false;     // of the contract tier: by a required oracle
  Determinism determinism = Determinism::unchecked;
  std::string fingerprint{};  // 16 hexadecimal digits; empty unless the run is complete
  std::uint64_t events = 0;
  std::uint64_t sim_milliseconds = 0;
  // Of the processor on which it ran: reported only, it decides nothing.
  std::uint64_t cpu_microseconds = 0;

  std::vector<Metric> metrics{};  // no name twice; without values that were not measured
  std::vector<OracleFindings> findings{};
  std::vector<StoredHistogram> histograms{};
  std::vector<NamedCount> marks{};         // those that were hit
  std::vector<NamedCount> corner_cases{};  // all of them, or none if the run does not count them
  std::vector<NamedCount> obligations{};   // of each oracle: how often it had something to check
  std::vector<NamedCount> fault_kinds{};   // of each configured kind: how many took effect
  std::vector<FaultEffects> fault_effects{};

  // The values that each run has once, by the names of the columns of table `run`.
  template <class Self, class Visitor>
  static void each_scalar(Self& self, Visitor&& visit) {
    visit("scenario", self.scenario);
    visit("seed", self.seed);
    visit("ending", self.end);
    visit("exit_code", self.exit_code);
    visit("what", self.what);
    visit("replay", self.replay);
    visit("check_site", self.check_site);
    visit("check_message", self.check_message);
    visit("check_process", self.check_process);
    visit("tier", self.tier);
    visit("bound_by", self.bound_by);
    visit("broken_assumption", self.broken_assumption);
    visit("damage_detected", self.damage_detected);
    visit("determinism", self.determinism);
    visit("fingerprint", self.fingerprint);
    visit("events", self.events);
    visit("sim_milliseconds", self.sim_milliseconds);
    visit("cpu_microseconds", self.cpu_microseconds);
  }

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    each_scalar(self, [&](std::string_view, auto& field) { visit(field); });
    visit(self.metrics, self.findings, self.histograms, self.marks, self.corner_cases,
          self.obligations, self.fault_kinds, self.fault_effects);
  }
  bool operator==(const RunRecord&) const = default;

  // The figure of that name; nothing if it was not measured.
  std::optional<double> metric(std::string_view name) const;
};

// All figures of a run. Wall time and memory are none: the same run has the same figures.
std::vector<Metric> metrics_of(const Summary& summary);
// Of a splitting, which consists of many runs, these alone.
std::vector<Metric> metrics_of(const RareFigures& rare);

// The judge's findings, all figures, coverage and latencies of a complete run. The caller adds the
// rest: verdict and tier, marks, fault effects, determinism, cost.
RunRecord run_record_of(const Summary& summary,
                        const std::vector<std::pair<std::string, LatencyHistogram>>& histograms);

// Hits of marks by their names.
std::vector<NamedCount> named_marks(const MarkHits& hits);
std::uint64_t count_of(const std::vector<NamedCount>& counts, std::string_view name);  // 0: none

// For the pipe between processes of one program; not kept in files.
void encode_record(const RunRecord& record, Bytes& bytes);
// Nothing if the bytes are not exactly one record: short, too long, unknown values of an
// enumeration, a damaged histogram.
std::optional<RunRecord> decode_record(std::span<const std::byte> bytes);

}  // namespace photon::analysis
