// Rows of the schema: scenario, run, workload, log shipping.

#include <array>

#include "models/payload.h"
#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr Range kPiece = between(1e6, 10'000 * kDay);      // pieces of a run
constexpr Range kRunLength = between(1e6, 10'000 * kDay);  // at least 1 ms
constexpr Range kServers = between(1, 10'000);
constexpr Range kPayload = between(photon::models::kCampaignBytes, 1 << 20);

constexpr std::array kScenarioRows{
    row<&Scenario::name>({"name", Kind::kName, {}, "One word for reports.", "DESIGN 7"}),
    row<&Scenario::description>({"description", Kind::kText, {}, "A sentence.", "DESIGN 7"}),
    row<&Scenario::tier>(
        {"tier",
         Kind::kChoice,
         {},
         "What the faults leave intact: \"within\" tolerance (safety and liveness must hold), "
         "\"over\" (safety must hold, and the run must drain after all is healed), \"contract\" "
         "broken (damage must be detected).",
         "DESIGN 6",
         kTierNames}),
    row<&Scenario::breaks>({"breaks",
                            Kind::kName,
                            {},
                            "With tier = \"contract\": the broken assumption, in one word.",
                            "SPEC J-H3"}),
    row<&Scenario::detected_by>(
        {"detected_by",
         Kind::kNames,
         {},
         "With tier = \"contract\": oracles, at least one of which must detect "
         "the damage; if all check liveness, safety must hold.",
         "SPEC J-H3"}),
};
constexpr std::array kScaleRows{
    row<&Scale::shards_of>({"shards_of", Kind::kCount, between(0, 1e6),
                            "How many shards the deployment has of which registry.shards are "
                            "simulated, each under its real rate; 0: all are.",
                            "SPEC G-00e"}),
    row<&Scale::joiners_of>({"joiners_of", Kind::kCount, between(0, 1e6),
                             "The same of joiners, in all pipelines together.", "SPEC G-00e"}),
    row<&Scale::time>(
        {"time", Kind::kCount, between(1, 1e6),
         "By how much the days of the deployment are divided. Only what is a share of "
         "N carries over: a claim about seconds is refused.",
         "SPEC G-00e"}),
};
constexpr std::array<std::string_view, 3> kOutsideCore{"down", "cut_off", "mute"};
constexpr std::array<std::string_view, 2> kIndeterminate{"fail", "allow"};
constexpr std::array kRunRows{
    row<&Run::duration>({"duration",
                         Kind::kDuration,
                         kRunLength,
                         "Length of generation, warm-up included; \"auto\" = that of the trace.",
                         "M",
                         {},
                         "auto"}),
    row<&Run::warm_up>(
        {"warm_up", Kind::kDuration, kTime, "At the beginning: queries only, no clicks.", "M"}),
    row<&Run::measure_from>({"measure_from", Kind::kDuration, kTime,
                             "Latencies count the clicks generated (operations requested) from "
                             "this time on: the deletion of a warm-up.",
                             "M"}),
    row<&Run::quiesce_limit>(
        {"quiesce_limit",
         Kind::kDuration,
         kSpan,
         "How long the run may take to settle after generation and faults have ended.",
         "SPEC J-P0",
         {},
         "auto"}),
    row<&Run::sample_interval>(
        {"sample_interval",
         Kind::kDuration,
         kSpan,
         "Time between samples of backlogs, queues and the use of resources; \"auto\" = 1/120 of "
         "the generation, at least 100ms.",
         "M",
         {},
         "auto"}),
    row<&Run::keep_series>({"keep_series", Kind::kBoolean, kAny,
                            "Keep the figures of each interval of run.sample_interval in results "
                            "files, for charts and claims of studies: series.offered.0000 and so "
                            "on. They are some 12 figures for each interval.",
                            "M"}),
    row<&Run::core>({"core",
                     Kind::kNames,
                     {},
                     "Datacenters that must make progress alone after generation and faults have "
                     "ended, before the rest is healed; none: all is healed at once. They hold a "
                     "majority of the replicas, and a pipeline.",
                     "DESIGN 6"}),
    row<&Run::outside_core>({"outside_core",
                             Kind::kChoice,
                             {},
                             "State of the datacenters outside run.core meanwhile: stopped, cut "
                             "off in both directions, or able to receive but not to send.",
                             "DESIGN 6",
                             kOutsideCore}),
    row<&Run::seed>({"seed", Kind::kCount, {}, "Seed of every random stream.", "DESIGN 5"}),
    row<&Run::most_events>(
        {"most_events",
         Kind::kCount,
         {},
         "Fail a run that exceeds this number of kernel events; 0: a bound far above "
         "what its length and load need.",
         "DESIGN 4"}),
    row<&Run::corner_cases>({"corner_cases", Kind::kBoolean, kAny,
                             "Count the corner cases of the registry; a run of the registry alone "
                             "always does.",
                             "SPEC J-H4"}),
    row<&Run::indeterminate>(
        {"indeterminate",
         Kind::kChoice,
         {},
         "Whether a run fails if J-S4 could not check all answers about an id.",
         "SPEC J-S4",
         kIndeterminate}),
    row<&Run::shuffle_ties>({"shuffle_ties", Kind::kBoolean, kAny,
                             "Shuffle events of the same nanosecond, by the seed.", "DESIGN 4"}),
    row<&Run::tick>({"tick",
                     Kind::kDuration,
                     {0, 1e9},
                     "All events happen, and clocks of hosts err, by multiples of this, so that "
                     "moments often coincide: a reply and its time-out, two stamps, an age and its "
                     "limit. 0: at any nanosecond.",
                     "M"}),
    row<&Run::leave_out_rounds>({"leave_out_rounds", Kind::kBoolean, kAny,
                                 "Leave out heartbeats of idle registry shards that change nothing "
                                 "but times, while no fault is active, and if the network neither "
                                 "loses nor duplicates messages. They are missing in traces. The "
                                 "rest of the run is the same, but for numbers of messages and the "
                                 "order of events of the same nanosecond.",
                                 "M"}),
};

constexpr std::array kShippingRows{
    row<&Shipping::common_mean>({"common_mean", Kind::kDuration, kShippingDelay,
                                 "Mean of the exponential delay that all datacenters share.",
                                 "SPEC G-16b, M"}),
    row<&Shipping::near_far_gap>({"near_far_gap", Kind::kDuration, kShippingDelay,
                                  "Additional delay of the farther datacenter.", "SPEC G-16b, M"}),
    row<&Shipping::noise_mean>({"noise_mean", Kind::kDuration, kShippingDelay,
                                "Mean of each datacenter's own exponential delay.",
                                "SPEC G-16b, M"}),
    row<&Shipping::chunk>(
        {"chunk", Kind::kDuration, kPiece, "Length of the pieces in which a log is shipped.", "M"}),
    row<&Shipping::redraw>({"redraw", Kind::kDuration, kPiece,
                            "Time of generation between new draws of all delays.", "M"}),
    row<&Shipping::query_late_fraction>(
        {"query_late_fraction", Kind::kFraction, kUnit,
         "Share of the redraw intervals in which a query log arrives late.", "SPEC A-21, M"}),
    row<&Shipping::query_late_extra_mean>({"query_late_extra_mean", Kind::kDuration, kShippingDelay,
                                           "Mean of the exponential delay added to them.",
                                           "SPEC A-21, M"}),
};

constexpr std::array<std::string_view, 3> kWorkloads{"synthetic", "trace", "registry"};
constexpr std::array<std::string_view, 6> kTimeUnits{"s", "ms", "us", "ns", "iso8601", "auto"};
constexpr std::array<std::string_view, 2> kDangling{"error", "allow"};
constexpr std::array kWorkloadRows{
    row<&Workload::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "Clicks that are generated, or read from two CSV files; or no clicks and no "
         "pipelines, but operations of the registry's own clients.",
         "DESIGN 7",
         kWorkloads}),
};
constexpr std::array kSyntheticRows{
    row<&SyntheticWorkload::clicks>({"clicks", Kind::kCount, between(1, 1e9),
                                     "Clicks in the whole run; rate or rate_file takes its place.",
                                     "M"}),
    row<&SyntheticWorkload::rate>(
        {"rate", Kind::kReal, at_most(1e8),
         "Clicks per second, after the warm-up and times the factors of ramp, burst and daily; 0: "
         "clicks says how many.",
         "DESIGN 7"}),
    row<&SyntheticWorkload::rate_file>(
        {"rate_file",
         Kind::kPath,
         {},
         "CSV with the columns seconds (since the start of the run) and rate (clicks per second), "
         "linear between two rows; in place of rate.",
         "DESIGN 7"}),
    row<&SyntheticWorkload::queries_per_click>({"queries_per_click", Kind::kCount, between(1, 1e6),
                                                "Queries generated for each click.", "SPEC A-07"}),
    row<&SyntheticWorkload::query_servers>(
        {"query_servers", Kind::kCount, kServers, "Servers that write query logs.", "M"}),
    row<&SyntheticWorkload::click_servers>(
        {"click_servers", Kind::kCount, kServers, "Servers that write click logs.", "M"}),
    row<&SyntheticWorkload::processes>(
        {"processes", Kind::kCount, between(1, 100),
         "Processes of each server that issue ids: where events fall on one moment of the server's "
         "clock (run.tick, clocks.stamp_resolution), their ids differ in the process alone.",
         "SPEC A-10, M"}),
    row<&SyntheticWorkload::query_payload>({"query_payload", Kind::kBytes, kPayload,
                                            "Payload of a query; its campaign number takes 4 B.",
                                            "M"}),
    row<&SyntheticWorkload::click_payload>({"click_payload", Kind::kBytes, kPayload,
                                            "Payload of a click; its campaign number takes 4 B.",
                                            "M"}),
    row<&SyntheticWorkload::log_file_bytes>(
        {"log_file_bytes", Kind::kBytes, at_most(1e15),
         "A log file of this length is followed by the next one; 0: each server writes one file.",
         "SPEC A-22, M"}),
    row<&SyntheticWorkload::disorder>(
        {"disorder", Kind::kDuration, kTime,
         "Longest time from a record's stamp to its write; stamps of a file are out of order by "
         "up to this, within about 64 records.",
         "SPEC A-14, M"}),
    row<&SyntheticWorkload::fast_fraction>(
        {"fast_fraction", Kind::kFraction, kUnit,
         "Share of clicks that follow their query fast (exponential delay).", "SPEC G-06, M"}),
    row<&SyntheticWorkload::fast_mean>(
        {"fast_mean", Kind::kDuration, kTime, "Mean delay of the fast clicks.", "SPEC G-06, M"}),
    row<&SyntheticWorkload::slow_median>({"slow_median", Kind::kDuration, kTime,
                                          "Median of the lognormal delay of the others.",
                                          "SPEC G-06, M"}),
    row<&SyntheticWorkload::slow_sigma>({"slow_sigma", Kind::kReal, at_most(10),
                                         "Standard deviation of the logarithm of that delay.",
                                         "SPEC G-06, M"}),
    row<&SyntheticWorkload::clicks_follow_queries>(
        {"clicks_follow_queries", Kind::kBoolean, kAny,
         "Queries of all hours are clicked late alike, so that late clicks are about equally many "
         "while the load changes; otherwise they are more when it is high.",
         "SPEC G-06"}),
};
constexpr Range kFactor = at_most(1000);
constexpr std::array kRampRows{
    row<&LoadRamp::at>({"at", Kind::kDuration, kTime, "When the ramp begins.", "M"}),
    row<&LoadRamp::over>({"for", Kind::kDuration, kTime, "How long it takes; 0s: a step.", "M"}),
    row<&LoadRamp::from>({"from", Kind::kReal, kFactor, "Factor of the load before it.", "M"}),
    row<&LoadRamp::to>({"to", Kind::kReal, kFactor, "Factor of the load after it.", "M"}),
};
constexpr std::array kBurstRows{
    row<&LoadBurst::at>(
        {"at", Kind::kDuration, kTime, "When the burst begins.", "M", {}, {}, true}),
    row<&LoadBurst::length>(
        {"for", Kind::kDuration, kSpan, "How long it lasts.", "M", {}, {}, true}),
    row<&LoadBurst::factor>(
        {"factor", Kind::kReal, kFactor, "Factor of the load meanwhile.", "M", {}, {}, true}),
};
constexpr std::array kDailyRows{
    row<&DailyLoad::amplitude>(
        {"amplitude", Kind::kFraction, kUnit,
         "The load goes up and down by this share of its mean, as a cosine; 0: it does not.", "M"}),
    row<&DailyLoad::period>({"period", Kind::kDuration, between(1e9, 10'000 * kDay),
                             "Time from one peak to the next.", "M"}),
    row<&DailyLoad::peak_at>({"peak_at", Kind::kDuration, kTime, "A time of a peak.", "M"}),
};
constexpr std::array kPrimaryRows{
    row<&PrimaryTrace::files>(
        {"file",
         Kind::kPaths,
         {},
         "CSV or TSV of the primary events (queries), with a header line, as it is or packed with "
         "gzip or zstd; several are read one after another.",
         "issue 2"}),
    row<&PrimaryTrace::id>({"id", Kind::kText, {}, "Column of the id.", "issue 2"}),
    row<&PrimaryTrace::time>({"time", Kind::kText, {}, "Column of the time.", "issue 2"}),
    row<&PrimaryTrace::unit>(
        {"unit",
         Kind::kChoice,
         {},
         "Unit of the time, or iso8601; auto: as in the first row, if that leaves no doubt.",
         "issue 2",
         kTimeUnits}),
    row<&PrimaryTrace::servers>(
        {"servers", Kind::kCount, kServers, "Servers to which the rows are dealt.", "M"}),
};
constexpr std::array kForeignRows{
    row<&ForeignTrace::files>(
        {"file",
         Kind::kPaths,
         {},
         "CSV or TSV of the foreign events (clicks), with a header line, as it is or packed with "
         "gzip or zstd; several are read one after another.",
         "issue 2"}),
    row<&ForeignTrace::id>({"id", Kind::kText, {}, "Column of the id.", "issue 2"}),
    row<&ForeignTrace::primary_id>(
        {"primary_id",
         Kind::kText,
         {},
         "Column of the primary event's id; an empty field is a click that never joins.",
         "issue 2"}),
    row<&ForeignTrace::time>({"time", Kind::kText, {}, "Column of the time.", "issue 2"}),
    row<&ForeignTrace::unit>(
        {"unit",
         Kind::kChoice,
         {},
         "Unit of the time, or iso8601; auto: as in the first row, if that leaves no doubt.",
         "issue 2",
         kTimeUnits}),
    row<&ForeignTrace::dangling>(
        {"dangling",
         Kind::kChoice,
         {},
         "Whether an unknown primary id is an error or a click that never joins.",
         "issue 2",
         kDangling}),
    row<&ForeignTrace::servers>(
        {"servers", Kind::kCount, kServers, "Servers to which the rows are dealt.", "M"}),
};

constexpr std::array kRegistryLoadRows{
    row<&RegistryWorkload::clients>(
        {"clients", Kind::kCount, kServers, "In each datacenter of topology.pipelines.", "M"}),
    row<&RegistryWorkload::rate>(
        {"rate", Kind::kReal, between(1e-3, 1e6),
         "Operations per second of all clients together, Poisson. Inserts by "
         "rivals, repetitions, clears and removals come on top.",
         "M"}),
    row<&RegistryWorkload::lookups>(
        {"lookups", Kind::kFraction, kUnit, "Share of look-ups; the others are inserts.", "M"}),
    row<&RegistryWorkload::known>(
        {"known", Kind::kFraction, kUnit, "Share about an id of an earlier operation.", "M"}),
    row<&RegistryWorkload::aged>({"aged", Kind::kFraction, kUnit,
                                  "Share about an unused id between 0 and `age` old.",
                                  "SPEC B-65"}),
    row<&RegistryWorkload::age>({"age", Kind::kDuration, kTime,
                                 "Of the aged ids: above registry.gc_age some are too old.", "M"}),
    row<&RegistryWorkload::ahead>({"ahead", Kind::kFraction, kUnit,
                                   "Share about an id that is stamped `lead` ahead of time.",
                                   "SPEC BC-30"}),
    row<&RegistryWorkload::lead>(
        {"lead", Kind::kDuration, kTime, "Of the ids ahead of time.", "M"}),
    row<&RegistryWorkload::twins>({"twins", Kind::kFraction, kUnit,
                                   "Share about an unused id that differs from one of the eight "
                                   "before it in one field alone; in "
                                   "two of five cases their hashes agree in 16 bits.",
                                   "SPEC A-10, M"}),
    row<&RegistryWorkload::contested>(
        {"contested", Kind::kFraction, kUnit,
         "Share of the inserts whose id other clients insert as well.", "SPEC BC-01"}),
    row<&RegistryWorkload::contenders>({"contenders", Kind::kCount, between(2, 100),
                                        "Clients that insert a contested id, the first included.",
                                        "M"}),
    row<&RegistryWorkload::repeated>(
        {"repeated", Kind::kFraction, kUnit,
         "Share of the inserts that are sent again with the same token; not those at a boundary.",
         "SPEC BC-02"}),
    row<&RegistryWorkload::cleared>({"cleared", Kind::kFraction, kUnit,
                                     "Share of the inserts whose token their client clears, if "
                                     "answered by then; not those at a boundary.",
                                     "SPEC BC-10"}),
    row<&RegistryWorkload::removed>({"removed", Kind::kFraction, kUnit,
                                     "Share of the inserts that their client removes again, if "
                                     "answered by then; not those at a boundary.",
                                     "SPEC BC-12"}),
    row<&RegistryWorkload::at_boundary>({"at_boundary", Kind::kFraction, kUnit,
                                         "Share of the inserts whose id's stamp is a garbage "
                                         "boundary or the start of the last change of "
                                         "shards, or a nanosecond beside it. Once answered, the id "
                                         "is looked up, cleared or removed.",
                                         "SPEC BC-13"}),
    row<&RegistryWorkload::lag>({"lag", Kind::kDuration, kTime,
                                 "Mean delay of the other inserts of an id, exponential.", "M"}),
    row<&RegistryWorkload::bundled>({"bundled", Kind::kFraction, kUnit,
                                     "Share of the arrivals that consist of `bundle` operations.",
                                     "SPEC B-30"}),
    row<&RegistryWorkload::bundle>(
        {"bundle", Kind::kCount, between(1, 4096), "Operations of a bundled arrival.", "M"}),
};

constexpr std::array kExperimentTables{
    section<kScenarioRows, &Config::scenario>("scenario", "Name, tier and expected detection."),
    section<kScaleRows, &Config::scale>("scale", "What a smaller run stands for."),
    section<kRunRows, &Config::run>("run", "Length and seed."),
    section<kShippingRows, &Config::shipping>("shipping", "How log bytes reach the pipelines."),
    section<kWorkloadRows, &Config::workload>("workload", "Queries and clicks."),
    section<kSyntheticRows, &Config::workload, &Workload::synthetic>("workload.synthetic",
                                                                     "With kind = \"synthetic\"."),
    section<kRampRows, &Config::workload, &Workload::synthetic, &SyntheticWorkload::ramp>(
        "workload.synthetic.ramp", "A load that rises or falls."),
    repeated<kBurstRows, &Config::workload, &Workload::synthetic, &SyntheticWorkload::bursts>(
        "workload.synthetic.burst", "A load that is higher or lower for a time."),
    section<kDailyRows, &Config::workload, &Workload::synthetic, &SyntheticWorkload::daily>(
        "workload.synthetic.daily", "A load that follows the time of day."),
    section<kPrimaryRows, &Config::workload, &Workload::primary>(
        "workload.primary", "With kind = \"trace\": the queries."),
    section<kForeignRows, &Config::workload, &Workload::foreign>(
        "workload.foreign", "With kind = \"trace\": the clicks."),
    section<kRegistryLoadRows, &Config::workload, &Workload::registry>(
        "workload.registry", "With kind = \"registry\": the operations of its clients."),
};

}  // namespace

std::span<const TableSpec> experiment_tables() { return kExperimentTables; }

}  // namespace photonsim::scenarios
