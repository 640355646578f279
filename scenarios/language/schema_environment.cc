// Rows of the schema: the environment of Photon.

#include <array>

#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr Range kRoundTrip = between(1, kHour);  // between datacenters: above zero

constexpr std::array kDatacenterRows{
    row<&Datacenter::name>({"name", Kind::kName, {}, "Unique name.", "P 4", {}, {}, true}),
    row<&Datacenter::region>({"region",
                              Kind::kName,
                              {},
                              "Region; no region may hold a majority of the registry replicas.",
                              "SPEC B-05",
                              {},
                              {},
                              true}),
};
constexpr std::array kTopologyRows{
    row<&Topology::pipelines>({"pipelines",
                               Kind::kNames,
                               {},
                               "Datacenters that run a pipeline (dispatcher, joiners, EventStore).",
                               "P 4"}),
};

constexpr std::array<std::string_view, 2> kWanSources{"gcp-us-2020", "links"};
constexpr std::array kNetworkRows{
    row<&Network::wan>(
        {"wan",
         Kind::kChoice,
         {},
         "Round trips between datacenters: the measured matrix of us-east1, us-east4, us-central1, "
         "us-west1, us-west2, or [[network.link]] alone.",
         "M",
         kWanSources}),
    row<&Network::intra_datacenter_rtt>({"intra_datacenter_rtt", Kind::kDuration, kLatency,
                                         "Round trip inside a datacenter.", "M"}),
    row<&Network::jitter_mean>({"jitter_mean", Kind::kDuration, kLatency,
                                "Mean of the exponential jitter of every one-way delay.", "M"}),
    row<&Network::loss>(
        {"loss", Kind::kFraction, kUnit, "Probability that a message is lost.", "M"}),
    row<&Network::duplication>({"duplication", Kind::kFraction, kUnit,
                                "Probability that a message is delivered twice.", "M"}),
    row<&Network::reordering>(
        {"reordering", Kind::kFraction, kUnit, "Probability that a message is held back.", "M"}),
    row<&Network::reorder_delay>({"reorder_delay", Kind::kDuration, kLatency,
                                  "Longest delay of a held-back message; uniform from 0.", "M"}),
};
constexpr std::array kLinkRows{
    row<&NetworkLink::from>({"from", Kind::kName, {}, "A datacenter.", "M", {}, {}, true}),
    row<&NetworkLink::to>({"to", Kind::kName, {}, "Another; both directions.", "M", {}, {}, true}),
    row<&NetworkLink::rtt>(
        {"rtt", Kind::kDuration, kRoundTrip, "Round trip.", "P 4: up to 100 ms", {}, {}, true}),
};

constexpr std::array kClockRows{
    row<&Clocks::epsilon>({"epsilon", Kind::kDuration, kLatency,
                           "Bound on the error of every id-generating clock; S = 2 epsilon.",
                           "SPEC A-31, M"}),
    row<&Clocks::drift>({"drift", Kind::kFraction, at_most(0.1),
                         "Rate error between synchronisations.", "SPEC A-32, M"}),
    row<&Clocks::sync_period>({"sync_period", Kind::kDuration, kTimer,
                               "Time between synchronisations with a TrueTime server.",
                               "SPEC A-32, M"}),
    row<&Clocks::sync_error>({"sync_error", Kind::kDuration, kLatency,
                              "Error right after a synchronisation.", "SPEC A-32, M"}),
    row<&Clocks::step_interval>({"step_interval", Kind::kDuration, kNotNegative,
                                 "Mean time between steps of a clock; 0s = none.", "SPEC A-12, M"}),
    row<&Clocks::step_max>({"step_max", Kind::kDuration, kLatency,
                            "Largest step of a clock, forwards or backwards.", "SPEC A-12, M"}),
    row<&Clocks::truetime_uncertainty>({"truetime_uncertainty", Kind::kDuration, kLatency,
                                        "Half the width of a TrueTime interval.", "SPEC A-30, M"}),
    row<&Clocks::stamp_resolution>(
        {"stamp_resolution", Kind::kDuration, kNotNegative,
         "Servers stamp ids with multiples of this, rounded down, so that ids share stamps; 0s: as "
         "fine as their clocks. The error counts towards epsilon.",
         "SPEC A-11, A-31, M"}),
    row<&Clocks::violate_clock_bound>(
        {"violate_clock_bound", Kind::kBoolean, kAny,
         "Accept clocks that leave their bound: the positive control.", "SPEC A-35"}),
};

constexpr std::array kDiskRows{
    row<&Disk::fsync_median>({"fsync_median", Kind::kDuration, kLatency,
                              "Median of the lognormal fsync latency of a host's disk.", "M"}),
    row<&Disk::fsync_p99>({"fsync_p99", Kind::kDuration, kLatency, "Its 99th percentile.", "M"}),
    row<&Disk::write_rate>({"write_rate", Kind::kBytes, between(0, 1e12),
                            "Bytes a second at which a snapshot is written, its fsync besides; 0 = "
                            "in no time. Appends to the log do not wait for it.",
                            "M"}),
    row<&Disk::read_median>({"read_median", Kind::kDuration, kLatency, "Median of a read.", "M"}),
    row<&Disk::read_p99>({"read_p99", Kind::kDuration, kLatency, "Its 99th percentile.", "M"}),
};
constexpr std::array kCellRows{
    row<&Cell::append_median>({"append_median", Kind::kDuration, kLatency,
                               "Median latency of an append to the datacenter's shared cell.",
                               "M"}),
    row<&Cell::append_p99>({"append_p99", Kind::kDuration, kLatency, "Its 99th percentile.", "M"}),
    row<&Cell::read_median>({"read_median", Kind::kDuration, kLatency, "Median of a read.", "M"}),
    row<&Cell::read_p99>({"read_p99", Kind::kDuration, kLatency, "Its 99th percentile.", "M"}),
    row<&Cell::list_latency>(
        {"list_latency", Kind::kDuration, kLatency, "Latency of a directory listing.", "M"}),
    row<&Cell::keep_output>({"keep_output", Kind::kDuration, kTime,
                             "Joined records older than this, up to twice this, leave the cell: "
                             "their readers have read them. 0 keeps them all.",
                             "M"}),
};
constexpr std::array kServiceRows{
    row<&Service::registry_operation>(
        {"registry_operation", Kind::kDuration, kLatency,
         "Processor time of a registry operation, where it is asked and where it is accepted.",
         "M"}),
    row<&Service::registry_snapshot>(
        {"registry_snapshot", Kind::kDuration, kLatency,
         "Processor time of a replica for each MiB of a snapshot written or read.", "M"}),
    row<&Service::joiner_step>({"joiner_step", Kind::kDuration, kLatency,
                                "Processor time of a joiner for each click it is sent.", "M"}),
    row<&Service::cache_lookup>({"cache_lookup", Kind::kDuration, kLatency,
                                 "Processor time of a look-up in the cache.", "M"}),
    row<&Service::log_lookup>(
        {"log_lookup", Kind::kDuration, kLatency, "Processor time of a look-up in the logs.", "M"}),
    row<&Service::dispatcher_step>(
        {"dispatcher_step", Kind::kDuration, kLatency,
         "Processor time of a dispatcher for each answered look-up of a click.", "M"}),
};
constexpr std::array kEnvironmentTables{
    section<kTopologyRows, &Config::topology>("topology", "Datacenters and pipelines."),
    repeated<kDatacenterRows, &Config::topology, &Topology::datacenters>(
        "topology.datacenter", "A datacenter; their order numbers them."),
    section<kNetworkRows, &Config::network>("network", "The network between and in datacenters."),
    repeated<kLinkRows, &Config::network, &Network::links>(
        "network.link", "The round trip of one pair of datacenters."),
    section<kClockRows, &Config::clocks>("clocks", "Clocks of the servers that make event ids."),
    section<kDiskRows, &Config::disk>("disk", "A host's own disk."),
    section<kCellRows, &Config::cell>("cell", "A datacenter's shared storage cell."),
    section<kServiceRows, &Config::service>("service", "Processor time of the servers."),
};

}  // namespace

std::span<const TableSpec> environment_tables() { return kEnvironmentTables; }

}  // namespace photonsim::scenarios
