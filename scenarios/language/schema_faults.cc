// Rows of the schema: what goes wrong, [faults] and its tables.

#include <array>

#include "scenarios/language/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the vocabulary in which rows are written

constexpr std::array<std::string_view, 2> kInert{"fail", "allow"};
constexpr std::array kFaultsRows{
    row<&Faults::inert>({"inert",
                         Kind::kChoice,
                         {},
                         "Whether a fault that is written down and had no effect fails the run.",
                         "DESIGN 6",
                         kInert}),
};
constexpr std::array<std::string_view, 7> kRandomKinds{
    "process_crash",    "partition",  "disk_loss",         "process_pause",
    "graceful_restart", "cache_loss", "late_configuration"};
constexpr std::array<std::string_view, 12> kTargets{
    "any",    "joiner",       "dispatcher", "registry", "event_store", "cache",
    "reader", "incarnations", "client",     "verifier", "auditor",     "mirror"};
constexpr std::array<std::string_view, 5> kComponents{"all", "registry", "pipeline", "cell",
                                                      "logs"};
constexpr std::array<std::string_view, 3> kDirections{"symmetric", "one_way", "apart"};
constexpr std::array kRandomRows{
    row<&RandomFault::kind>({"kind",
                             Kind::kChoice,
                             {},
                             "Crashes of processes, pauses of them, losses of a registry "
                             "replica's disk, partitions: each cuts one datacenter off from "
                             "all others (one_way: from one other); processes that are asked "
                             "to stop and finish what they would lose (graceful_restart); caches "
                             "that lose their contents; datacenters that learn a new number of "
                             "shards late.",
                             "SPEC A-25",
                             kRandomKinds,
                             {},
                             true}),
    row<&RandomFault::target>({"target",
                               Kind::kChoice,
                               {},
                               "Of process_crash, process_pause and graceful_restart: which "
                               "processes.",
                               "M",
                               kTargets}),
    row<&RandomFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Only there, or only it is cut off; \"\" = any.", "M"}),
    row<&RandomFault::mean_interval>({"mean_interval",
                                      Kind::kDuration,
                                      between(1e6, 1'000 * kDay),
                                      "Mean time between two of these faults.",
                                      "M",
                                      {},
                                      {},
                                      true}),
    row<&RandomFault::restart_after>(
        {"restart_after", Kind::kDuration, kTime,
         "Of process_crash, graceful_restart and disk_loss: mean time until the restart, uniform "
         "between a half and one and a half of "
         "it.",
         "M"}),
    row<&RandomFault::direction>({"direction",
                                  Kind::kChoice,
                                  {},
                                  "Of partition: symmetric = nothing passes between the one and "
                                  "all others; one_way = nothing passes from it to one other.",
                                  "SPEC A-25",
                                  kDirections}),
    row<&RandomFault::mean_duration>(
        {"mean_duration", Kind::kDuration, kSpan,
         "Of partition, process_pause and late_configuration: mean length, uniform between a half "
         "and one and a half of it.",
         "M"}),
    row<&RandomFault::from>({"from", Kind::kDuration, kTime, "Not before this time.", "M"}),
    row<&RandomFault::until>({"until",
                              Kind::kDuration,
                              kSpan,
                              "Not after this time; \"end\" = the end of generation.",
                              "M",
                              {},
                              "end"}),
};
constexpr std::array kOutageRows{
    row<&OutageFault::datacenter>({"datacenter",
                                   Kind::kName,
                                   {},
                                   "Where: a datacenter, or all of a region.",
                                   "SPEC A-25",
                                   {},
                                   {},
                                   true}),
    row<&OutageFault::component>(
        {"component",
         Kind::kChoice,
         {},
         "Everything, the registry replicas, the pipeline, the shared cell, or the input logs.",
         "SPEC A-25",
         kComponents}),
    row<&OutageFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&OutageFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};
constexpr std::array kCrashRows{
    row<&CrashFault::process>(
        {"process",
         Kind::kName,
         {},
         "A process: \"us-east1/joiner/3\", or \"registry/2@us-east4\" for shard 2's replica.",
         "M",
         {},
         {},
         true}),
    row<&CrashFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&CrashFault::restart_after>(
        {"restart_after", Kind::kDuration, kTime, "Time until it is started again.", "M"}),
    row<&CrashFault::lose_disk>({"lose_disk", Kind::kBoolean, kAny,
                                 "Its disk is lost too: a registry replica.", "SPEC B-18"}),
    row<&CrashFault::as_new>({"as_new", Kind::kBoolean, kAny,
                              "With lose_disk: its new disk is set up as for a new group, so that "
                              "it votes without having been admitted (contract tier).",
                              "SPEC B-18"}),
    row<&CrashFault::gracefully>({"gracefully", Kind::kBoolean, kAny,
                                  "It is asked to stop, and finishes what it would lose before it "
                                  "ends; restart_after counts from there.",
                                  "SPEC D-23"}),
    row<&CrashFault::whole_host>({"whole_host", Kind::kBoolean, kAny,
                                  "Its host crashes: what its disk was not asked to sync is lost.",
                                  "SPEC A-25"}),
    row<&CrashFault::times>({"times", Kind::kCount, between(1, 1000),
                             "It is crashed so many times: a restart loop.", "M"}),
    row<&CrashFault::up_for>({"up_for", Kind::kDuration, kTime,
                              "Of a restart loop: the time from a restart to the next crash.",
                              "M"}),
};
constexpr std::array kPauseRows{
    row<&PauseFault::process>({"process",
                               Kind::kName,
                               {},
                               "A process, named as in faults.crash.",
                               "SPEC C-06",
                               {},
                               {},
                               true}),
    row<&PauseFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&PauseFault::duration>(
        {"for", Kind::kDuration, kSpan, "How long it does nothing.", "M", {}, {}, true}),
};
constexpr std::array kCacheLossRows{
    row<&CacheLossFault::process>({"process",
                                   Kind::kName,
                                   {},
                                   "A cache, as in \"us-east1/cache/0\".",
                                   "SPEC E-08",
                                   {},
                                   {},
                                   true}),
    row<&CacheLossFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
};
constexpr std::array kLateConfigurationRows{
    row<&LateConfigurationFault::who>({"who",
                                       Kind::kNames,
                                       {},
                                       "Who learns late how many shards there are, named as in "
                                       "faults.link.",
                                       "SPEC B-60c"}),
    row<&LateConfigurationFault::at>(
        {"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&LateConfigurationFault::duration>(
        {"for",
         Kind::kDuration,
         kSpan,
         "How long versions that they have not been told yet are held back.",
         "M",
         {},
         {},
         true}),
};
constexpr std::array kPartitionRows{
    row<&PartitionFault::from>(
        {"from", Kind::kNames, {}, "Datacenters or regions.", "SPEC A-25", {}, {}, true}),
    row<&PartitionFault::to>({"to",
                              Kind::kNames,
                              {},
                              "Datacenters or regions; none with direction = \"apart\".",
                              "SPEC A-25"}),
    row<&PartitionFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&PartitionFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
    row<&PartitionFault::direction>(
        {"direction",
         Kind::kChoice,
         {},
         "Both directions; only messages sent by `from` are lost; or each "
         "name of `from` is cut off from all the others.",
         "SPEC A-25",
         kDirections}),
};

constexpr std::array<std::string_view, 8> kMishaps{
    "loss",       "reply_loss", "duplication", "late_duplication",
    "reordering", "delay",      "clog",        "swizzle"};
constexpr std::array kLinkFaultRows{
    row<&LinkFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "Messages are lost (reply_loss: replies only); come twice (late_duplication: the copy up "
         "to `delay` later); come up to `delay` later (reordering) or later by `delay`; or are "
         "held back until the fault ends (clog; swizzle: `from` one after the other, let go in "
         "another order).",
         "SPEC J.1",
         kMishaps,
         {},
         true}),
    row<&LinkFault::from>({"from",
                           Kind::kNames,
                           {},
                           "Senders: \"any\", datacenters, regions, roles (\"joiner\", "
                           "\"us-east1/joiner\"), processes, shards (\"registry/2\").",
                           "M"}),
    row<&LinkFault::to>({"to", Kind::kNames, {}, "Receivers, named likewise.", "M"}),
    row<&LinkFault::share>({"share", Kind::kFraction, kUnit,
                            "So many of the messages; of a swizzle, of the senders.", "M"}),
    row<&LinkFault::delay>({"delay", Kind::kDuration, kSpan, "See kind.", "M"}),
    row<&LinkFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&LinkFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};
constexpr std::array kSlowRows{
    row<&SlowFault::datacenter>({"datacenter", Kind::kName, {}, "Where.", "M", {}, {}, true}),
    row<&SlowFault::factor>({"factor", Kind::kReal, between(1, 1000),
                             "Steps of servers, volumes and messages take so many times as long.",
                             "M"}),
    row<&SlowFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&SlowFault::duration>({"for", Kind::kDuration, kSpan, "How long.", "M", {}, {}, true}),
};

constexpr std::array<std::string_view, 7> kDiskMishaps{
    "write_error", "full", "slow", "torn_write", "lost_sync", "bit_rot", "misdirected_write"};
constexpr std::array kDiskFaultRows{
    row<&DiskFault::where>({"where",
                            Kind::kName,
                            {},
                            "A process, named as in faults.crash: the disk of its host; or a "
                            "datacenter: its shared cell.",
                            "M",
                            {},
                            {},
                            true}),
    row<&DiskFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "Writes are answered \"unavailable\", and have happened or not (write_error); nothing "
         "more "
         "fits (full); requests take `factor` times as long (slow); the host crashes in the middle "
         "of an append, or a process that writes to the cell does, and a part is written "
         "(torn_write); what was synced is lost if the host crashes before the fault ends "
         "(lost_sync); one stored bit is wrong from then on (bit_rot); appended bytes land on "
         "other "
         "stored bytes, and zeros are where they belong (misdirected_write).",
         "SPEC B-18",
         kDiskMishaps,
         {},
         true}),
    row<&DiskFault::at>({"at",
                         Kind::kDuration,
                         kTime,
                         "When it begins; torn_write and bit_rot: when there is something to "
                         "strike.",
                         "M",
                         {},
                         {},
                         true}),
    row<&DiskFault::duration>({"for", Kind::kDuration, kSpan,
                               "How long; torn_write: until the restart. Not of bit_rot.", "M"}),
    row<&DiskFault::share>({"share", Kind::kFraction, kUnit,
                            "So many of the requests. Not of torn_write and bit_rot.", "M"}),
    row<&DiskFault::factor>(
        {"factor", Kind::kReal, between(1, 1000), "Of slow: so many times as long.", "M"}),
};

constexpr std::array<std::string_view, 2> kLogs{"queries", "clicks"};
constexpr std::array<std::string_view, 2> kDamages{"flip", "lose"};
constexpr std::array kLogDamageRows{
    row<&LogDamageFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-26", kLogs, {}, true}),
    row<&LogDamageFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy; \"\" = the same records in all.", "M"}),
    row<&LogDamageFault::at>(
        {"at", Kind::kDuration, kTime, "Records generated from then on, ...", "M", {}, {}, true}),
    row<&LogDamageFault::duration>(
        {"for", Kind::kDuration, kSpan, "... for so long.", "M", {}, {}, true}),
    row<&LogDamageFault::share>(
        {"share", Kind::kFraction, kUnit, "So many of them, chosen at random.", "M"}),
    row<&LogDamageFault::how>({"how",
                               Kind::kChoice,
                               {},
                               "One bit is wrong, or the bytes are zeros.",
                               "SPEC A-26",
                               kDamages}),
};
constexpr std::array kLogStallRows{
    row<&LogStallFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-21", kLogs, {}, true}),
    row<&LogStallFault::server>(
        {"server", Kind::kName, {}, "The generating server, from 0; \"any\": all.", "M"}),
    row<&LogStallFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy; \"\" = all.", "M"}),
    row<&LogStallFault::at>(
        {"at", Kind::kDuration, kTime, "From then on nothing arrives, ...", "M", {}, {}, true}),
    row<&LogStallFault::duration>(
        {"for", Kind::kDuration, kSpan, "... for so long.", "M", {}, {}, true}),
    row<&LogStallFault::tail>({"tail", Kind::kDuration, kShippingDelay,
                               "Mean of an exponential delay of each piece that was held.", "M"}),
};
constexpr std::array kLogTruncationRows{
    row<&LogTruncationFault::log>(
        {"log", Kind::kChoice, {}, "Which logs.", "SPEC A-20", kLogs, {}, true}),
    row<&LogTruncationFault::server>(
        {"server", Kind::kName, {}, "The generating server, from 0; \"any\": all.", "M"}),
    row<&LogTruncationFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose copy.", "SPEC A-24", {}, {}, true}),
    row<&LogTruncationFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&LogTruncationFault::duration>({"for",
                                        Kind::kDuration,
                                        kSpan,
                                        "It stays short for half of that, and is filled again in "
                                        "the other half.",
                                        "M",
                                        {},
                                        {},
                                        true}),
    row<&LogTruncationFault::bytes>(
        {"bytes", Kind::kCount, between(1, 1e12),
         "How much is gone of the newest file of each server, at most all of it.", "M"}),
};
constexpr std::array kOutputLossRows{
    row<&OutputLossFault::datacenter>(
        {"datacenter", Kind::kName, {}, "Whose cell.", "SPEC A-26", {}, {}, true}),
    row<&OutputLossFault::at>({"at", Kind::kDuration, kTime, "When.", "M", {}, {}, true}),
    row<&OutputLossFault::records>({"records", Kind::kCount, between(1, 1e9),
                                    "How many joined records, of those that are durable.", "M"}),
    row<&OutputLossFault::returns_after>(
        {"returns_after",
         Kind::kDuration,
         kSpan,
         "They are there again so much later; what was joined anew meanwhile is there twice.",
         "SPEC J-S1",
         {},
         "never"}),
};
constexpr std::array kTrueTimeOutageRows{
    row<&TrueTimeOutageFault::log>(
        {"log", Kind::kChoice, {}, "Servers that write these logs.", "SPEC A-33", kLogs, {}, true}),
    row<&TrueTimeOutageFault::server>(
        {"server", Kind::kName, {}, "One of them, from 0; \"any\": all.", "M"}),
    row<&TrueTimeOutageFault::at>({"at",
                                   Kind::kDuration,
                                   kTime,
                                   "From then on their clocks are not synchronised, ...",
                                   "M",
                                   {},
                                   {},
                                   true}),
    row<&TrueTimeOutageFault::duration>({"for",
                                         Kind::kDuration,
                                         kSpan,
                                         "... for so long; once a clock may have left its bound, "
                                         "its server issues no ids until the next synchronisation.",
                                         "M",
                                         {},
                                         {},
                                         true}),
};

constexpr std::array<std::string_view, 7> kClockMishaps{
    "offset", "drift", "step", "freeze", "truetime_outage", "lying_interval", "monotonic_drift"};
constexpr std::array<std::string_view, 2> kClockDirections{"forward", "back"};
constexpr std::array kClockFaultRows{
    row<&ClockFault::process>({"process",
                               Kind::kName,
                               {},
                               "A process, named as in faults.crash: the clocks of its host; \"\": "
                               "servers that write logs.",
                               "SPEC A-30"}),
    row<&ClockFault::log>({"log", Kind::kChoice, {}, "Servers that write these logs.", "M", kLogs}),
    row<&ClockFault::server>(
        {"server", Kind::kName, {}, "One of them, from 0; \"any\": all.", "M"}),
    row<&ClockFault::kind>(
        {"kind",
         Kind::kChoice,
         {},
         "The calendar clock is off (offset), gains or loses (drift), is set wrong until the next "
         "synchronisation (step), stands still (freeze); TrueTime cannot be reached "
         "(truetime_outage) or is wrong (lying_interval); the clock of timers and leases gains or "
         "loses (monotonic_drift).",
         "SPEC A-30",
         kClockMishaps,
         {},
         true}),
    row<&ClockFault::direction>(
        {"direction", Kind::kChoice, {}, "Of by and rate.", "M", kClockDirections}),
    row<&ClockFault::by>(
        {"by", Kind::kDuration, kTime, "Of offset, step and lying_interval: how far.", "M"}),
    row<&ClockFault::rate>({"rate", Kind::kFraction, at_most(0.4),
                            "Of drift and monotonic_drift: the error of the clock's rate.", "M"}),
    row<&ClockFault::at>({"at", Kind::kDuration, kTime, "When it begins.", "M", {}, {}, true}),
    row<&ClockFault::duration>(
        {"for", Kind::kDuration, kTime, "How long; of a step: not stated.", "M"}),
};

constexpr std::array kFaultTables{
    section<kFaultsRows, &Config::faults>("faults", "What goes wrong."),
    repeated<kRandomRows, &Config::faults, &Faults::random>(
        "faults.random", "Faults at random times; the list is drawn before the run."),
    repeated<kOutageRows, &Config::faults, &Faults::outages>(
        "faults.outage",
        "The outage of a datacenter or of a part of it. Counted as outage.COMPONENT; of all of a "
        "region as outage.region, from its second datacenter on."),
    repeated<kCrashRows, &Config::faults, &Faults::crashes>(
        "faults.crash",
        "The crash of one process. Counted as process_crash, with lose_disk as disk_loss, with "
        "gracefully as graceful_restart, with whole_host as host_crash, with times as "
        "restart_loop, "
        "from its second crash on."),
    repeated<kPauseRows, &Config::faults, &Faults::pauses>(
        "faults.pause",
        "One process does nothing for a while; what comes for it waits. Counted as process_pause "
        "when something waited, and as long_pause if it is longer than the lease that such a "
        "process may hold (registry.lease, dispatcher.lease) when something waited that long."),
    repeated<kCacheLossRows, &Config::faults, &Faults::cache_losses>(
        "faults.cache_loss", "A cache loses its contents from one moment to the next."),
    repeated<kPartitionRows, &Config::faults, &Faults::partitions>("faults.partition",
                                                                   "A partition of the network."),
    repeated<kLinkFaultRows, &Config::faults, &Faults::links>(
        "faults.link", "Something befalls the messages between some processes."),
    repeated<kLateConfigurationRows, &Config::faults, &Faults::late_configurations>(
        "faults.late_configuration",
        "Some learn late of a change of the number of shards, although the network is well."),
    repeated<kSlowRows, &Config::faults, &Faults::slow>("faults.slow",
                                                        "All that a datacenter does takes longer."),
    repeated<kDiskFaultRows, &Config::faults, &Faults::disks>(
        "faults.disk", "Something is wrong with one disk or one shared cell."),
    repeated<kLogDamageRows, &Config::faults, &Faults::log_damages>(
        "faults.log_damage", "Records of input logs that cannot be read."),
    repeated<kLogStallRows, &Config::faults, &Faults::log_stalls>(
        "faults.log_stall", "Input logs of which nothing arrives for a while."),
    repeated<kLogTruncationRows, &Config::faults, &Faults::log_truncations>(
        "faults.log_truncation",
        "Input logs that lose their end in one datacenter, and are filled again there."),
    repeated<kOutputLossRows, &Config::faults, &Faults::output_losses>(
        "faults.output_loss", "Joined records that a cell loses."),
    repeated<kTrueTimeOutageRows, &Config::faults, &Faults::truetime_outages>(
        "faults.truetime_outage",
        "Servers of queries or clicks that reach no TrueTime server (synthetic workload only)."),
    repeated<kClockFaultRows, &Config::faults, &Faults::clocks>(
        "faults.clock", "The clocks of a process's host, or of servers that write logs, go wrong."),
};

}  // namespace

std::span<const TableSpec> fault_tables() { return kFaultTables; }

}  // namespace photonsim::scenarios
