// Rows of the schema: Photon itself.

#include <array>

#include "core_impl/photon/leases/lease_epoch.h"
#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr Range kWorkers = between(1, 1000);
static_assert(kWorkers.high < photon::LeaseEpoch::kOperator);
constexpr Range kAge = between(1'000, 30 * kDay);  // an age
constexpr Range kBuffer = between(1, 1 << 30);     // bytes

constexpr std::array<std::string_view, 3> kPlacements{"spread", "pinned", "nearest"};
constexpr std::array<std::string_view, 2> kShardings{"fixed", "dynamic"};
constexpr std::array<std::string_view, 3> kLookupModes{"queue_ordered", "bypass", "replica"};
constexpr std::array kRegistryRows{
    row<&Registry::replicas>(
        {"replicas",
         Kind::kNames,
         {},
         "Datacenters of the replicas, an odd number; no region holds a majority.",
         "SPEC B-05, L-08"}),
    row<&Registry::shards>({"shards", Kind::kCount, between(1, 10'000),
                            "Shards, each a PaxosDB group of its own.", "SPEC B-19"}),
    row<&Registry::max_batch_operations>({"max_batch_operations", Kind::kCount, between(1, 1 << 20),
                                          "Operations in a transaction at most.", "SPEC B-23, M"}),
    row<&Registry::max_batch_bytes>({"max_batch_bytes", Kind::kBytes, between(1024, 1 << 30),
                                     "Bytes in a transaction at most.", "SPEC B-23, M"}),
    row<&Registry::max_queue>({"max_queue", Kind::kCount, between(1, 1e9),
                               "Requests that may wait at a server; it refuses those beyond.",
                               "M"}),
    row<&Registry::max_bundle>({"max_bundle", Kind::kCount, between(1, 1 << 20),
                                "Operations that a client puts in one request at most.",
                                "SPEC B-30, M"}),
    row<&Registry::linger>({"linger", Kind::kDuration, kTime,
                            "A batch that is not full waits this long for more operations; Photon "
                            "does not wait.",
                            "SPEC B-22, G-12, M"}),
    row<&Registry::pipeline_depth>({"pipeline_depth", Kind::kCount, between(1, 64),
                                    "Transactions that a master may have in flight.",
                                    "SPEC B-24, M"}),
    row<&Registry::reject_future>({"reject_future", Kind::kBoolean, kAny,
                                   "Refuse ids with stamps more than S ahead of true time.",
                                   "SPEC B-60f, M"}),
    row<&Registry::lookup_mode>(
        {"lookup_mode",
         Kind::kChoice,
         {},
         "Look-ups are answered by the master in its queue, by the master at once, or by the "
         "nearest replica, which may lag.",
         "SPEC B-07, L-23",
         kLookupModes}),
    row<&Registry::gc_age>({"gc_age", Kind::kDuration, kAge,
                            "N: ids older than this are too old and leave the registry.", "P 4.3"}),
    row<&Registry::gc_scan_period>(
        {"gc_scan_period", Kind::kDuration, kTimer, "Time between scans for garbage.", "M"}),
    row<&Registry::gc_slice>({"gc_slice",
                              Kind::kDuration,
                              kTimer,
                              "Ids leave by slices of time of this width, once the boundary has "
                              "passed a slice's end; \"auto\" = gc_age / 16, from 1ms to 10s.",
                              "SPEC B-61, M",
                              {},
                              "auto"}),
    row<&Registry::gc_batch>({"gc_batch", Kind::kCount, between(1, 1e6),
                              "Ids that one transaction removes at most.", "SPEC B-69, M"}),
    row<&Registry::boundary_period>({"boundary_period", Kind::kDuration, kTimer,
                                     "How often the garbage boundary advances.", "M"}),
    row<&Registry::election_timeout>(
        {"election_timeout", Kind::kDuration, kTimer,
         "Silence of the master after which a replica stands for election.", "SPEC B-11, M"}),
    row<&Registry::lease>({"lease", Kind::kDuration, kTimer,
                           "Master lease; shorter than the election time-out.", "SPEC B-14, M"}),
    row<&Registry::heartbeat>(
        {"heartbeat", Kind::kDuration, kTimer, "Time between heartbeats of the master.", "M"}),
    row<&Registry::clock_drift_bound>({"clock_drift_bound", Kind::kFraction, at_most(0.1),
                                       "Rate error of monotonic clocks that leases allow for.",
                                       "M"}),
    row<&Registry::master_placement>(
        {"master_placement",
         Kind::kChoice,
         {},
         "Preferred place of masters: shard k at replica k mod n, all in one datacenter, or all "
         "at the replica nearest to a majority.",
         "SPEC B-19, G-09",
         kPlacements}),
    row<&Registry::pinned_datacenter>({"pinned_datacenter",
                                       Kind::kName,
                                       {},
                                       "The datacenter of master_placement = \"pinned\".",
                                       "SPEC B-19"}),
    row<&Registry::master_return_after>(
        {"master_return_after", Kind::kDuration, kLatency,
         "A master hands over to the preferred replica once that has been fit for this time; "
         "0 = never.",
         "SPEC B-19, M"}),
    row<&Registry::snapshot_min_bytes>(
        {"snapshot_min_bytes", Kind::kBytes, between(0, 1e12),
         "A replica takes a snapshot, and cuts its log, when the log has grown by this; 0 = never.",
         "SPEC B-18, M"}),
    row<&Registry::snapshot_factor>(
        {"snapshot_factor", Kind::kCount, between(0, 1'000),
         "It waits until the log has grown by this many times the last snapshot, too.", "M"}),
    row<&Registry::snapshot_chunk_bytes>(
        {"snapshot_chunk_bytes", Kind::kBytes, between(1, 1 << 30),
         "A replica that lags fetches a snapshot in pieces of this size.", "M"}),
    row<&Registry::segment_bytes>(
        {"segment_bytes", Kind::kBytes, kBuffer,
         "A replica's log is continued in another file when one has about this size.", "M"}),
    row<&Registry::catch_up_slots>({"catch_up_slots", Kind::kCount, between(1, 1e6),
                                    "Slots sent at once to a replica that lags.", "M"}),
    row<&Registry::catch_up_bytes>({"catch_up_bytes", Kind::kBytes, kBuffer,
                                    "Approximate bytes sent at once to a replica that lags.", "M"}),
    row<&Registry::sharding>({"sharding",
                              Kind::kChoice,
                              {},
                              "A fixed number of shards, or a history of numbers in a "
                              "configuration group.",
                              "SPEC B-55",
                              kShardings}),
};

constexpr std::array<std::string_view, 4> kServerChecks{"off", "freshness", "read_after_stamp",
                                                        "horizon"};
constexpr std::array<std::string_view, 2> kChangeRules{"strict", "unchecked"};
constexpr std::array kRoutingRows{
    row<&Routing::freshness>({"freshness", Kind::kBoolean, kAny,
                              "Clients do not route by a history that is older than max_age.",
                              "SPEC B-60c rule 1"}),
    row<&Routing::read_after_stamp>(
        {"read_after_stamp", Kind::kBoolean, kAny,
         "Clients route an id only by a history that was read when such an id could exist.",
         "SPEC B-60c rule 2"}),
    row<&Routing::horizon>({"horizon", Kind::kBoolean, kAny,
                            "Clients route only ids below the horizon that the history states.",
                            "SPEC B-60c rule 4"}),
    row<&Routing::server_check>({"server_check",
                                 Kind::kChoice,
                                 {},
                                 "Servers refuse ids of other shards, by their own history, "
                                 "which obeys the named rule.",
                                 "SPEC B-60c rule 3",
                                 kServerChecks}),
    row<&Routing::max_age>({"max_age", Kind::kDuration, kAge,
                            "D: oldest history of rule 1; changes start later by this.",
                            "SPEC B-60c, M"}),
    row<&Routing::horizon_ahead>({"horizon_ahead", Kind::kDuration, kAge,
                                  "How far ahead of the present the horizon is kept.", "M"}),
    row<&Routing::horizon_period>(
        {"horizon_period", Kind::kDuration, kTimer, "How often the horizon is extended.", "M"}),
    row<&Routing::retry_delay>({"retry_delay", Kind::kDuration, kTimer,
                                "Pause of a process between two reads of the history.", "M"}),
    row<&Routing::retire_period>({"retire_period", Kind::kDuration, kTimer,
                                  "Time between checks whether old numbers can be retired.",
                                  "SPEC B-60b, M"}),
    row<&Routing::skew_bound>({"skew_bound",
                               Kind::kDuration,
                               kLatency,
                               "S as the system assumes it; \"auto\" = 2 clocks.epsilon.",
                               "SPEC A-31",
                               {},
                               "auto"}),
    row<&Routing::change_rule>({"change_rule",
                                Kind::kChoice,
                                {},
                                "Whether changes that start at t2 <= t1 + S are refused.",
                                "SPEC B-54",
                                kChangeRules}),
};

constexpr std::array kDispatcherRows{
    row<&Dispatcher::workers>({"workers", Kind::kCount, kWorkers,
                               "Dispatcher workers per pipeline; they divide the click logs.",
                               "SPEC C-06"}),
    row<&Dispatcher::partitions>(
        {"partitions", Kind::kCount, between(0, 1000),
         "Parts into which the click logs are divided, by the server that writes them; one worker "
         "owns each at a time. 0 = one for a single worker, four times the workers otherwise.",
         "SPEC C-06, M"}),
    row<&Dispatcher::scan_period>(
        {"scan_period", Kind::kDuration, kTimer,
         "Mean time between scans of the log directory, and so the wait of a click to be read.",
         "SPEC C-02, M"}),
    row<&Dispatcher::scan_jitter>(
        {"scan_jitter", Kind::kFraction, at_most(0.9),
         "Each pause between scans varies by plus or minus this fraction, drawn anew, so that the "
         "dispatchers of two datacenters are not in phase; 0 = a fixed period and phase.",
         "M"}),
    row<&Dispatcher::pre_lookup>({"pre_lookup", Kind::kBoolean, kAny,
                                  "Ask the registry before sending a click to a joiner.", "P 3.2"}),
    row<&Dispatcher::backoff_initial>(
        {"backoff_initial", Kind::kDuration, kTimer, "Wait before the first retry.", "M"}),
    row<&Dispatcher::backoff_factor>({"backoff_factor", Kind::kReal, between(1, 100),
                                      "Factor from each wait to the next.", "M"}),
    row<&Dispatcher::backoff_cap>({"backoff_cap", Kind::kDuration, kTimer, "Longest wait.", "M"}),
    row<&Dispatcher::backoff_jitter>({"backoff_jitter", Kind::kFraction, at_most(0.9),
                                      "Waits vary by plus or minus this fraction.", "M"}),
    row<&Dispatcher::unjoinable_attempts>(
        {"unjoinable_attempts", Kind::kCount, between(0, 1e6),
         "R: a click is unjoinable after more attempts than this, if it is old enough too.",
         "SPEC C-22, M"}),
    row<&Dispatcher::unjoinable_age>(
        {"unjoinable_age", Kind::kDuration, kAge,
         "A: a click is unjoinable when older than this, after enough attempts.", "SPEC C-22, M"}),
    row<&Dispatcher::max_outstanding_lookups>({"max_outstanding_lookups", Kind::kCount,
                                               between(1, 1e6), "Registry look-ups in flight.",
                                               "M"}),
    row<&Dispatcher::max_outstanding_sends>({"max_outstanding_sends", Kind::kCount, between(1, 1e6),
                                             "Clicks at joiners at a time.", "M"}),
    row<&Dispatcher::fresh_share>(
        {"fresh_share", Kind::kFraction, at_most(0.9),
         "Share of max_outstanding_lookups reserved for fresh clicks, so that clicks of current "
         "log files do not wait for files with a backlog. 0 = no reservation.",
         "SPEC C-33, M"}),
    row<&Dispatcher::fresh_age>({"fresh_age", Kind::kDuration, kTimer,
                                 "With fresh_share: a click of a log older than this is not fresh.",
                                 "M"}),
    row<&Dispatcher::group>(
        {"group", Kind::kCount, between(1, 1000),
         "Clicks sent and retried as one request; none is joined while the query of one is "
         "missing: an ablation. An unreadable query delays only its own click. 1 = no groups.",
         "SPEC C-14, G-24"}),
    row<&Dispatcher::group_wait>(
        {"group_wait", Kind::kDuration, kTimer,
         "Longest wait of a group to fill, up to the next scan; then it is sent as it is.", "M"}),
    row<&Dispatcher::lookup_timeout>(
        {"lookup_timeout", Kind::kDuration, kTimer, "Time-out of a registry look-up.", "M"}),
    row<&Dispatcher::send_timeout>(
        {"send_timeout", Kind::kDuration, kTimer, "Time-out of a click at a joiner.", "M"}),
    row<&Dispatcher::read_chunk>(
        {"read_chunk", Kind::kBytes, kBuffer, "Bytes in a read of a log file.", "M"}),
    row<&Dispatcher::lease>({"lease", Kind::kDuration, kTimer,
                             "Lease of a worker on a part of the logs: its longest silence.", "M"}),
    row<&Dispatcher::state_save_period>({"state_save_period", Kind::kDuration, kTimer,
                                         "How often a file's state is made durable.", "M"}),
    row<&Dispatcher::max_reads>({"max_reads", Kind::kCount, between(1, 1e6),
                                 "Chunks of logs in memory, for each partition.", "M"}),
    row<&Dispatcher::stalled_after>(
        {"stalled_after", Kind::kDuration, kTimer,
         "After this time, an incomplete record at the end of a log is searched for sound ones.",
         "SPEC A-26"}),
    row<&Dispatcher::journal_slack>(
        {"journal_slack", Kind::kBytes, kBuffer,
         "A journal is rewritten when it exceeds twice its live contents by this.", "M"}),
};

constexpr std::array kVerificationRows{
    row<&Verification::enabled>(
        {"enabled", Kind::kBoolean, kAny, "Auditors and verifiers in each pipeline.", "P 3.3.3"}),
    row<&Verification::verifiers>(
        {"verifiers", Kind::kCount, kWorkers, "Verifiers per pipeline.", "SPEC F-09"}),
    row<&Verification::grace>({"grace", Kind::kDuration, kTimer,
                               "Verifiers do not check clicks younger than this.", "SPEC F-16, M"}),
    row<&Verification::unregistered_after>(
        {"unregistered_after", Kind::kDuration, kTimer,
         "An unregistered click of this age is recovered once and then followed; longer than any "
         "dispatcher retries.",
         "SPEC F-08, M"}),
    row<&Verification::recheck_initial>({"recheck_initial", Kind::kDuration, kTimer,
                                         "Wait before an open case is checked again.", "M"}),
    row<&Verification::recheck_cap>(
        {"recheck_cap", Kind::kDuration, kTimer, "Longest such wait; they double.", "M"}),
    row<&Verification::scan_period>({"scan_period", Kind::kDuration, kTimer,
                                     "How often verifiers and auditors look for new bytes.", "M"}),
    row<&Verification::answer_timeout>(
        {"answer_timeout", Kind::kDuration, kTimer,
         "Time-out of a verifier's requests to auditors and registrars of lives; silence is no "
         "answer.",
         "SPEC F-07, M"}),
    row<&Verification::memory>({"memory", Kind::kDuration, kTimer,
                                "How long auditors remember clicks found in the output.", "M"}),
};
constexpr std::array<std::string_view, 4> kAdapters{"combine", "filter", "enrich", "custom"};
constexpr std::array<std::string_view, 2> kJoiners{"photon", "custom"};
constexpr std::array kJoinerRows{
    row<&Joiner::count>({"count", Kind::kCount, kWorkers, "Joiners per pipeline.", "M"}),
    row<&Joiner::max_in_flight>(
        {"max_in_flight", Kind::kCount, between(1, 1e6), "Clicks in a joiner at a time.", "M"}),
    row<&Joiner::max_outstanding_registry>(
        {"max_outstanding_registry", Kind::kCount, between(1, 1e6),
         "Registrations of a joiner in flight: bounds what a crash can lose.", "M"}),
    row<&Joiner::registry_timeout>({"registry_timeout", Kind::kDuration, kTimer,
                                    "Time-out of a registration; more than twice a commit.", "M"}),
    row<&Joiner::event_store_timeout>(
        {"event_store_timeout", Kind::kDuration, kTimer,
         "Time-out of an EventStore look-up, counted from the store's "
         "last report that its search continues.",
         "M"}),
    row<&Joiner::max_outstanding_per_shard>(
        {"max_outstanding_per_shard", Kind::kCount, at_most(1e6),
         "Registrations of a joiner in flight to one shard, so that a shard that is down does not "
         "take all of them; 0 = no such cap.",
         "SPEC D-22"}),
    row<&Joiner::max_window>(
        {"max_window", Kind::kCount, at_most(1e6),
         "Clicks of a joiner between registration and durable output: the most that a crash can "
         "lose; 0 = max_outstanding_registry.",
         "SPEC D-15, M"}),
    row<&Joiner::tokens>({"tokens", Kind::kBoolean, kAny,
                          "A registration is retried with the same token; false: with a new one, "
                          "as if there were no tokens, so that a lost answer loses the click.",
                          "P 3.3.2, SPEC D-11, J-L1"}),
    row<&Joiner::output_copies>(
        {"output_copies", Kind::kBoolean, kAny,
         "Joiners' output is copied to the other pipelines' cells after a short delay.",
         "P 3.3.1, SPEC D-08"}),
    row<&Joiner::implementation>(
        {"implementation",
         Kind::kChoice,
         {},
         "What a joiner process runs: photon's joiner, or with custom that "
         "of the program that runs the scenario.",
         "M",
         kJoiners}),
    row<&Joiner::adapter>({"adapter",
                           Kind::kChoice,
                           {},
                           "How a query and a click are joined: combine writes both; filter also "
                           "skips clicks on some campaigns; enrich adds the campaign and a class "
                           "of delay; custom is that of the program that runs the scenario.",
                           "SPEC D-05",
                           kAdapters}),
    row<&Joiner::skip_modulo>({"skip_modulo", Kind::kCount, at_most(1e9),
                               "Of filter: skips clicks whose query's campaign is 0 modulo this.",
                               "SPEC D-05"}),
    row<&Joiner::delay_step>({"delay_step", Kind::kDuration, kTimer,
                              "Of enrich: width of a class of delay from query to click.",
                              "SPEC D-05, M"}),
};

constexpr std::array kEventStoreRows{
    row<&EventStore::cache_nodes>(
        {"cache_nodes", Kind::kCount, kWorkers, "Cache nodes per pipeline.", "M"}),
    row<&EventStore::cache_bytes>({"cache_bytes", Kind::kBytes, between(1, 1e12),
                                   "Memory of a cache node.", "P: several minutes of queries"}),
    row<&EventStore::map_interval>(
        {"map_interval", Kind::kDuration, kTimer, "W: time between entries of the file map.", "M"}),
    row<&EventStore::map_bytes>(
        {"map_bytes", Kind::kBytes, kBuffer, "M: bytes between entries of the file map.", "M"}),
    row<&EventStore::reader_poll>({"reader_poll", Kind::kDuration, kTimer,
                                   "Time between polls of the log reader that fills the cache.",
                                   "M"}),
    row<&EventStore::reader_chunk>(
        {"reader_chunk", Kind::kBytes, kBuffer, "Bytes in a read of the log reader.", "M"}),
    row<&EventStore::reader_backlog>(
        {"reader_backlog", Kind::kCount, between(1, 1e9),
         "Entries of the map that wait for the log store; with more, reading pauses.", "M"}),
    row<&EventStore::stalled_after>({"stalled_after", Kind::kDuration, kTimer,
                                     "As dispatcher.stalled_after, of the reader of query logs.",
                                     "SPEC A-26"}),
    row<&EventStore::seek_cost>(
        {"seek_cost", Kind::kDuration, kLatency, "Disk seek of a look-up in the logs.", "M"}),
    row<&EventStore::log_concurrency>(
        {"log_concurrency", Kind::kCount, between(1, 1e6), "Look-ups in the logs at a time.", "M"}),
    row<&EventStore::disorder>({"disorder", Kind::kDuration, kLatency,
                                "Largest disorder of events in a log file.", "SPEC A-14"}),
};

constexpr std::array kSystemTables{
    section<kRegistryRows, &Config::registry>("registry", "IdRegistry."),
    section<kRoutingRows, &Config::registry, &Registry::routing>(
        "registry.routing", "With sharding = \"dynamic\": which history may route an id."),
    section<kDispatcherRows, &Config::dispatcher>("dispatcher", "Dispatchers."),
    section<kJoinerRows, &Config::joiner>("joiner", "Joiners."),
    section<kVerificationRows, &Config::verification>("verification", "Verification and recovery."),
    section<kEventStoreRows, &Config::event_store>("event_store", "EventStore."),
};

}  // namespace

std::span<const TableSpec> system_tables() { return kSystemTables; }

}  // namespace photonsim::scenarios
