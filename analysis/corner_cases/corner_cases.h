// Counts the corner cases of SPEC B.9 in a trace: the detectors together. See corner_case.h.
//
// Cost: a few hash look-ups per registry record, and memory that follows the requests: runs with
// pipelines count only if configured.
#pragma once

#include "analysis/corner_cases/corner_batches.h"
#include "analysis/corner_cases/corner_failures.h"
#include "analysis/corner_cases/corner_retries.h"
#include "analysis/corner_cases/corner_sharding.h"

namespace photon::analysis {

class CornerCases {
 public:
  explicit CornerCases(const Evidence& evidence) : groups_(evidence), evidence_(evidence) {}
  CornerCases(const CornerCases&) = delete;
  CornerCases& operator=(const CornerCases&) = delete;

  // Takes one record in; called before the evidence takes it.
  void on_fact(const Fact& fact) {
    groups_.before(fact);
    batches_.on_fact(fact);
    retries_.on_fact(fact);
    failures_.on_fact(fact);
    sharding_.on_fact(fact);
    groups_.after(fact);
  }
  const CornerCounts& counts() const { return counts_; }

 private:
  GroupHistory groups_;
  const Evidence& evidence_;
  CornerCounts counts_{};
  CornerBatches batches_{evidence_, groups_, counts_};
  CornerRetries retries_{evidence_, groups_, counts_};
  CornerFailures failures_{evidence_, groups_, counts_};
  CornerSharding sharding_{evidence_, counts_};
};

}  // namespace photon::analysis
