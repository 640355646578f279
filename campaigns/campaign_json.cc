// The report of a campaign as one JSON object.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/corner_cases/corner_case.h"
#include "analysis/reports/latency_figures.h"
#include "analysis/statistics/quantiles.h"
#include "campaigns/campaign.h"
#include "campaigns/triage.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

namespace json = boost::json;

std::string_view name_of(CampaignFrame::End end) {
  switch (end) {
    case CampaignFrame::End::complete:
      return "complete";
    case CampaignFrame::End::ended_early:
      return "ended early";
    case CampaignFrame::End::interrupted:
      return "interrupted";
    case CampaignFrame::End::error:
      return "error";
  }
  return {};
}

namespace {

json::object corner_object(const std::vector<CountSum>& counts, std::uint64_t CountSum::*part) {
  json::object object;
  for (std::size_t i = 0; i < analysis::kCorners; ++i)
    object[analysis::corner_rows()[i].name] = counts[i].*part;
  return object;
}

// Every mark, reached or not, with its place.
json::object mark_object(const MarkTally& tally) {
  json::object object;
  const auto marks = photon::all_marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    object[marks[i].name] =
        json::object{{"rarity", name_of(rarity_of(marks[i].name))},
                     {"place", fmt::format("{}:{}", marks[i].file, marks[i].line)},
                     {"hits", tally.hits(i)},
                     {"runs", tally.runs(i)}};
  }
  return object;
}

json::object obligation_object(const CountSums& oracles) {
  json::object object;
  for (const auto& [name, oracle] : oracles) {
    object[name] = json::object{{"runs", oracle.shown}, {"obligations", oracle.sum}};
  }
  return object;
}

json::object object_of(const RunsByOracle& runs) {
  json::object object;
  for (const auto& [oracle, count] : runs) object[oracle] = count;
  return object;
}

json::object break_object(const std::map<std::string, BrokenAssumption, std::less<>>& breaks) {
  json::object object;
  for (const auto& [name, each] : breaks) {
    object[name] = json::object{{"configurations", each.runs},
                                {"detected", each.detected},
                                {"by", object_of(each.by)},
                                {"besides", object_of(each.besides)}};
  }
  return object;
}

json::object failure_object(const std::string& scenario, const analysis::RunRecord& run,
                            const ReproFiles& repros) {
  const auto repro = repros.find({run.scenario, run.seed});
  const bool found = repro != repros.end();
  return {
      {"scenario", scenario},       {"seed", run.seed},
      {"exit_code", run.exit_code}, {"what", run.what},
      {"replay", run.replay},       {"repro", found ? json::value(repro->second) : json::value()}};
}

// Each figure over the runs that have it, by its name in the results file: a sum, or the least or
// greatest value, as the figure adds up.
json::object figures_object(const std::map<std::string, MetricSum, std::less<>>& metrics) {
  json::object object;
  for (const auto& [name, each] : metrics) {
    object[name] = each.unit == analysis::Unit::count
                       ? json::value(static_cast<std::uint64_t>(std::llround(each.value)))
                       : json::value(std::round(each.value * 1e9) / 1e9);
  }
  return object;
}

// In seconds; a percentile that the sample does not support is null.
json::object latency_object(const LatencySums::ByStage& stages) {
  const auto seconds = [](photon::Duration value) {
    return static_cast<double>(value.count()) / 1e9;
  };
  json::object object;
  for (const auto& [name, histogram] : stages) {
    json::object stage;
    stage["count"] = histogram.count();
    stage["mean"] = histogram.mean_nanoseconds() / 1e9;
    for (const auto& [quantile, fraction] : analysis::LatencyFigures::kQuantiles) {
      stage[quantile] = analysis::too_small(histogram.count(), fraction)
                            ? json::value()
                            : json::value(seconds(histogram.percentile(fraction)));
    }
    stage["min"] = seconds(histogram.min());
    stage["max"] = seconds(histogram.max());
    object[name] = std::move(stage);
  }
  return object;
}

json::object kinds_object(const CountSums& kinds) {
  json::object object;
  for (const auto& [name, kind] : kinds) {
    object[name] = json::object{{"runs", kind.runs}, {"effective", kind.sum}};
  }
  return object;
}

json::object states_object(const EffectsByKind& effects) {
  json::object object;
  for (const auto& [kind, row] : effects) {
    json::object of_kind;
    for (std::size_t i = 0; i < row.size(); ++i) of_kind[analysis::kStateNames[i]] = row[i];
    object[kind] = std::move(of_kind);
  }
  return object;
}

json::array cause_array(const CampaignSum& sum, const ReproFiles& repros) {
  json::array causes;
  for (const FailureGroup& each : failure_groups(sum)) {
    const analysis::RunRecord& first = *each.runs.front();
    causes.push_back(
        json::object{{"found_by", each.cause.found_by},
                     {"site", each.cause.site},
                     {"message", each.cause.message},
                     {"exit_code", each.exit_code},
                     {"runs", each.runs.size()},
                     {"first", failure_object(sum.scenario_name(first.scenario), first, repros)}});
  }
  return causes;
}

}  // namespace

std::string CampaignSum::json(const CampaignFrame& frame) const {
  json::object object;
  object["seeds"] = json::object{{"first", frame.first_seed}, {"last", frame.last_seed}};
  object["overrides"] = json::array(frame.overrides.begin(), frame.overrides.end());
  object["model_version"] = frame.model_version;
  object["end"] = name_of(frame.end);
  object["exit_code"] = frame.exit_code;
  object["wall_seconds"] = frame.wall_seconds;
  object["runs_done_before"] = frame.done_before;
  object["runs_planned"] = frame.last_seed - frame.first_seed + 1;
  if (frame.corpus_and_features) {
    object["corpus"] = frame.corpus_and_features->first;
    object["features"] = frame.corpus_and_features->second;
  }
  object["runs"] = runs_;
  object["failed"] = failed();
  object["not_stationary"] = not_stationary_;
  json::array scenarios;
  for (const Share& each : shares_) {
    scenarios.push_back(
        json::object{{"file", each.name}, {"runs", each.runs}, {"failed", each.failed}});
  }
  object["scenarios"] = std::move(scenarios);
  object["figures"] = figures_object(metrics_);
  object["runs_that_count_corner_cases"] = counting_;
  const auto missing = this->missing();
  if (missing) {
    object["corner_cases"] = corner_object(corner_cases_, &CountSum::sum);
    object["runs_with_corner_case"] = corner_object(corner_cases_, &CountSum::shown);
    object["never_occurred"] = json::array(missing->begin(), missing->end());
  } else {
    for (const char* name : {"corner_cases", "runs_with_corner_case", "never_occurred"}) {
      object[name] = nullptr;
    }
  }
  object["marks"] = mark_object(marks_);
  object["fault_kinds"] = kinds_object(fault_kinds_);
  object["obligations"] = obligation_object(obligations_);
  object["states"] = states_object(effects_by_kind());
  const std::uint64_t contract = runs_of_tier(analysis::RunTier::contract);
  if (const std::uint64_t over = runs_of_tier(analysis::RunTier::over); contract + over > 0) {
    object["runs_by_tier"] = json::object{{"contract", contract}, {"over", over}};
    object["exempt"] = object_of(exempt_);
    object["broken_assumptions"] = break_object(breaks_);
  }
  json::object latencies;
  for (const auto& [scenario, stages] : latencies_.by_scenario()) {
    latencies[shares_[scenario].name] = latency_object(stages);
  }
  object["latency_seconds"] = std::move(latencies);
  object["cost"] = json::object{{"events", events_},
                                {"sim_seconds", static_cast<double>(sim_milliseconds_) / 1e3},
                                {"cpu_seconds", cpu_seconds()},
                                {"median_cpu_seconds", median_cpu_seconds()}};
  object["determinism"] = json::object{{"rerun", determinism_.same + determinism_.diverged},
                                       {"diverged", determinism_.diverged}};
  object["missed_gates"] = json::array(frame.missed_gates.begin(), frame.missed_gates.end());
  object["cut_off"] = json::array(frame.cut_off.begin(), frame.cut_off.end());
  object["died_before"] = json::array(frame.died_before.begin(), frame.died_before.end());
  json::array failures;
  for (const auto& [key, each] : failures_) {
    failures.push_back(failure_object(shares_[each.scenario].name, each, frame.repros));
  }
  object["failures"] = std::move(failures);
  object["causes"] = cause_array(*this, frame.repros);
  return json::serialize(object);
}

}  // namespace photonsim::campaigns
