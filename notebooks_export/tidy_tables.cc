#include "notebooks_export/tidy_tables.h"

namespace photonsim::notebooks {
namespace {

constexpr std::string_view kInteger = "integer";
constexpr std::string_view kNumber = "number";
constexpr std::string_view kText = "text";
constexpr std::string_view kSeconds = "seconds";
constexpr std::string_view kCount = "count";

const TidyTable kHistograms{
    .file = "histograms.csv",
    .view = "histogram_bucket",
    .order = "name, low_ns",
    .meaning =
        "A bucket of the latencies of a run: add up counts of runs, never average "
        "percentiles.",
    .columns = {{"latency", kText, "", "Which latency: metrics.csv has the same names.", "name"},
                {"low_ns", kInteger, "nanoseconds", "The least latency of the bucket."},
                {"high_ns", kInteger, "nanoseconds", "The greatest; both ends belong to it."},
                {"count", kInteger, kCount, "Latencies in the bucket."}}};

const TidyTable kParts{
    .file = "parts.csv",
    .view = "figure",
    .order = "\"of\", place, name",
    .meaning = "A figure of one shard, pipeline or joiner. Of runs of `run --out` alone.",
    .columns = {{"of", kText, "", "run, shard, pipeline or joiner.", "\"of\""},
                {"place", kText, "", "Which of them; empty for the run."},
                {"name", kText, "", "Which figure."},
                {"unit", kText, "", "Of the value."},
                {"value", kNumber, "", "In that unit."}},
    .values = {{"name", "batch_p50", kCount,
                "Half of the transactions have at most these "
                "operations."},
               {"name", "batch_p90", kCount, "90 % of them have at most these."},
               {"name", "batch_p99", kCount, "99 % of them have at most these."},
               {"name", "batch_max", kCount, "The largest."},
               {"name", "batch_mean", "ratio", "Operations a transaction of the shard."},
               {"name", "operations", kCount, "Writes that the shard applied."},
               {"name", "transactions", kCount, "Batches that the shard committed."},
               {"name", "ids_held", kCount, "Ids in the shard at the end."},
               {"name", "ids_held_most", kCount, "Ids in the shard at a time, at most."},
               {"name", "bytes_held", "bytes", "Bytes of these ids at the end (SPEC B-76)."},
               {"name", "bytes_held_most", "bytes", "The same, at most."},
               {"name", "joins", kCount, "Joined records written first by its joiners."},
               {"name", "registrations", kCount, "Registrations that its joiners won."},
               {"name", "wasted_joins", kCount, "Registrations that another joiner had won."},
               {"name", "lookups", kCount, "Look-ups of the registry by its dispatchers."},
               {"name", "cache_answers", kCount, "Queries found in the EventStore's caches."},
               {"name", "log_answers", kCount, "Queries found by searches of its logs."},
               {"name", "latency_mean", kSeconds, "Mean latency of its joins."},
               {"name", "latency_p50", kSeconds, "Half of its joins take at most this."},
               {"name", "latency_p90", kSeconds, "90 % of them take at most this."},
               {"name", "latency_p99", kSeconds, "99 % of them take at most this."},
               {"name", "own_mean", kSeconds, "Mean own share of its joins."},
               {"name", "own_p50", kSeconds, "Half of its joins have at most this own share."},
               {"name", "own_p90", kSeconds, "90 % of them have at most this."},
               {"name", "own_p99", kSeconds, "99 % of them have at most this."},
               {"name", "in_flight_most", kCount, "Clicks in the joiner's window, at most."}}};

const TidyTable kSeries{
    .file = "series.csv",
    .view = "series",
    .order = "place, name, number",
    .meaning = "A value of one interval of a run. Of runs of `run --out` alone.",
    .columns = {{"place", kText, "",
                 "The pipeline, or a shard as \"shard 0\"; empty for the whole run."},
                {"name", kText, "", "Which figure."},
                {"until_seconds", kNumber, kSeconds, "When the interval ends, since the start."},
                {"value", kNumber, "", "Of that interval."}},
    .values = {{"name", "offered", kCount, "Clicks generated; of a registry alone, operations."},
               {"name", "served", kCount, "Clicks finished for the first time."},
               {"name", "committed", kCount, "Operations that the shard committed."},
               {"name", "joins", kCount, "Outputs of the pipeline that became durable."},
               {"name", "backlog", kCount, "Clicks that wait in the pipeline when it ends."},
               {"name", "latency_p50", kSeconds, "Half of these joins take at most this."},
               {"name", "latency_p90", kSeconds, "90 % of them take at most this."},
               {"name", "latency_p99", kSeconds, "99 % of them take at most this."},
               {"name", "own_p50", kSeconds, "Half of them have at most this own share."},
               {"name", "own_p90", kSeconds, "90 % of them have at most this."},
               {"name", "own_p99", kSeconds, "99 % of them have at most this."}}};

const TidyTable kFaults{
    .file = "faults.csv",
    .view = "fault",
    .order = "number",
    .meaning = "A fault of a run's list. Of runs of `run --out` alone.",
    .columns = {
        {"fault", kInteger, "", "Its number in the run.", "number"},
        {"description", kText, "", "Kind, place and time."},
        {"at_seconds", kNumber, kSeconds, "When it begins, since the start.", "at_ns / 1e9"},
        {"effective", kInteger, "", "1 where it changed the run, otherwise 0."}}};

const TidyTable kFaultLatencies{
    .file = "fault_latencies.csv",
    .view = "fault_latency",
    .order = "fault, latency, period",
    .meaning =
        "Latencies of the clicks generated around a fault that took effect. Of runs of "
        "`run --out` alone.",
    .columns = {{"fault", kInteger, "", "As in faults.csv; empty: of all faults together."},
                {"period", kText, "", "Beside the fault."},
                {"from_seconds", kNumber, kSeconds, "When the period begins."},
                {"until_seconds", kNumber, kSeconds, "When it ends."},
                {"latency", kText, "",
                 "latency: from the click to its output; own: its own share."},
                {"count", kInteger, kCount, "Clicks generated then and joined."},
                {"mean", kNumber, kSeconds, "Of their latencies."},
                {"p50", kNumber, kSeconds, "Half take at most this."},
                {"p90", kNumber, kSeconds, "90 % take at most this."},
                {"p99", kNumber, kSeconds, "99 % take at most this."}},
    .values = {{"period", "before", "",
                "As long as the fault, ten intervals at least; not before time zero."},
               {"period", "during", "", "From its beginning to its planned end."},
               {"period", "after", "", "As long as the fault, ten intervals at least."},
               {"period", "during_without_faults", "",
                "The same time of the same seed without any fault (`run --baseline`)."},
               {"period", "after_without_faults", "", "The same."},
               {"period", "whole", "", "All measured clicks of the run."},
               {"period", "whole_without_faults", "",
                "All measured clicks of the same seed without any fault."}}};

const TidyTable kFaultStates{
    .file = "fault_states.csv",
    .view = "fault_effect",
    .order = "kind, state",
    .meaning = "Faults of a kind that took effect while the protocols were in a state.",
    .columns = {{"kind", kText, "", "Of the fault."},
                {"state", kText, "", "Of the protocols, anywhere in the deployment."},
                {"count", kInteger, kCount, "Such faults; several states can hold at once."}},
    .values = {{"state", "quiet", "", "None of the others."},
               {"state", "restarting", "", "A process is down."},
               {"state", "recovering", "", "A removal of a registered click waits for its answer."},
               {"state", "electing", "", "A consensus group has no master."},
               {"state", "committing", "", "A batch was proposed, and no replica has applied it."},
               {"state", "snapshot", "", "A replica writes a snapshot, or the log after one."},
               {"state", "resharding", "", "A change of the number of shards is undecided."},
               {"state", "registering", "", "An insert waits for its answer."},
               {"state", "writing", "",
                "Joined records were handed to storage and are not "
                "durable."}}};

const TidyTable kReshards{
    .file = "reshards.csv",
    .view =
        "(SELECT run, each.value AS at_seconds FROM summary, "
        "json_each(summary.json, '$.series.reshards') AS each)",
    .order = "at_seconds",
    .meaning = "When the number of shards changed. Of runs of `run --out` alone.",
    .columns = {{"at_seconds", kNumber, kSeconds, "Since the start."}}};

const TidyTable kLosses{
    .file = "losses.csv",
    .view = "loss",
    .order = "number",
    .meaning = "A lost click; of each run the first 1,000. Of runs of `run --out` alone.",
    .columns = {{"click", kText, "", "Id of the click."},
                {"class", kText, "", "Why: metrics.csv counts them as lost.CLASS."},
                {"process", kText, "", "The joiner that registered it."},
                {"registered_at_seconds", kNumber, kSeconds, "When its registration took effect.",
                 "registered_at_ns / 1e9"},
                {"crashed_at_seconds", kNumber, kSeconds, "When that joiner crashed.",
                 "crashed_at_ns / 1e9"},
                {"evidence", kText, "", "What proves the class."}}};

const TidyTable kFindings{
    .file = "findings.csv",
    .view = "finding",
    .order = "number",
    .meaning = "All violations of one oracle in a run.",
    .columns = {{"oracle", kText, "", "Named by the requirement that it checks."},
                {"severity", kText, "", "safety or liveness."},
                {"standing", kText, "", "failing, expected (of a broken assumption) or exempt."},
                {"count", kInteger, kCount, "Violations."}}};

const TidyTable kViolations{
    .file = "violations.csv",
    .view = "violation",
    .order = "number",
    .meaning =
        "A violation: of a campaign's run the first of each oracle, of `run --out` the "
        "first 20.",
    .columns = {{"oracle", kText, "", "As in findings.csv."},
                {"severity", kText, "", "safety or liveness."},
                {"at_seconds", kNumber, kSeconds, "When, since the start.", "at_ns / 1e9"},
                {"process", kText, "", "Where, if it has a place."},
                {"event", kText, "", "The click or query, if it has one."},
                {"message", kText, "", "What must hold, and what was seen."}}};

const TidyColumn kPlace[] = {
    {"run", kInteger, "", "The number of the run in the results file; joins all files."},
    {"scenario", kText, "", "Name of the scenario."},
    {"seed", kText, "", "64 bits: read it as text."}};

const TidyColumn kRuns[] = {
    {"study", kText, "", "Key of the study or campaign that the run belongs to."},
    {"verdict", kText, "", "What the exit code means."},
    {"ending", kText, "", "complete, or what ended the run early: it has no figures then."},
    {"exit_code", kInteger, "", "0: nothing is wrong; `photonsim explain exit-codes`."},
    {"what", kText, "", "What is wrong, in one line."},
    {"replay", kText, "", "The command that repeats the run."},
    {"check_site", kText, "", "File and line of a failed check of the code."},
    {"check_message", kText, "", "Its message."},
    {"check_process", kText, "", "The simulated process in which it failed."},
    {"tier", kText, "", "within, over or contract: what the scenario's faults may break."},
    {"bound_by", kText, "", "The limit that holds the deployment up, or that is used most."},
    {"broken_assumption", kText, "", "Of the tier contract: the assumption that its faults break."},
    {"damage_detected", kText, "", "Whether a required oracle detected the damage."},
    {"determinism", kText, "", "unchecked, or the result of the rerun: same, diverged."},
    {"fingerprint", kText, "", "Digest of all records of the trace: equal runs have equal ones."},
    {"events", kInteger, kCount, "Events that the scheduler executed."},
    {"sim_milliseconds", kInteger, "milliseconds", "Simulated time."},
    {"cpu_microseconds", kInteger, "microseconds",
     "Processor time: of this machine, not of the "
     "model."}};

const TidyColumn kMetrics[] = {
    {"metric", kText, "",
     "Name of the figure; its meaning stands in the rows of this dictionary "
     "with a value."},
    {"unit", kText, "", "count, seconds, bytes, per_second or ratio."},
    {"value", kNumber, "", "In that unit; reads back exactly."}};

}  // namespace

std::span<const TidyTable> tidy_tables() {
  static const std::vector<TidyTable> kTables{kHistograms,     kParts,       kSeries,   kFaults,
                                              kFaultLatencies, kFaultStates, kReshards, kLosses,
                                              kFindings,       kViolations};
  return kTables;
}

std::span<const TidyColumn> place_columns() { return kPlace; }
std::span<const TidyColumn> runs_columns() { return kRuns; }
std::span<const TidyColumn> metrics_columns() { return kMetrics; }

}  // namespace photonsim::notebooks
