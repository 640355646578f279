#include "campaigns/studies/metric_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "analysis/judge/judge.h"
#include "analysis/results/series_metrics.h"
#include "campaigns/studies/share_above.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Spoken and stored beginnings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kGroups{
    {{"latency.total.", "latency_seconds."},
     {"latency.own.", "latency_own."},
     {"latency.insert.", "load.insert_latency."},
     {"latency.look_up.", "load.lookup_latency."},
     {"latency.commit.", "registry.commit_latency."},
     {"latency.registry_insert.", "registry.insert_latency."},
     {"latency.shipping.", "stages.shipping."},
     {"latency.scan.", "stages.scan."},
     {"latency.lookup.", "stages.lookup."},
     {"latency.dispatch.", "stages.dispatch."},
     {"latency.event_store.", "stages.event_store."},
     {"latency.register.", "stages.register."},
     {"latency.output.", "stages.output."},
     {"latency.slowest.", "slowest."}}};

analysis::TimeSeries one_interval() {
  analysis::TimeSeries series;
  series.interval_seconds = 1;
  series.offered = series.served = series.queries_from_caches = series.queries_from_logs = {1};
  analysis::PipelineSeries& pipeline = series.pipelines.emplace_back();
  pipeline.joins = pipeline.backlog = pipeline.finished = {1};
  for (auto* each : {&pipeline.latency, &pipeline.own}) each->fill({1});
  return series;
}

// A run in which everything was measured.
analysis::Summary full_summary() {
  analysis::Summary summary;
  analysis::Judge judge{analysis::JudgeConfig{}};
  judge.finish();
  analysis::summarise(judge, summary);
  const auto measured = [](analysis::LatencyFigures& figures) { figures.count = 1; };
  for (auto* each :
       {&summary.latency, &summary.latency_own, &summary.latency_at_output, &summary.latency_biased,
        &summary.registry.insert_latency, &summary.registry.commit_latency,
        &summary.load.insert_latency, &summary.load.lookup_latency, &summary.recovery.time}) {
    measured(*each);
  }
  for (auto& [name, figures] : summary.stages) measured(figures);
  summary.slowest.count = 1;
  summary.load.operations = summary.joined = summary.joinable = summary.generated = 1;
  summary.work = {1, 1, 1, 1};
  summary.capacity.measured = true;
  summary.capacity.stationary = true;
  summary.backlog_return = 1;
  summary.rare.forced = summary.rare.split = true;
  summary.keep_series = true;
  summary.series = one_interval();
  return summary;
}

struct Known {
  analysis::Unit unit = analysis::Unit::count;
  bool of_registry = false;  // measured where there is only a registry
  bool of_clicks = false;
};
using Names = std::map<std::string, Known>;

// It is the median of latencies whose histogram the store has too.
bool has_histogram(const std::string& stored) {
  return stored.ends_with(".p50") && !stored.starts_with("recovery.");
}

Names all_names() {
  Names names;
  analysis::Summary summary = full_summary();
  for (const bool load : {false, true}) {
    if (load) {
      summary.joined = summary.joinable = summary.generated = 0;
      summary.latency.count = summary.latency_own.count = 0;
      for (auto& [name, figures] : summary.stages) figures.count = 0;
      summary.slowest.count = 0;
      summary.series.pipelines.clear();
    }
    summary.load.operations = load ? 1 : 0;
    for (const analysis::Metric& metric : analysis::metrics_of(summary)) {
      for (const std::string& name : {metric.name, spoken_name(metric.name)}) {
        Known& known = names[name];
        known.unit = metric.unit;
        (load ? known.of_registry : known.of_clicks) = true;
        if (!has_histogram(metric.name)) continue;
        const std::string_view group = std::string_view(name).substr(0, name.rfind('.'));
        Known& above = names[fmt::format("{}.above.1s", group)];
        above.unit = analysis::Unit::ratio;
        (load ? above.of_registry : above.of_clicks) = true;
      }
    }
  }
  return names;
}

const Names& known_names() {
  static const Names kNames = all_names();
  return kNames;
}

// Of the figures of intervals the first ones stand for all, of the shares above a bound those of a
// known bound. Null: there is no such metric.
const Known* find_known(const std::string& name) {
  const auto found = known_names().find(of_known_bound(analysis::of_first_interval(name)));
  return found == known_names().end() ? nullptr : &found->second;
}

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, known] : known_names()) names.push_back(name);
    return names;
  }();
  return kNames;
}

bool is_metric(const std::string& name) { return find_known(name) != nullptr; }

std::string closest_metric(const std::string& name) {
  std::string near = scenarios::closest(of_known_bound(name), metric_names());
  if (!analysis::is_of_series(name)) return of_bound_of(name, near);
  if (near.empty()) {
    std::vector<std::string> of_series;
    std::ranges::copy_if(metric_names(), std::back_inserter(of_series), analysis::is_of_series);
    const auto distance = [&](const std::string& each) {
      return scenarios::edit_distance(analysis::of_first_interval(name), each);
    };
    near = *std::ranges::min_element(of_series, {}, distance);
  }
  return analysis::of_interval_of(name, near);
}

std::string metric_hint(const std::string& name) {
  const std::string near = closest_metric(name);
  return near.empty() ? near : fmt::format("did you mean \"{}\"?", near);
}

bool may_be_negative(const std::string& name) {
  return name.find("growth") != std::string::npos || name.find("lag") != std::string::npos;
}

bool is_measured(const std::string& name, bool registry_only) {
  const Known* const found = find_known(name);
  if (found == nullptr) return false;
  return registry_only ? found->of_registry : found->of_clicks;
}

std::optional<analysis::Unit> unit_of_metric(const std::string& name) {
  const Known* const found = find_known(name);
  return found == nullptr ? std::nullopt : std::optional(found->unit);
}

std::string stored_name(const std::string& name) {
  for (const auto& [spoken, stored] : kGroups) {
    if (name.starts_with(spoken)) return std::string(stored) + name.substr(spoken.size());
  }
  return name;
}

std::string spoken_name(const std::string& stored) {
  for (const auto& [spoken, group] : kGroups) {
    if (stored.starts_with(group)) return std::string(spoken) + stored.substr(group.size());
  }
  return stored;
}

std::vector<std::string> shortened(const std::vector<std::string>& names) {
  const auto last = [](const std::string& name) { return name.substr(name.rfind('.') + 1); };
  std::map<std::string, int> count;
  for (const std::string& name : names) ++count[last(name)];
  std::vector<std::string> list;
  for (const std::string& name : names) list.push_back(count[last(name)] == 1 ? last(name) : name);
  return list;
}

std::optional<QuantileName> quantile_named(std::string_view stored) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kQuantiles{
      {{".p50", 0.5}, {".p90", 0.9}, {".p99", 0.99}, {".p999", 0.999}, {".p9999", 0.9999}}};
  for (const auto& [suffix, fraction] : kQuantiles) {
    if (!stored.ends_with(suffix)) continue;
    return QuantileName{std::string(stored.substr(0, stored.size() - suffix.size())), fraction};
  }
  return std::nullopt;
}

bool is_quantile(const std::string& name) {
  return quantile_named(stored_name(name)) || name.find("_p90.") != std::string::npos;
}

Estimator estimator_of(std::string_view stored) {
  constexpr std::array<std::string_view, 3> kSkewed{"rare.lost", "rare.lost_at_end", "rare.window"};
  if (stored == "rare.probability") return Estimator::probability;
  const bool skewed = std::ranges::find(kSkewed, stored) != kSkewed.end();
  return skewed ? Estimator::positive_mean : Estimator::mean;
}

std::string listed_name(const std::string& name) {
  return pattern_of_bounds(analysis::pattern_of_intervals(name));
}

std::string of_listed_name(const std::string& listed) {
  return of_bounds_pattern(analysis::of_pattern(listed));
}

bool counts_events(const std::string& name) {
  return unit_of_metric(name) == analysis::Unit::count || is_rate(name);
}

bool is_rate(const std::string& name) { return name == "loss_rate" || is_share_above(name); }

std::optional<double> metric_of(const analysis::RunRecord& run, const std::string& name) {
  const std::string stored = stored_name(name);
  if (!is_share_above(stored)) return run.metric(stored);
  const auto share = count_above(run, stored);
  if (!share) return std::nullopt;
  return static_cast<double>(share->above) / static_cast<double>(share->count);
}

}  // namespace photonsim::campaigns
