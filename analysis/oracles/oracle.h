// The interface of all checks: facts in, findings out, and a liveness check at the end.
//
// The judge hands a record to the oracles that subscribed to it (../evidence/fact_reader.h), with
// the evidence as it was *before* that record; then the ledgers and the evidence take the record
// in. So an oracle reads the earlier state and keeps only data that no other one needs. Cost per
// record: O(1).
//
// Names, severities and texts of all oracles stand in oracles/oracle_table.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/evidence/evidence.h"
#include "analysis/evidence/fact.h"
#include "analysis/evidence/fact_reader.h"
#include "analysis/oracles/undecided_ids.h"
#include "analysis/oracles/violation.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

struct Ledgers;

// Is liveness checked at the end of a trace? `checked` when the run was healed and had its time
// (Phase::faults_ended).
enum class Liveness : std::uint8_t { checked, exempt };

// The inputs of each oracle. All of them outlive the oracle.
struct OracleInput {
  std::string_view name;  // of its row in the table
  Severity severity = Severity::safety;
  const Evidence& evidence;
  const Ledgers& ledgers;
  ViolationLog& log;

  const JoinEvidence& join() const { return evidence.join(); }
  const RegistryEvidence& registry() const { return evidence.registry(); }
};

class Oracle : public FactReader {
 public:
  explicit Oracle(const OracleInput& input)
      : ledgers_(input.ledgers),
        evidence_(input.evidence),
        name_(input.name),
        severity_(input.severity),
        log_(input.log) {}

  std::string_view name() const { return name_; }

  // Like kinds() and on_fact, with the evidence as it is *after* the record. A check of the end
  // alone has none of either.
  virtual std::span<const Interest> absorbed_kinds() const { return {}; }
  virtual void on_absorbed(const Fact&) {}
  // Once, after the last record; evidence and ledgers are complete.
  virtual void finish(Liveness) {}

  // How often something was checked, counted where the obligation arises. An oracle without any
  // is vacuous.
  std::uint64_t obligations() const { return obligations_; }
  // Ids that it stopped judging because of a limit: checks not made.
  virtual UndecidedIds undecided() const { return {}; }

 protected:
  void oblige(std::uint64_t count = 1) { obligations_ += count; }
  void report(const Fact& fact, const EventId& event, std::string message) {
    add(fact.header().at, fact.header().node, event, std::move(message));
  }
  // At the end of the trace, and about no record of it.
  void report_at_end(NodeId node, const EventId& event, std::string message) {
    add(now(), node, event, std::move(message));
  }
  const JudgeConfig& config() const { return evidence_.config(); }
  // An operator that may empty a dispatcher's journal (C-32).
  bool is_state_operator(NodeId node) const {
    const auto& operators = config().state_operators;
    return std::ranges::find(operators, node) != operators.end();
  }
  SimTime now() const { return evidence_.now(); }
  trace::Phase phase() const { return evidence_.phase(); }
  std::string process(NodeId node) const { return evidence_.process(node); }

  const Ledgers& ledgers_;

 private:
  void add(SimTime at, NodeId node, const EventId& event, std::string message) {
    log_.add({std::string(name_), severity_, at, node, event, std::move(message),
              node == kNoNode ? std::string() : process(node)});
  }

  const Evidence& evidence_;  // for facts that belong to both kinds
  std::string_view name_;
  Severity severity_;
  ViolationLog& log_;
  std::uint64_t obligations_ = 0;
};

}  // namespace photon::analysis
