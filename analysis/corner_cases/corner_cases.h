// Counts the corner cases of SPEC B.9 in a trace: the detectors together. See corner_case.h.
//
// Cost: a few hash look-ups per registry record, and memory that follows the requests: runs with
// pipelines count only if configured.
#pragma once

#include "analysis/corner_cases/corner_batches.h"
#include "analysis/corner_cases/corner_failures.h"
#include "analysis/corner_cases/corner_retries.h"
#include "analysis/corner_cases/corner_sharding.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

class CornerCases final : public FactReader {
 public:
  explicit CornerCases(const Evidence& evidence) : groups_(evidence), evidence_(evidence) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  void on_fact(const Fact& fact) override {
    groups_.before(fact);
    batches_.on_fact(fact);
    retries_.on_fact(fact);
    failures_.on_fact(fact);
    sharding_.on_fact(fact);
    groups_.after(fact);
  }
  const CornerCounts& counts() const { return counts_; }

 private:
  // Those of all detectors.
  static constexpr Interest kKinds[] = {
      sent(trace::Kind::paxos_accepted), trace::Kind::batch_proposed,
      trace::Kind::operation_applied,    trace::Kind::slot_applied,
      trace::Kind::master_elected,       trace::Kind::master_ended,
      trace::Kind::process_crashed,      trace::Kind::boundary_moved,
      trace::Kind::registry_ask,         trace::Kind::registry_answer,
      trace::Kind::sharding_applied,     sent(trace::Kind::sharding_ask),
      trace::Kind::sharding_answer};

  GroupHistory groups_;
  const Evidence& evidence_;
  CornerCounts counts_{};
  CornerBatches batches_{evidence_, groups_, counts_};
  CornerRetries retries_{evidence_, groups_, counts_};
  CornerFailures failures_{evidence_, groups_, counts_};
  CornerSharding sharding_{evidence_, counts_};
};

}  // namespace photon::analysis
