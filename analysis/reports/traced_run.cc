#include "analysis/reports/traced_run.h"

#include <cmath>

namespace photon::analysis {

TraceEnd trace_end_of(const Summary& summary) {
  TraceEnd end{.fingerprint = summary.fingerprint,
               .events = summary.events,
               .simulated_ns = std::llround(summary.sim_seconds * 1e9),
               .faults_configured = summary.faults_configured,
               .inert_faults = summary.inert_faults,
               .unexpected_ends = summary.unexpected_ends,
               .operations = summary.operations,
               .faults = summary.faults};
  for (const auto& [kind, count] : summary.fault_kinds) end.fault_kinds.push_back({kind, count});
  return end;
}

void describe_run(const TraceHead& head, const TraceEnd& end, Summary& summary) {
  summary.scenario = head.scenario;
  summary.seed = head.seed;
  summary.model_version = head.model_version;
  summary.config_hash = head.config_hash;
  summary.overrides = head.overrides;
  summary.fingerprint = end.fingerprint;
  summary.events = end.events;
  summary.sim_seconds = static_cast<double>(end.simulated_ns) / 1e9;
  summary.faults_configured = end.faults_configured;
  summary.inert_faults = end.inert_faults;
  summary.unexpected_ends = end.unexpected_ends;
  summary.operations = end.operations;
  summary.faults = end.faults;
  for (const auto& [kind, count] : end.fault_kinds) summary.fault_kinds.emplace_back(kind, count);
}

}  // namespace photon::analysis
