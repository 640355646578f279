#include "analysis/accounting/series_ledger.h"

#include <algorithm>
#include <utility>

#include "core_impl/trace/environment.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

void SeriesLedger::on_fact(const Fact& fact) {
  if (fact.header().kind == trace::Kind::sharding_applied) {
    const auto& applied = fact.as<trace::ShardingApplied>();
    // The first replica to apply it counts.
    if (applied.action != trace::ShardingAction::confirm) return;
    if (versions_.insert(applied.version).second) reshards_.push_back(fact.header().at);
    return;
  }
  if (fact.header().kind != trace::Kind::resource_used) return;
  base_ = Duration(fact.as<trace::ResourceUsed>().nanoseconds);
  if (base_ > Duration::zero()) sample_until(fact.header().at);
}

// The records of an interval come before all others of a later time. An interval in which nothing
// was used has none: it repeats the sample before it.
void SeriesLedger::sample_until(SimTime boundary) {
  while (end_of(size()) < boundary) {
    take(samples_.empty() ? none() : samples_.back());
  }
  if (end_of(size()) == boundary) take(now());
}

void SeriesLedger::finish(SimTime end) {
  if (interval() <= Duration::zero()) return;
  sample_until(end);
  if (end_of(size() - 1) < end) {
    samples_.push_back(now());
  } else {
    samples_.back() = now();
  }
}

SeriesLedger::Sample SeriesLedger::none() const {
  Sample sample;
  sample.backlog.resize(capacity_.pipelines());
  sample.finished.resize(capacity_.pipelines());
  sample.committed.resize(figures_.shards().size());
  return sample;
}

SeriesLedger::Sample SeriesLedger::now() const {
  Sample sample = none();
  sample.offered = capacity_.offered_ever();
  sample.served = capacity_.served_ever();
  for (const PipelineTally& each : figures_.pipelines()) {
    sample.from_caches += each.from_caches;
    sample.from_logs += each.from_logs;
  }
  for (std::size_t i = 0; i < capacity_.pipelines(); ++i) {
    sample.backlog[i] = capacity_.backlog(i);
    sample.finished[i] = capacity_.finished(i);
  }
  std::ranges::transform(figures_.shards(), sample.committed.begin(), &ShardTally::operations);
  return sample;
}

void SeriesLedger::take(Sample sample) {
  samples_.push_back(std::move(sample));
  if (samples_.size() <= kMost) return;
  // Of each two samples the later one stays.
  for (std::size_t i = 0; i < samples_.size() / 2; ++i) {
    samples_[i] = std::move(samples_[2 * i + 1]);
  }
  samples_.resize(samples_.size() / 2);
  step_ *= 2;
}

}  // namespace photon::analysis
