#include "analysis/explain/metric_texts.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "analysis/accounting/accounting.h"
#include "analysis/corner_cases/corner_case.h"
#include "analysis/explain/mark_texts/mark_texts.h"
#include "analysis/oracles/oracle_table.h"

namespace photon::analysis {
namespace {

struct MetricText {
  std::string_view name;
  std::string_view text;
};

constexpr MetricText kMetrics[] = {
    {"backlog_windows_judged", "Windows in which an oracle required a backlog to shrink (J-P3)."},
    {"borderline", "Clicks given up so late that a join would have been valid too."},
    {"boundaries_watched",
     "Shards whose collection boundary was compared with true time at the end."},
    {"capacity.backlog_growth_per_second",
     "Clicks by which the backlog of the pipeline where it grows fastest grows each second of the "
     "measured window."},
    {"capacity.closest_saturation", "Use of the resource that is used most: 1 is saturated."},
    {"capacity.growing",
     "1 where a backlog of clicks, or the queue of a resource that is used up, grows through the "
     "measured window; otherwise 0."},
    {"capacity.offered_per_second",
     "Clicks generated each second of the measured window; of a registry alone, operations."},
    {"capacity.served_per_second",
     "Clicks finished for the first time each second of the measured window."},
    {"capacity.stationary",
     "1 where the deployment keeps up, 0 where it does not; absent where the window cannot tell."},
    {"capacity.unfinished_growth_per_second",
     "Clicks by which those that no pipeline has finished grow each second of the measured "
     "window."},
    {"capacity.window_seconds", "Length of the measured window."},
    {"core.clicks_to_finish_alone", "Clicks that a core of healthy parts had to finish alone."},
    {"core.runs", "1 where the run had such a core, otherwise 0."},
    {"core.stalls_exempt", "1 where the core could not elect a master, otherwise 0."},
    {"crashes.joiners", "Crashes of joiners."},
    {"crashes.processes", "Crashes of processes, joiners among them."},
    {"duplicates", "Records in the output beyond the first of a click."},
    {"events", "Events that the scheduler executed."},
    {"faults.backlog_back_seconds",
     "From the end of a fault until every pipeline's backlog was back, for the slowest fault; "
     "absent where one was not back."},
    {"faults.configured", "Faults in the scenario."},
    {"faults.effective", "Faults that changed the run."},
    {"generated", "Clicks generated."},
    {"ids_held.first_shard", "Ids that the first shard holds at the end of the run."},
    {"ids_held.last_shard", "Ids that the last shard holds at the end of the run."},
    {"joinable", "Clicks that a correct system joins."},
    {"joined", "Clicks with a durable record in the output."},
    {"joiner_crashes.crashes", "Crashes of joiners whose window was examined."},
    {"joiner_crashes.lost", "Clicks lost by crashes of their joiners."},
    {"joiner_crashes.lost_max", "Clicks lost or taken back by one crash, at most."},
    {"joiner_crashes.returned",
     "Clicks that recovery took from a dead joiner and wrote for dispatchers again."},
    {"joiner_crashes.stops", "Joiners that ended in order."},
    {"joiner_crashes.window",
     "Attempts between registration sent and output durable at crashes: they bound the loss."},
    {"joiner_crashes.window_max", "Attempts in the window of one crash, at most."},
    {"joins.first_pipeline",
     "Clicks of the measured time that the first of topology.pipelines joined."},
    {"joins.last_pipeline",
     "Clicks of the measured time that the last of topology.pipelines joined."},
    {"load.abandoned", "Operations whose client died."},
    {"load.answered", "Operations of a registry alone with a final answer."},
    {"load.mean_batch", "Operations a transaction while the load lasted."},
    {"load.operations", "Operations that clients asked of a registry alone."},
    {"load.seconds", "From the first operation asked to the last."},
    {"load.transactions_per_second", "Transactions each second while the load lasted."},
    {"loss_rate", "Lost clicks divided by joinable ones."},
    {"lost", "Clicks that were generated and are never in the output."},
    {"network.cut", "Messages that a partition stopped."},
    {"network.delayed", "Messages that a fault delayed."},
    {"network.delivered", "Messages delivered."},
    {"network.duplicated", "Messages delivered a second time."},
    {"network.found_down", "Messages whose receiver was down."},
    {"network.lost", "Messages that the network lost."},
    {"network.reordered", "Messages that overtook an earlier one."},
    {"network.sent", "Messages sent."},
    {"never_joinable", "Clicks given up for a valid reason."},
    {"output_copies", "Joined records copied to the output of another datacenter."},
    {"pending", "Clicks that were not finished when the run ended."},
    {"queries_found.caches", "Queries that caches found for joiners."},
    {"queries_found.logs", "Queries that the log store found for joiners."},
    {"rare.ancestors", "First paths of a splitting from which those at the last level descend."},
    {"rare.click_seconds", "Of a forced crash: from the first click to the end of generation."},
    {"rare.crashes",
     "1: the forced crash hit a joiner that had received clicks; 0: it lost nothing."},
    {"rare.entrances_least", "States from which the stage of a splitting with the fewest began."},
    {"rare.events_replayed", "Kernel events of a splitting that repeat those of another path."},
    {"rare.lost", "Clicks that the forced crash lost, those too that recovery returned since."},
    {"rare.lost_at_end", "Clicks that the forced crash lost and recovery has not returned."},
    {"rare.probability", "A splitting's estimate of the probability to reach its last level."},
    {"rare.trials", "Paths of a splitting, over all its levels."},
    {"rare.window", "Attempts in the joiner's window when the forced crash hit it."},
    {"records", "Records of the trace."},
    {"recovery.clicks_recovered", "Clicks that were lost with a joiner and joined since."},
    {"recovery.clicks_returned", "Clicks written for dispatchers again, repetitions included."},
    {"recovery.discarded", "Clicks returned that no joiner has joined since."},
    {"recovery.expired", "Clicks that verifiers gave up as older than N."},
    {"recovery.ids_removed", "Registrations removed from owners that will never write."},
    {"recovery.indeterminate",
     "Clicks that verifiers gave up because storage lost the proof that they were not written."},
    {"recovery.output_lost", "Clicks that the output had and lost."},
    {"recovery.tokens_cleared",
     "Ids whose output was seen, so that the registry forgets the owner."},
    {"registry.boundary_lag_max", "Most time by which a collection boundary trails true time - N."},
    {"registry.boundary_lag_mean", "Mean time by which collection boundaries trail true time - N."},
    {"registry.bytes_held_most",
     "Bytes of the ids of all shards at one time, at most: 32 of a cleared id, 100 with its "
     "token."},
    {"registry.collections", "Transactions that removed ids older than N."},
    {"registry.disks_admitted", "Replaced disks that their group admitted again."},
    {"registry.disks_replaced", "Disks replaced empty."},
    {"registry.elections", "Masters elected; each group begins with one."},
    {"registry.failovers", "Elections beyond the first of each group."},
    {"registry.future_inserts", "Inserts refused because their event lies in the future."},
    {"registry.ids_collected", "Ids older than N that shards removed."},
    {"registry.insert_attempts", "Registrations asked by joiners, repetitions excluded."},
    {"registry.insert_requests", "Insert requests that reached a master, repetitions included."},
    {"registry.lookups", "Look-ups of the registry, sent by dispatchers before a join."},
    {"registry.lost_replies", "Inserts that took effect and whose answer did not arrive in time."},
    {"registry.mean_batch", "Operations a transaction."},
    {"registry.overloaded", "Requests refused because a queue was full."},
    {"registry.reshards", "Changes of the number of shards that came into force."},
    {"registry.reshards_cancelled", "Changes of the number of shards that were cancelled."},
    {"registry.restorations", "Replicas that read a snapshot because they lacked its log."},
    {"registry.snapshots", "Snapshots written."},
    {"registry.transactions", "Batches that shards committed."},
    {"series.interval_seconds",
     "Length of an interval of series.offered.NNNN and so on: run.sample_interval, doubled until "
     "the run has at most 4,096."},
    {"sim_seconds", "Simulated time of the run."},
    {"stopped_in_order", "Processes that ended in order."},
    {"storage.abandoned", "Volume requests whose process crashed before the answer."},
    {"storage.lost_suffixes", "Writes that were not synced and that a crash lost."},
    {"storage.requests", "Requests to volumes."},
    {"storage.torn_appends", "Appends that took effect in part."},
    {"storage.unavailable", "Requests to volumes that were unavailable."},
    {"stuck", "Clicks that had to finish and did not; they are violations."},
    {"undecided_ids", "Ids that an oracle stopped judging: checks not made."},
    {"undecided_ids.configurations",
     "Of these, ids with more explanations at once than the check of linearizability keeps."},
    {"undecided_ids.steps", "Of these, ids whose check needs more steps than it may take."},
    {"undecided_ids.bytes", "Of these, ids whose explanations need more memory than they may."},
    {"unjoinable.empty_key", "Never joinable clicks that name no query."},
    {"unjoinable.query_late",
     "Never joinable clicks whose query was not readable when they were given up."},
    {"unjoinable.unknown_key", "Never joinable clicks that name a query that no log holds."},
    {"unnamed_events.clicks", "Clicks that did not happen: their server could not issue an id."},
    {"unnamed_events.queries", "Queries that did not happen: their server could not issue an id."},
    {"violations", "Violations of all oracles."},
    {"violations.safety", "Violations of safety oracles."},
    {"waste.insert_attempts_per_click", "Registrations asked, divided by the clicks generated."},
    {"waste.join_requests_per_click", "Join requests, divided by the clicks generated."},
    {"waste.log_share_of_query_lookups",
     "Requests to the logs, divided by those to caches and logs together: a look-up that no cache "
     "answers makes two."},
    {"waste.query_lookups_per_click", "Look-ups of queries, divided by the clicks generated."},
    {"waste.reads_per_click", "Clicks read by dispatchers, divided by the clicks generated."},
    {"waste.registry_lookups_per_click",
     "Look-ups of the registry, divided by the clicks generated."},
    {"waste.wasted_joins_per_joined", "Wasted joins divided by joined clicks."},
    {"wasted_joins",
     "Joins for which the registry answered that another joiner had registered the click first."},
    {"work.clicks_read", "Clicks read by dispatchers, repetitions included."},
    {"work.join_requests", "Requests of dispatchers to joiners."},
    {"work.query_log_lookups", "Look-ups of queries that went to the logs."},
    {"work.query_lookups", "Look-ups of queries in the EventStore."},
};

// Beginnings: the rest is a fault of data, an answer, a class.
constexpr MetricText kFamilies[] = {
    {"corner_case.", "How often this corner case of the IdRegistry occurred (SPEC B.9)."},
    {"damage.", "Damage of logs and output of this kind, and stretches that readers skipped."},
    {"fault_kind.", "Faults of this kind that took effect."},
    {"load.codes.", "Operations of a registry alone with this final answer."},
    {"rare.reached.", "Paths of this stage of a splitting that reached its level."},
    {"mark.", "How often the run reached this place of the code."},
    {"obligation.", "How often this oracle checked something."},
    {"series.backlog.first_pipeline.",
     "Clicks that wait in the first of topology.pipelines when interval NNNN ends, from 0000."},
    {"series.backlog.last_pipeline.",
     "Clicks that wait in the last of topology.pipelines when interval NNNN ends, from 0000."},
    {"series.finished.first_pipeline.",
     "Clicks that the first of topology.pipelines finished in interval NNNN, joined there or not."},
    {"series.finished.last_pipeline.",
     "Clicks that the last of topology.pipelines finished in interval NNNN, joined there or not."},
    {"series.joins.first_pipeline.",
     "Clicks that the first of topology.pipelines joined in interval NNNN, from 0000."},
    {"series.joins.last_pipeline.",
     "Clicks that the last of topology.pipelines joined in interval NNNN, from 0000."},
    {"series.offered.",
     "Clicks generated in interval NNNN, from 0000; of a registry alone, operations."},
    {"series.own_p90.first_pipeline.",
     "Own share of the latency that 90 % of the joins of the first of topology.pipelines in "
     "interval NNNN had at most; absent without joins."},
    {"series.own_p90.last_pipeline.",
     "Own share of the latency that 90 % of the joins of the last of topology.pipelines in "
     "interval NNNN had at most; absent without joins."},
    {"series.queries_from_caches.", "Queries that caches found for joiners in interval NNNN."},
    {"series.queries_from_logs.", "Queries that the log store found for joiners in interval NNNN."},
    {"series.served.",
     "Clicks finished for the first time in interval NNNN, from 0000; of a registry alone, "
     "operations."},
    {"series.total_p90.first_pipeline.",
     "Latency that 90 % of the joins of the first of topology.pipelines in interval NNNN had at "
     "most; absent without joins."},
    {"series.total_p90.last_pipeline.",
     "Latency that 90 % of the joins of the last of topology.pipelines in interval NNNN had at "
     "most; absent without joins."},
    {"slowest.",
     "Mean time in this stage of the slowest hundredth of the joined clicks: those in the bucket "
     "of p99 of the latency and above. slowest.count: how many they are."},
};

constexpr MetricText kLatencies[] = {
    {"latency_at_output",
     "Time from the click's generation until its joiner hands the record over"},
    {"latency_biased", "Latency of a join as the servers' own clocks show it"},
    {"latency_own",
     "Own share of a join's latency: from when click and query can be read where the click is "
     "joined until its output is durable"},
    {"latency_seconds", "Time from the click's generation until its output is durable"},
    {"load.insert_latency", "Time of an insert of a registry alone, repetitions included"},
    {"load.lookup_latency", "Time of a look-up of a registry alone, repetitions included"},
    {"recovery.seconds", "Time from a joiner's death until a click that it lost is joined"},
    {"registry.commit_latency", "Time from the proposal of a batch to its application"},
    {"registry.insert_latency", "Time from a joiner's insert to its answer, repetitions included"},
    {"stages.dispatch", "Part of a join's latency: until the click is at the joiner"},
    {"stages.event_store", "Part of a join's latency: until the query is found"},
    {"stages.lookup",
     "Part of a join's latency: until the registry has answered that the click is not registered"},
    {"stages.output", "Part of a join's latency: until its output is durable"},
    {"stages.register", "Part of a join's latency: until its registration is answered"},
    {"stages.scan", "Part of a join's latency: until the dispatcher has read the click"},
    {"stages.shipping",
     "Part of a join's latency: until the click can be read in the datacenter that joins it"},
    {"stages.total", "Time from the click's generation until its output is durable"},
};

constexpr MetricText kLatencyParts[] = {
    {"count", "how many were measured"},
    {"max", "the longest"},
    {"mean", "the mean"},
    {"min", "the shortest"},
    {"p50", "half take at most this"},
    {"p90", "90 % take at most this"},
    {"p99", "99 % take at most this"},
    {"p999", "99.9 % take at most this"},
    {"p9999", "99.99 % take at most this"},
};

std::string_view text_in(std::span<const MetricText> table, std::string_view name) {
  const auto* const end = table.data() + table.size();
  const auto* const row =
      std::find_if(table.data(), end, [name](const MetricText& each) { return each.name == name; });
  return row == end ? std::string_view() : row->text;
}

// "lost.L-crash": the fate of a click, from the table of fates.
template <class Rows>
std::string fate_of(std::string_view name, std::string_view beginning, const Rows& rows) {
  if (!name.starts_with(beginning)) return {};
  for (const FateRow& row : rows) {
    if (row.name == name.substr(beginning.size())) return std::string(row.meaning);
  }
  return {};
}

// "latency_seconds.p99", or "latency_seconds.above.7s" of any bound.
std::string latency_text(std::string_view name) {
  constexpr std::string_view kAbove = ".above.";
  if (const auto at = name.find(kAbove); at != std::string_view::npos) {
    const std::string_view group = text_in(kLatencies, name.substr(0, at));
    return group.empty() ? ""
                         : fmt::format("{}; the share above DURATION, such as 7s or 500ms.", group);
  }
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view group = text_in(kLatencies, name.substr(0, dot));
  const std::string_view part = text_in(kLatencyParts, name.substr(dot + 1));
  return group.empty() || part.empty() ? "" : fmt::format("{}; {}.", group, part);
}

// What comes behind `kind.`; empty: it is of another kind.
std::string_view rest_of(std::string_view name, std::string_view kind) {
  const bool is_of = name.starts_with(kind) && name.substr(kind.size()).starts_with('.');
  return is_of ? name.substr(kind.size() + 1) : std::string_view();
}

}  // namespace

std::string meaning_of_count(std::string_view name) {
  if (const auto mark = rest_of(name, "mark"); !mark.empty()) {
    const std::string_view sentence = sentence_of(mark);
    return sentence.empty() ? "" : fmt::format("How often: {}", sentence);
  }
  if (const auto corner = rest_of(name, "corner_case"); !corner.empty()) {
    const auto row = std::ranges::find(corner_rows(), corner, &CornerRow::name);
    return row == corner_rows().end() ? "" : fmt::format("How often: {}", row->seen);
  }
  if (const auto oracle = rest_of(name, "obligation"); !oracle.empty()) {
    const OracleRow* const row = find_oracle(oracle);
    return row == nullptr ? "" : fmt::format("How often the oracle checked: {}.", row->title);
  }
  const auto fault = rest_of(name, "fault_kind");
  return fault.empty() ? "" : fmt::format("Faults of the kind {} that took effect.", fault);
}

std::string meaning_of_metric(std::string_view name) {
  if (const auto text = text_in(kMetrics, name); !text.empty()) return std::string(text);
  std::string text = fate_of(name, "lost.", loss_rows());
  if (text.empty()) text = fate_of(name, "never_joinable.", never_joinable_rows());
  if (text.empty()) text = latency_text(name);
  if (!text.empty()) return text;
  for (const MetricText& each : kFamilies) {
    if (name.starts_with(each.name) && name.size() > each.name.size()) {
      return std::string(each.text);
    }
  }
  return {};
}

}  // namespace photon::analysis
