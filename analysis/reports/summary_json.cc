#include <cmath>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "analysis/reports/summary.h"
#include "analysis/reports/verdict.h"

namespace photon::analysis {

namespace {

namespace json = boost::json;

// Seconds with nanosecond resolution. Boost.JSON prints the shortest decimal that reads back as the
// same double, so equal values give equal bytes.
json::value number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::round(value * 1e9) / 1e9;
}

json::value number(std::uint64_t value) { return value; }

// The figures in the list of their struct, in its order.
template <class Figures>
json::object figures_object(const Figures& figures) {
  json::object object;
  Figures::each_figure(figures, [&](std::string_view name, Unit, Adding, auto value) {
    object[name] = number(value);
  });
  return object;
}

// Null where nothing was measured.
json::object slowest(const SlowestFigures& figures) {
  json::object stages;
  for (const auto& [name, mean] : figures.stages) stages[name] = number(mean);
  return {{"count", figures.count},
          {"least_seconds", number(figures.least_seconds)},
          {"mean_of_stages", std::move(stages)}};
}

json::object latency(const LatencyFigures& figures) {
  json::object object;
  LatencyFigures::each_figure(figures, [&](std::string_view name, Unit unit, Adding, auto value) {
    const bool measured = figures.count > 0 || unit == Unit::count;
    object[name] = measured ? number(value) : json::value(nullptr);
  });
  json::array too_small;
  for (const auto& [name, fraction] : LatencyFigures::kQuantiles) {
    if (figures.count > 0 && figures.rests_on_too_few(fraction)) too_small.emplace_back(name);
  }
  object["n_too_small"] = std::move(too_small);
  return object;
}

json::object counts(const std::vector<std::pair<std::string, std::uint64_t>>& list) {
  json::object object;
  for (const auto& [name, count] : list) object[name] = count;
  return object;
}

json::array without_effect(const Summary& summary) {
  json::array texts;
  for (const InertFault& each : summary.inert_faults) texts.emplace_back(each.text);
  return texts;
}

json::array texts(const std::vector<std::string>& list) {
  return json::array(list.begin(), list.end());
}

// Null where there is nothing to divide by.
json::value share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return nullptr;
  return number(static_cast<double>(part) / static_cast<double>(whole));
}

json::object waste(const Summary& summary) {
  json::object object;
  for (const Share& each : waste_of(summary)) object[each.name] = share(each.part, each.whole);
  return object;
}

json::object recovery(const RecoveryFigures& figures) {
  json::object object = figures_object(figures);
  object["seconds"] = latency(figures.time);
  return object;
}

json::object registry(const RegistryFigures& figures) {
  json::object object = figures_object(figures);
  object["insert_latency"] = latency(figures.insert_latency);
  object["commit_latency"] = latency(figures.commit_latency);
  return object;
}

json::object load(const LoadFigures& figures) {
  json::object object = figures_object(figures);
  object["codes"] = counts(figures.codes);
  object["insert_latency"] = latency(figures.insert_latency);
  object["lookup_latency"] = latency(figures.lookup_latency);
  return object;
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

// Null where it was not measured: the run is too short.
json::value capacity(const CapacityFigures& figures) {
  if (!figures.measured) return nullptr;
  json::array resources;
  for (const ResourceFigures& each : figures.resources) {
    const json::value limit = each.limit > 0 ? number(each.limit) : json::value(nullptr);
    resources.push_back(json::object{
        {"name", each.name},
        {"where", each.where},
        {"utilisation", each.limit > 0 ? number(each.utilisation) : json::value(nullptr)},
        {"used_mean", number(each.used_mean)},
        {"used_max", number(each.used_max)},
        {"limit", limit},
        {"full", each.limit > 0 ? number(each.full) : json::value(nullptr)},
        {"refused", number(each.refused)},
        {"holds_work", each.depth > 0 && each.limit > 0},
        {"queue_mean", number(each.queue_mean)},
        {"queue_max", number(each.queue_max)},
        {"queue_growth_per_second", number(each.queue_growth)}});
  }
  return json::object{
      {"stationary", figures.stationary ? json::value(*figures.stationary) : json::value(nullptr)},
      {"window_seconds", number(figures.seconds)},
      {"offered_per_second", number(figures.offered_per_second)},
      {"served_per_second", number(figures.served_per_second)},
      {"backlog_growth_per_second", number(figures.backlog_growth_per_second)},
      {"unfinished_growth_per_second", number(figures.unfinished_growth_per_second)},
      {"growing", text_or_null(figures.growing_where)},
      {"growing_queue", text_or_null(figures.growing_queue)},
      {"binding", text_or_null(figures.binding)},
      {"closest", text_or_null(figures.closest)},
      {"closest_saturation", number(figures.closest_saturation)},
      {"resources", std::move(resources)}};
}

json::array whole_numbers(const std::vector<std::uint64_t>& values) {
  return json::array(values.begin(), values.end());
}

json::array latency_column(const LatencyColumn& values) {
  json::array column;
  for (const auto& each : values) column.push_back(each ? number(*each) : json::value(nullptr));
  return column;
}

// Null without samples.
json::value series(const TimeSeries& series) {
  if (series.interval_seconds == 0) return nullptr;
  json::array pipelines;
  for (const PipelineSeries& each : series.pipelines) {
    json::object columns{{"where", each.where},
                         {"joins", whole_numbers(each.joins)},
                         {"backlog", whole_numbers(each.backlog)}};
    for (std::size_t i = 0; i < PipelineSeries::kQuantiles.size(); ++i) {
      const std::string quantile(PipelineSeries::kQuantileNames[i]);
      columns["latency_" + quantile] = latency_column(each.latency[i]);
      columns["own_" + quantile] = latency_column(each.own[i]);
    }
    pipelines.push_back(std::move(columns));
  }
  json::array shards, reshards;
  for (const auto& each : series.shards) shards.push_back(whole_numbers(each));
  for (const double each : series.reshards) reshards.push_back(number(each));
  return json::object{{"interval_seconds", number(series.interval_seconds)},
                      {"offered", whole_numbers(series.offered)},
                      {"served", whole_numbers(series.served)},
                      {"pipelines", std::move(pipelines)},
                      {"shards", std::move(shards)},
                      {"reshards", std::move(reshards)}};
}

json::object settling(const Settling& settling) {
  return {
      {"until_seconds",
       settling.until_seconds ? number(*settling.until_seconds) : json::value(nullptr)},
      {"clicks_before", settling.clicks_before},
      {"before_seconds", number(settling.before)},
      {"after_seconds", number(settling.after)},
      {"refused", settling.refused.empty() ? json::value(nullptr) : json::value(settling.refused)}};
}

json::object period(const PeriodFigures& figures) {
  return {{"from_seconds", number(figures.from_seconds)},
          {"until_seconds", number(figures.until_seconds)},
          {"latency", latency(figures.latency)},
          {"own", latency(figures.own)}};
}

json::array around_faults(const std::vector<FaultLatency>& faults) {
  json::array array;
  for (const FaultLatency* fault : dearest_first(faults)) {
    const FaultLatency& each = *fault;
    json::object object{{"number", each.number},
                        {"cost_seconds", number(each.cost_seconds())},
                        {"cost_beside", each.after_without ? "baseline" : "before"},
                        {"overlapping", each.overlapping},
                        {"ends", each.ends},
                        {"lost", each.lost},
                        {"fault", each.description},
                        {"name", name_of_fault(each.description)},
                        {"before", period(each.before)},
                        {"during", period(each.during)},
                        {"after", period(each.after)}};
    const auto put_back = [&](std::string_view name, const std::optional<ReturnTime>& back) {
      if (!back) return;
      object[name] = back->seconds ? number(*back->seconds) : json::value(nullptr);
    };
    put_back("backlog_back_after_seconds", each.backlog_back);
    put_back("own_p90_back_after_seconds", each.own_p90_back);
    if (each.during_without) object["during_without_faults"] = period(*each.during_without);
    if (each.after_without) object["after_without_faults"] = period(*each.after_without);
    array.push_back(std::move(object));
  }
  return array;
}

json::object baseline(const Baseline& figures) {
  return {{"joined", figures.joined},
          {"joined_without_faults", figures.joined_without},
          {"lost", figures.lost},
          {"lost_without_faults", figures.lost_without},
          {"cost_seconds", number(figures.cost_seconds())},
          {"whole", period(figures.whole)},
          {"whole_without_faults", period(figures.whole_without)}};
}

void put_over_time(const Summary& summary, json::object& object) {
  object["series"] = series(summary.series);
  object["settling"] = settling(summary.settling);
  object["around_faults"] = around_faults(summary.fault_latencies);
  if (summary.baseline) object["baseline"] = baseline(*summary.baseline);
}

json::array theory(const std::vector<PredictedFigure>& figures) {
  json::array list;
  for (const PredictedFigure& each : figures) {
    list.push_back(json::object{{"name", each.name},
                                {"unit", name_of(each.unit)},
                                {"predicted", number(each.predicted)},
                                {"measured", each.measured ? number(*each.measured) : nullptr},
                                {"formula", each.formula}});
  }
  return list;
}

json::array figure_table(const std::vector<FigureRow>& rows) {
  json::array list;
  for (const FigureRow& row : rows) {
    json::object of;
    if (row.of == "shard") {
      of["shard"] = std::stoul(row.where);
    } else if (!row.of.empty()) {
      of[row.of] = row.where;
    }
    const bool whole = row.unit == Unit::count || row.unit == Unit::bytes;
    list.push_back(json::object{
        {"name", row.name},
        {"of", std::move(of)},
        {"value", whole ? json::value(static_cast<std::uint64_t>(row.value)) : number(row.value)},
        {"unit", name_of(row.unit)}});
  }
  return list;
}

double seconds(SimTime at) { return static_cast<double>(nanoseconds_of(at)) / 1e9; }

// Of a row of a user's log: what the run calls it, and when it was.
void name_event(json::object& object, const EventId& event, const std::optional<EventName>& name) {
  if (!name) return;
  object["event_id"] = describe(event);
  object["time"] = name->time;
}

json::array losses(const std::vector<Loss>& list) {
  json::array array;
  for (const Loss& loss : list) {
    json::object object{{"click", spoken(loss.click, loss.name)}, {"class", name_of(loss.cause)}};
    name_event(object, loss.click, loss.name);
    if (!loss.token.is_empty()) {
      object["token"] = describe(loss.token);
      object["registered_seconds"] = number(seconds(loss.registered_at));
    }
    if (!loss.process.empty()) {
      object["process"] = loss.process;
      object["life"] = loss.life.value();
    }
    if (loss.crashed_at != kNever) object["crashed_seconds"] = number(seconds(loss.crashed_at));
    object["evidence"] = loss.evidence;
    array.push_back(std::move(object));
  }
  return array;
}

// Attempts in the windows (D-15) at the crashes, and clicks lost with them.
json::object joiner_ends(const JoinerEndFigures& ends) {
  const auto mean = [&](std::uint64_t sum) {
    return ends.crashes == 0 ? json::value(nullptr)
                             : number(static_cast<double>(sum) / static_cast<double>(ends.crashes));
  };
  return {{"crashes", ends.crashes},
          {"stops", ends.stops},
          {"mean_window", mean(ends.window)},
          {"max_window", ends.window_max},
          {"mean_lost", mean(ends.lost + ends.returned)},
          {"max_lost", ends.lost_max},
          {"brought_back", ends.returned}};
}

json::array violations(const std::vector<Violation>& list) {
  json::array array;
  for (const Violation& violation : list) {
    const bool about_event = !violation.event.is_null();
    json::object object{
        {"oracle", violation.oracle},
        {"severity", violation.severity == Severity::safety ? "safety" : "liveness"},
        {"at_seconds", number(seconds(violation.at))},
        {"process",
         violation.process.empty() ? json::value(nullptr) : json::value(violation.process)},
        {"event",
         about_event ? json::value(spoken(violation.event, violation.name)) : json::value(nullptr)},
        {"message", violation.message}};
    name_event(object, violation.event, violation.name);
    array.push_back(std::move(object));
  }
  return array;
}

// What was run, on what, and how it ended.
void put_run(const Summary& summary, json::object& object) {
  object["scenario"] = summary.scenario;
  object["seed"] = summary.seed;
  object["fingerprint"] = summary.fingerprint;
  object["model_version"] = summary.model_version;
  object["config_hash"] = summary.config_hash;
  object["overrides"] = texts(summary.overrides);
  object["missed_gates"] = texts(summary.missed_gates);
  object["verdict"] =
      summary.missed_gates.empty() ? verdict_name(summary.exit_code) : "gate_missed";
  object["exit_code"] = summary.exit_code;
  object["events"] = summary.events;
  object["records"] = summary.records;
  object["sim_seconds"] = number(summary.sim_seconds);
  object["wall_seconds"] = summary.wall_seconds > 0 ? number(summary.wall_seconds) : nullptr;
  object["peak_rss_bytes"] =
      summary.peak_rss_bytes > 0 ? json::value(summary.peak_rss_bytes) : nullptr;
}

}  // namespace

std::string to_json(const Summary& summary) {
  json::object object;
  put_run(summary, object);
  object["generated"] = summary.generated;
  object["joinable"] = summary.joinable;
  object["joined"] = summary.joined;
  object["duplicates"] = summary.duplicates;
  object["output_copies"] = summary.output_copies;
  object["lost"] = counts(summary.lost);
  object["never_joinable"] = counts(summary.never_joinable);
  object["unjoinable"] = counts(summary.unjoinable);
  object["borderline"] = summary.borderline;
  object["pending"] = summary.pending;
  object["losses"] = losses(summary.losses);
  object["wasted_joins"] =
      summary.load.operations > 0 ? json::value(nullptr) : json::value(summary.wasted_joins);
  object["latency_seconds"] = latency(summary.latency);
  object["latency_own"] = latency(summary.latency_own);
  object["latency_at_output"] = latency(summary.latency_at_output);
  object["latency_biased"] = latency(summary.latency_biased);
  json::object stages;
  for (const auto& [name, figures] : summary.stages) stages[name] = latency(figures);
  object["stages"] = std::move(stages);
  if (summary.slowest.count > 0) object["slowest"] = slowest(summary.slowest);
  object["figures"] = figure_table(summary.figures);
  put_over_time(summary, object);
  object["capacity"] = capacity(summary.capacity);
  if (!summary.scale.empty()) object["scale"] = summary.scale;
  if (!summary.predicted.empty()) object["theory"] = theory(summary.predicted);
  object["waste"] = waste(summary);
  object["registry"] = registry(summary.registry);
  object["backlog_windows_judged"] = summary.backlog_windows;
  if (summary.recovery.enabled) object["recovery"] = recovery(summary.recovery);
  if (summary.load.operations > 0) object["load"] = load(summary.load);
  if (!summary.corner_cases.empty()) object["corner_cases"] = counts(summary.corner_cases);
  object["crashes"] =
      json::object{{"processes", summary.process_crashes}, {"joiners", summary.joiner_crashes}};
  object["stopped_in_order"] = summary.processes_stopped;
  object["joiner_crash_cost"] = joiner_ends(summary.joiner_ends);
  if (!summary.network.empty()) object["network"] = counts(summary.network);
  if (!summary.storage.empty()) object["storage"] = counts(summary.storage);
  if (!summary.unnamed.empty()) object["unnamed_events"] = counts(summary.unnamed);
  if (!summary.damage.empty()) object["damage"] = counts(summary.damage);
  object["faults"] = json::object{{"configured", summary.faults_configured},
                                  {"effective", summary.faults_effective},
                                  {"effective_by_kind", counts(summary.fault_kinds)},
                                  {"without_effect", without_effect(summary)}};
  object["operations"] = texts(summary.operations);
  object["operations_not_as_expected"] = texts(summary.unexpected_ends);
  if (const UndecidedIds& ids = summary.undecided_ids; ids.total() > 0) {
    object["undecided_ids"] = ids.total();
    object["undecided_ids_by_limit"] = json::object{
        {"configurations", ids.configurations}, {"steps", ids.steps}, {"bytes", ids.bytes}};
  }
  if (summary.core_obligations > 0 || summary.stall_exempt) {
    object["core"] = json::object{{"clicks_to_finish_alone", summary.core_obligations},
                                  {"stall_exempt", summary.stall_exempt}};
  }
  object["violations_total"] = summary.violations_total;
  object["violations"] = violations(summary.violations);
  return json::serialize(object);
}

}  // namespace photon::analysis
