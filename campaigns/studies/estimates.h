// What the replications of one point say: every figure with its interval.
//
// A quantile of latencies is that of the merged histograms of the replications, with an interval
// over replications. The loss rate is that of all their clicks together, with the replications as
// clusters, because a crash loses many clicks at once; so is the share of latencies above a bound.
// Every other figure is a mean over them with Student's interval. Failed runs and runs that are not
// complete are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/reports/figure.h"
#include "analysis/results/run_record.h"
#include "analysis/statistics/interval.h"
#include "analysis/statistics/paired.h"

namespace photonsim::campaigns {

struct MetricEstimate {
  photon::analysis::Estimate estimate{};
  photon::analysis::Unit unit = photon::analysis::Unit::count;
  bool negative = false;  // a replication had a value below zero
  bool rate = false;      // of events that come in clusters (ratios.h)

  // With an interval that does not go below zero where no value can.
  photon::analysis::Estimate shown() const;
  // A quantile whose observations depend on each other so much that its interval may be too narrow.
  bool is_too_correlated() const;
};

using Runs = std::span<const photon::analysis::RunRecord* const>;

// A figure of the first runs minus that of the second ones, pair by pair; each pair has a seed.
// Nothing if one of them lacks the figure. A count that is zero in all of them has no interval.
std::optional<photon::analysis::PairedDifference> difference_of(
    Runs first, Runs second, const std::string& metric,
    double confidence = photon::analysis::kConfidence);

// Whether two runs have this figure alike: a quantile with all its latencies.
bool have_same(const photon::analysis::RunRecord& one, const photon::analysis::RunRecord& other,
               const std::string& metric);

class PointEstimates {
 public:
  explicit PointEstimates(std::span<const std::optional<photon::analysis::RunRecord>> replications);

  // Nothing if a replication lacks the figure.
  std::optional<MetricEstimate> of(const std::string& metric,
                                   double confidence = photon::analysis::kConfidence) const;
  // Names of the figures that all replications have, as gates write them, but for those of
  // intervals: they are thousands.
  std::vector<std::string> names() const;

  // The replications that count, in their order.
  Runs used() const { return used_; }
  std::uint64_t replications() const { return used_.size(); }
  std::uint64_t failed() const { return failed_; }
  int worst_exit_code() const { return worst_; }  // of the failed ones
  // Whether all were stationary; nothing if that is not known of some.
  std::optional<bool> stationary() const;
  // A backlog grew in one of them while every resource had room: the runs are too short to tell.
  bool perhaps_growing() const;
  // It is not known of one of them whether it was stationary: that, or too few samples.
  bool is_doubtful() const;
  // Whether latencies below a limit mean that the point meets it: false above saturation, where
  // they depend on the length of the runs; where a backlog grows while a limit is used by half or
  // more; and where too few samples leave that open.
  bool decides_latencies() const;
  // Of the first that was surely not stationary, else the first that perhaps was not; empty: none.
  std::string bound_by() const;

 private:
  std::vector<const photon::analysis::RunRecord*> used_{};
  std::uint64_t failed_ = 0;
  int worst_ = 0;
};

// The replications of two points that count and have a seed in common, in the order of seeds.
struct SeedPairs {
  std::vector<const photon::analysis::RunRecord*> first{};
  std::vector<const photon::analysis::RunRecord*> second{};  // of the same length
};
SeedPairs paired_by_seed(const PointEstimates& first, const PointEstimates& second);

}  // namespace photonsim::campaigns
