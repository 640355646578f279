// One invariant of SPEC J.1, or a statement of J.4, is one class with one file under oracles/.
//
// The judge hands a record to the oracles that subscribed to its kind, with the evidence as it was
// *before* that record; afterwards the evidence takes the record in. So an oracle reads what was
// known and keeps only what no other one needs. Cost per record: O(1).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/evidence/evidence.h"
#include "analysis/oracles/violation.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// A record with the event it names, resolved once: the click's index in the evidence, or for
// query_answer that missed the query's. kNoIndex if the record names none, and where nobody needs
// it: for registry_ask delivered and for operation_applied that repeats what another replica did.
struct Fact {
  const trace::Record& record;
  std::uint32_t event = kNoIndex;

  const trace::Header& header() const { return record.header; }
  trace::Source source() const { return record.header.source; }
  template <class Payload>
  const Payload& as() const {
    return record.as<Payload>();
  }
};

class Oracle {
 public:
  Oracle(std::string_view name, const Evidence& evidence, ViolationLog& log)
      : evidence_(evidence), name_(name), log_(log) {}
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  virtual ~Oracle() = default;

  std::string_view name() const { return name_; }
  virtual std::span<const trace::Kind> kinds() const = 0;
  virtual void on_fact(const Fact& fact) = 0;
  void look_at(const Fact& fact) {
    ++facts_;
    on_fact(fact);
  }
  // Ids that it stopped judging, because that would have taken more than it may: checks not made.
  virtual std::uint64_t undecided() const { return 0; }
  // How often it demanded something: with each record that it was given, unless it says otherwise.
  virtual std::uint64_t demands() const { return facts_; }

 protected:
  void report(const Fact& fact, const EventId& event, std::string message) {
    log_.add({std::string(name_), Severity::safety, fact.header().at, fact.header().node, event,
              std::move(message)});
  }
  // Nothing is wrong yet, but something that ought to happen does not.
  void report_stuck(const Fact& fact, const EventId& event, std::string message) {
    log_.add({std::string(name_), Severity::liveness, fact.header().at, fact.header().node, event,
              std::move(message)});
  }
  const JudgeConfig& config() const { return evidence_.config(); }

  const Evidence& evidence_;

 private:
  std::string_view name_;
  ViolationLog& log_;
  std::uint64_t facts_ = 0;
};

}  // namespace photon::analysis
