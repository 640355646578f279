// Latencies before, during and after each fault, of the clicks that were generated then.
#pragma once

#include <optional>

#include "analysis/accounting/joined_latency.h"
#include "analysis/statistics/latency_histogram.h"
#include "core_impl/base/time.h"

namespace photon::analysis {

// A time of the run; `until` is not part of it.
struct Period {
  SimTime from{};
  SimTime until{};
};

struct PeriodsOfFault {
  Period before{};
  Period during{};
  Period after{};
};

// `until`: the fault's planned end; nothing: it has none, or it is not known beforehand. Then
// `during` is empty. The two others are as long as the fault, and at least `least`; `before` does
// not begin before time zero.
PeriodsOfFault periods_of(SimTime from, std::optional<SimTime> until, Duration least);

// The latencies in the order in which their clicks were generated.
class LatenciesByTime {
 public:
  explicit LatenciesByTime(JoinedLatencies latencies);

  struct Histograms {
    LatencyHistogram total{};
    LatencyHistogram own{};
  };
  // Of the clicks that were generated in that period.
  Histograms in(const Period& period) const;

  const JoinedLatencies& all() const { return latencies_; }

 private:
  JoinedLatencies latencies_;
};

}  // namespace photon::analysis
