#include "analysis/summary.h"

#include <algorithm>

namespace photon::analysis {

namespace {

double seconds(double nanoseconds) { return nanoseconds / 1e9; }
double seconds(Duration duration) { return seconds(static_cast<double>(duration.count())); }

std::uint64_t sum_of(const std::vector<std::pair<std::string, std::uint64_t>>& counts) {
  std::uint64_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

}  // namespace

LatencyFigures figures_of(const LatencyHistogram& histogram) {
  LatencyFigures figures;
  figures.count = histogram.count();
  figures.mean = seconds(histogram.mean_nanoseconds());
  figures.p50 = seconds(histogram.percentile(0.5));
  figures.p90 = seconds(histogram.percentile(0.9));
  figures.p99 = seconds(histogram.percentile(0.99));
  figures.p999 = seconds(histogram.percentile(0.999));
  figures.min = seconds(histogram.min());
  figures.max = seconds(histogram.max());
  return figures;
}

std::uint64_t Summary::lost_total() const { return sum_of(lost); }
std::uint64_t Summary::never_joinable_total() const { return sum_of(never_joinable); }

void summarise(const Judge& judge, Summary& summary) {
  const Accounting& books = judge.accounting();
  const Counters& counters = judge.counters();
  const LatencyCollector& latency = judge.latency();
  summary.records = judge.records();
  summary.generated = books.generated;
  summary.joinable = books.joinable;
  summary.joined = books.joined;
  summary.duplicates = counters.duplicates;
  summary.lost.clear();
  for (std::size_t i = 0; i < kLossClasses; ++i) {
    summary.lost.emplace_back(name_of(static_cast<LossClass>(i)), books.lost[i]);
  }
  summary.never_joinable.clear();
  for (std::size_t i = 0; i < kNeverJoinables; ++i) {
    summary.never_joinable.emplace_back(name_of(static_cast<NeverJoinable>(i)),
                                        books.never_joinable[i]);
  }
  summary.borderline = books.borderline;
  summary.pending = books.pending;
  summary.losses = books.losses;
  summary.wasted_joins = counters.wasted_joins;
  summary.latency = figures_of(latency.total());
  summary.latency_biased = figures_of(latency.biased());
  summary.stages.clear();
  for (std::size_t i = 0; i < kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    summary.stages.emplace_back(name_of(stage), figures_of(latency.stage(stage)));
  }
  summary.registry = {counters.transactions,
                      counters.mean_batch(),
                      counters.lookups,
                      counters.insert_attempts,
                      counters.insert_requests,
                      counters.elections,
                      counters.failovers,
                      counters.lost_replies_after_effect,
                      counters.reshards,
                      counters.reshards_cancelled,
                      counters.snapshots,
                      counters.restorations,
                      counters.disks_replaced,
                      counters.disks_admitted,
                      figures_of(counters.insert_latency)};
  summary.work = {counters.clicks_read, counters.joins_asked, counters.query_lookups,
                  counters.query_log_lookups};
  summary.process_crashes = counters.process_crashes;
  summary.joiner_crashes = counters.joiner_crashes;
  summary.faults_effective = counters.faults_effective.size();
  summary.violations_total = judge.violations().total();
  summary.safety_violations = judge.violations().total(Severity::safety);
  summary.stuck = judge.violations().count("J-P0");
  summary.violations = judge.violations().kept();
}

}  // namespace photon::analysis
