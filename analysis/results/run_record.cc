#include "analysis/results/run_record.h"

#include <algorithm>
#include <cmath>

#include "core_impl/base/check.h"
#include "core_impl/base/codec.h"

namespace photon::analysis {
namespace {

std::vector<NamedCount> named(const Counts& counts) {
  std::vector<NamedCount> list;
  list.reserve(counts.size());
  for (const auto& [name, count] : counts) list.push_back({name, count});
  return list;
}

std::vector<OracleFindings> findings_of(const Summary& summary) {
  std::vector<OracleFindings> list;
  for (const auto& [oracle, count] : summary.violations_by_rule) {
    if (count == 0) continue;
    OracleFindings& found = list.emplace_back();
    found.oracle = oracle;
    found.count = count;
    const auto first = std::ranges::find(summary.violations, oracle, &Violation::oracle);
    if (first == summary.violations.end()) continue;
    found.severity = first->severity;
    found.first_message = first->message;
    found.process = first->process;
    if (!first->event.is_null()) found.event = describe(first->event);
    found.at = first->at;
  }
  return list;
}

template <class Enum, std::size_t kSize>
bool is_known(Enum value, const std::array<std::string_view, kSize>&) {
  return static_cast<std::size_t>(value) < kSize;
}

bool is_valid(const RunRecord& record) {
  const auto metric = [](const Metric& each) {
    return is_known(each.unit, kUnitNames) && is_known(each.adding, kAddingNames) &&
           std::isfinite(each.value);
  };
  const auto findings = [](const OracleFindings& each) {
    return is_known(each.severity, kSeverityNames) && is_known(each.standing, kStandingNames);
  };
  const auto effects = [](const FaultEffects& each) { return is_known(each.state, kStateNames); };
  const auto histogram = [](const StoredHistogram& each) {
    return LatencyHistogram::from_bytes(each.data).has_value();
  };
  return is_known(record.end, kRunEndNames) && is_known(record.tier, kRunTierNames) &&
         is_known(record.determinism, kDeterminismNames) &&
         std::ranges::all_of(record.metrics, metric) &&
         std::ranges::all_of(record.findings, findings) &&
         std::ranges::all_of(record.fault_effects, effects) &&
         std::ranges::all_of(record.histograms, histogram);
}

}  // namespace

LatencyHistogram StoredHistogram::histogram() const {
  auto read = LatencyHistogram::from_bytes(data);
  PHOTON_CHECK(read.has_value(), "the latencies of a run can be read");
  return *std::move(read);
}

std::optional<double> RunRecord::metric(std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &Metric::name);
  return found == metrics.end() ? std::nullopt : std::optional(found->value);
}

RunRecord run_record_of(const Summary& summary,
                        const std::vector<std::pair<std::string, LatencyHistogram>>& histograms) {
  RunRecord record;
  record.seed = summary.seed;
  record.fingerprint = summary.fingerprint;
  record.events = summary.events;
  record.bound_by = summary.capacity.binding;
  record.sim_milliseconds = static_cast<std::uint64_t>(summary.sim_seconds * 1e3);
  record.metrics = metrics_of(summary);
  record.findings = findings_of(summary);
  for (const auto& [name, data] : histograms) record.histograms.push_back({name, data.to_bytes()});
  record.corner_cases = named(summary.corner_cases);
  record.obligations = named(summary.obligations);
  record.fault_kinds = named(summary.fault_kinds);
  return record;
}

std::vector<NamedCount> named_marks(const MarkHits& hits) {
  std::vector<NamedCount> list;
  list.reserve(hits.size());
  for (const auto& [mark, count] : hits) {
    list.push_back({std::string(all_marks()[mark].name), count});
  }
  return list;
}

std::uint64_t count_of(const std::vector<NamedCount>& counts, std::string_view name) {
  const auto found = std::ranges::find(counts, name, &NamedCount::name);
  return found == counts.end() ? 0 : found->count;
}

void encode_record(const RunRecord& record, Bytes& bytes) { Encoder{bytes}(record); }

std::optional<RunRecord> decode_record(std::span<const std::byte> bytes) {
  Decoder decode(bytes);
  RunRecord record;
  decode(record);
  if (!decode.ok() || decode.remaining() != 0 || !is_valid(record)) return std::nullopt;
  return record;
}

}  // namespace photon::analysis
