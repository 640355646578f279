// All figures of a run, from their lists in analysis/reports/summary.h.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "analysis/results/run_record.h"
#include "analysis/results/series_metrics.h"

namespace photon::analysis {
namespace {

class Metrics {
 public:
  template <class Value>
  void add(const std::string& name, Unit unit, Adding adding, Value value) {
    const auto real = static_cast<double>(value);
    if (std::isfinite(real)) list_.push_back({name, unit, adding, real});
  }
  // The figures of a group, "registry.transactions".
  template <class Figures>
  void add_group(const std::string& group, const Figures& figures) {
    Figures::each_figure(figures, [&](std::string_view name, Unit unit, Adding adding, auto value) {
      add(group + std::string(name), unit, adding, value);
    });
  }
  // The count alone where nothing was measured.
  void add_latency(const std::string& name, const LatencyFigures& figures) {
    LatencyFigures::each_figure(figures,
                                [&](std::string_view part, Unit unit, Adding adding, auto value) {
                                  if (figures.count == 0 && unit != Unit::count) return;
                                  add(name + "." + std::string(part), unit, adding, value);
                                });
  }
  void add_counts(const std::string& group, const Counts& counts) {
    for (const auto& [name, count] : counts) add(group + name, Unit::count, Adding::sum, count);
  }
  // Nothing where there is nothing to divide by.
  void add_share(const std::string& name, std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return;
    add(name, Unit::ratio, Adding::none, static_cast<double>(part) / static_cast<double>(whole));
  }
  std::vector<Metric> take() { return std::move(list_); }

 private:
  std::vector<Metric> list_{};
};

void add_waste(const Summary& summary, Metrics& metrics) {
  for (const Share& each : waste_of(summary)) {
    metrics.add_share("waste." + std::string(each.name), each.part, each.whole);
  }
}

void add_capacity(const CapacityFigures& capacity, Metrics& metrics) {
  if (!capacity.measured) return;
  const auto add = [&](const std::string& name, Unit unit, double value) {
    metrics.add("capacity." + name, unit, Adding::none, value);
  };
  add("window_seconds", Unit::seconds, capacity.seconds);
  add("offered_per_second", Unit::per_second, capacity.offered_per_second);
  add("served_per_second", Unit::per_second, capacity.served_per_second);
  add("backlog_growth_per_second", Unit::per_second, capacity.backlog_growth_per_second);
  add("unfinished_growth_per_second", Unit::per_second, capacity.unfinished_growth_per_second);
  add("closest_saturation", Unit::ratio, capacity.closest_saturation);
  const bool grows = !capacity.growing_where.empty() || !capacity.growing_queue.empty();
  add("growing", Unit::ratio, grows ? 1 : 0);
  if (capacity.stationary) add("stationary", Unit::ratio, *capacity.stationary ? 1 : 0);
}

void add_places(const Summary& summary, Metrics& metrics) {
  const auto add = [&](std::string_view name, Unit unit, Adding adding, auto value) {
    metrics.add(std::string(name), unit, adding, value);
  };
  PlaceFigures::each_ids(summary.places, add);
  if (summary.load.operations > 0) return;
  PlaceFigures::each_of_clicks(summary.places, add);
  if (summary.backlog_return) {
    add("faults.backlog_back_seconds", Unit::seconds, Adding::greatest, *summary.backlog_return);
  }
}

void add_rare(const RareFigures& rare, Metrics& metrics) {
  const auto add = [&](std::string_view name, Unit unit, Adding adding, auto value) {
    metrics.add("rare." + std::string(name), unit, adding, value);
  };
  if (rare.forced) RareFigures::each_forced(rare, add);
  if (!rare.split) return;
  RareFigures::each_split(rare, add);
  std::size_t stage = 0;
  for (const std::uint64_t reached : rare.reached) {
    add("reached." + std::to_string(++stage), Unit::count, Adding::sum, reached);
  }
}

}  // namespace

std::vector<Metric> metrics_of(const RareFigures& rare) {
  Metrics metrics;
  add_rare(rare, metrics);
  return metrics.take();
}

std::vector<Metric> metrics_of(const Summary& summary) {
  Metrics metrics;
  metrics.add_group("", summary);
  if (summary.load.operations == 0) {
    metrics.add("wasted_joins", Unit::count, Adding::sum, summary.wasted_joins);
  }
  metrics.add("lost", Unit::count, Adding::sum, summary.lost_total());
  metrics.add_counts("lost.", summary.lost);
  metrics.add_share("loss_rate", summary.lost_total(), summary.joinable);
  metrics.add("never_joinable", Unit::count, Adding::sum, summary.never_joinable_total());
  metrics.add_counts("never_joinable.", summary.never_joinable);
  metrics.add_counts("unjoinable.", summary.unjoinable);
  metrics.add_group("work.", summary.work);
  add_waste(summary, metrics);
  metrics.add_group("registry.", summary.registry);
  metrics.add_latency("registry.insert_latency", summary.registry.insert_latency);
  metrics.add_latency("registry.commit_latency", summary.registry.commit_latency);
  metrics.add_group("recovery.", summary.recovery);
  metrics.add_latency("recovery.seconds", summary.recovery.time);
  if (summary.load.operations > 0) {
    metrics.add_group("load.", summary.load);
    metrics.add_counts("load.codes.", summary.load.codes);
    metrics.add_latency("load.insert_latency", summary.load.insert_latency);
    metrics.add_latency("load.lookup_latency", summary.load.lookup_latency);
  }
  metrics.add_latency("latency_seconds", summary.latency);
  metrics.add_latency("latency_own", summary.latency_own);
  metrics.add_latency("latency_at_output", summary.latency_at_output);
  metrics.add_latency("latency_biased", summary.latency_biased);
  for (const auto& [name, figures] : summary.stages) metrics.add_latency("stages." + name, figures);
  if (summary.slowest.count > 0) {
    metrics.add("slowest.count", Unit::count, Adding::sum, summary.slowest.count);
    for (const auto& [name, mean] : summary.slowest.stages) {
      metrics.add("slowest." + std::string(name), Unit::seconds, Adding::none, mean);
    }
  }
  add_capacity(summary.capacity, metrics);
  add_places(summary, metrics);
  metrics.add_group("joiner_crashes.", summary.joiner_ends);
  add_rare(summary.rare, metrics);
  metrics.add_counts("network.", summary.network);
  metrics.add_counts("storage.", summary.storage);
  metrics.add_counts("unnamed_events.", summary.unnamed);
  metrics.add_counts("damage.", summary.damage);
  if (!summary.keep_series) return metrics.take();
  std::vector<Metric> list = metrics.take();
  std::ranges::move(series_metrics(summary.series), std::back_inserter(list));
  return list;
}

}  // namespace photon::analysis
