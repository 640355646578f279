#include "campaigns/studies/metric_names.h"

#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Spoken and stored beginnings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kGroups{
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
     {"latency.output.", "stages.output."}}};

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
  summary.load.operations = summary.joined = summary.joinable = summary.generated = 1;
  summary.work = {1, 1, 1, 1};
  summary.capacity.measured = true;
  summary.capacity.stationary = true;
  return summary;
}

using Units = std::map<std::string, analysis::Unit>;

Units all_units() {
  Units units;
  analysis::Summary summary = full_summary();
  for (const bool load : {false, true}) {
    summary.load.operations = load ? 1 : 0;
    for (const analysis::Metric& metric : analysis::metrics_of(summary)) {
      units.emplace(metric.name, metric.unit);
      units.emplace(spoken_name(metric.name), metric.unit);
    }
  }
  return units;
}

const Units& units() {
  static const Units kUnits = all_units();
  return kUnits;
}

}  // namespace

const std::vector<std::string>& metric_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const auto& [name, unit] : units()) names.push_back(name);
    return names;
  }();
  return kNames;
}

bool is_metric(const std::string& name) { return units().contains(name); }

std::optional<analysis::Unit> unit_of_metric(const std::string& name) {
  const auto found = units().find(name);
  return found == units().end() ? std::nullopt : std::optional(found->second);
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

std::optional<double> metric_of(const analysis::RunRecord& run, const std::string& name) {
  return run.metric(stored_name(name));
}

}  // namespace photonsim::campaigns
