// Counts at equal distances of time, over the whole run: what arrived, what was finished, how much
// waited at each pipeline, and what each shard committed; and when the number of shards changed.
//
// A sample stands for the end of its interval. The interval is run.sample_interval, doubled until
// the samples of the run are kMost at most.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analysis/accounting/figure_ledger.h"
#include "analysis/capacity/capacity_ledger.h"
#include "analysis/evidence/fact_reader.h"

namespace photon::analysis {

class SeriesLedger final : public FactReader {
 public:
  static constexpr std::size_t kMost = 4096;

  struct Sample {
    std::uint64_t offered = 0;  // clicks or operations, from the beginning of the run
    std::uint64_t served = 0;   // the same
    // Queries found for joiners, from the beginning of the run.
    std::uint64_t from_caches = 0;
    std::uint64_t from_logs = 0;
    std::vector<std::uint64_t> backlog;   // by pipeline
    std::vector<std::uint64_t> finished;  // clicks, by pipeline, from the beginning of the run
    // Operations that each shard committed, from the beginning of the run.
    std::vector<std::uint64_t> committed;
  };

  SeriesLedger(const CapacityLedger& capacity, const FigureLedger& figures)
      : capacity_(capacity), figures_(figures) {}

  std::span<const Interest> kinds() const override { return kKinds; }
  // Called after the capacity ledger and the figures take the record.
  void on_fact(const Fact& fact) override;
  // After the last record, which is of that time.
  void finish(SimTime end);

  // Zero: the trace has no samples.
  Duration interval() const { return base_ * step_; }
  // One for each interval from time zero. The last interval ends with the run.
  const std::vector<Sample>& samples() const { return samples_; }
  // When changes of the number of shards were first applied.
  const std::vector<SimTime>& reshards() const { return reshards_; }

 private:
  static constexpr Interest kKinds[] = {trace::Kind::sharding_applied, trace::Kind::resource_used};

  void sample_until(SimTime boundary);
  Sample none() const;  // before anything happened
  Sample now() const;
  void take(Sample sample);
  SimTime end_of(std::int64_t number) const { return SimTime{} + interval() * (number + 1); }
  std::int64_t size() const { return static_cast<std::int64_t>(samples_.size()); }

  const CapacityLedger& capacity_;
  const FigureLedger& figures_;
  std::set<std::uint64_t> versions_{};  // of histories that were confirmed
  std::vector<SimTime> reshards_{};
  Duration base_{};
  std::int64_t step_ = 1;  // samples of the trace that one of the series stands for
  std::vector<Sample> samples_{};
};

}  // namespace photon::analysis
