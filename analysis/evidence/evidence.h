// The evidence: what the trace has proven so far, of the join and of the registry.
//
// An oracle states in its constructor which of the two it needs.
#pragma once

#include <map>
#include <string>

#include "analysis/evidence/join_evidence.h"
#include "analysis/evidence/registry_evidence.h"
#include "analysis/trace_files/judge_config.h"
#include "analysis/trace_files/trace_places.h"

namespace photon::analysis {

class Evidence {
 public:
  explicit Evidence(JudgeConfig config, TracePlaces places = {});

  const JudgeConfig& config() const { return config_; }
  // For messages: "us-east1/registry/0"; "process 28" where the trace has no names.
  const TracePlaces& places() const { return places_; }
  std::string process(NodeId node) const { return process_name(places_, node); }
  const JoinEvidence& join() const { return join_; }
  const RegistryEvidence& registry() const { return registry_; }
  SimTime now() const { return join_.now(); }
  trace::Phase phase() const { return join_.phase(); }

  // The end of the last interval in which the processor of that process had no idle moment; kNever
  // if it always had. What has come to it until then may still wait for its turn.
  SimTime busy_until(NodeId node) const;

  // Index of a click id, made at first sight. For the judge.
  std::uint32_t click_index(const EventId& id) { return join_.click_index(id); }
  std::uint32_t query_index(const EventId& id) { return join_.query_index(id); }
  // Takes a record in; `event` as resolved by the judge.
  void absorb(const trace::Record& record, std::uint32_t event);
  // For readers of all clicks, after each kTickRows: what they have left is packed again. Ends the
  // validity of references to facts about clicks.
  void tick() const;
  static constexpr std::uint32_t kTickRows = 4096;

 private:
  void on_used(const trace::Record& record);

  JudgeConfig config_;
  TracePlaces places_;
  std::map<NodeId, SimTime> busy_until_{};
  SimTime ticked_{};
  RegistryEvidence registry_;
  JoinEvidence join_;
};

}  // namespace photon::analysis
