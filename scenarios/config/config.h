// The resolved scenario: the parameters of one run, as plain values.
//
// Every field is one key of a scenario file. The comment gives unit, default and source: "P" marks
// a value the paper fixes, "M" one chosen by SPEC.md Appendix 1 or by this project. The default in
// the member initialiser is the only one: the schema reads it from a default-constructed Config.
// Unit, range and one line of documentation of each key stand in schema_*.cc, and
// `photonsim explain KEY` prints them.
//
// Invariants of a Config that `load` returned: every value is inside its range, every datacenter it
// names exists, and the rules of config_validate.h hold. A Config built by hand promises nothing.
// `Config{}` is a healthy Photon deployment of five replicas and two pipelines.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/config/config_faults.h"
#include "scenarios/config/config_kinds.h"
#include "scenarios/config/config_load.h"
#include "scenarios/config/config_rare.h"
#include "scenarios/config/config_scale.h"

namespace photonsim::scenarios {

// ---- [scenario], [run] --------------------------------------------------------------------------

struct Scenario {
  std::string name{"unnamed"};  // one word; appears in reports and JSON
  std::string description{};    // one sentence for reports
  Tier tier{Tier::kWithin};     // default "within" (DESIGN 6)
  // contract tier: the broken assumption, in one word; campaigns report under it
  std::string breaks{};
  // contract tier: the oracles of which at least one must detect the damage (SPEC J-H3)
  std::vector<std::string> detected_by{};
  bool operator==(const Scenario&) const = default;
};

struct Run {
  // Length of generation, warm-up included (M). nullopt = "auto": that of the replayed trace. A
  // synthetic workload always has a value here.
  std::optional<Duration> duration{20min};
  Duration warm_up{1min};                   // queries only, before the first click (M)
  Duration measure_from{0};                 // latencies of clicks generated from here on (M)
  std::optional<Duration> quiesce_limit{};  // nullopt = "auto": computed from the rest (SPEC J-P0)
  std::optional<Duration> sample_interval{};  // nullopt = "auto": 1/120 of the run (M)
  bool keep_series{false};                    // figures of each interval in results files (M)
  std::uint64_t seed{1};                      // of every random stream (DESIGN 5)
  // limit of kernel events of a run; 0: computed from its length and load (world/event_limit.h)
  std::uint64_t most_events{0};
  // Datacenters that must finish all possible work without the others, before all faults are
  // repaired (DESIGN 6); none: all are repaired at once
  std::vector<std::string> core{};
  // state of the other datacenters meanwhile
  OutsideCore outside_core{OutsideCore::kDown};
  // count the corner cases of SPEC B.9 (J-H4); a run of the registry-only workload always does
  bool corner_cases{false};
  IndeterminateIds indeterminate{IndeterminateIds::kFail};
  // events at the same nanosecond are shuffled by the seed (M)
  bool shuffle_ties{false};
  // all happens at multiples of this, so that moments often coincide; 0: at any nanosecond (M)
  Duration tick{0};
  // heartbeats of idle registry shards are left out where they change nothing but times (M)
  bool leave_out_rounds{true};
  bool operator==(const Run&) const = default;

  // Between two neighbouring moments.
  [[nodiscard]] Duration time_step() const { return tick > Duration::zero() ? tick : Duration(1); }
};

// ---- [topology] ---------------------------------------------------------------------------------

struct Datacenter {
  std::string name{};    // unique; with wan = "gcp-us-2020" one of its five regions' names
  std::string region{};  // the unit of "no region holds a majority" (SPEC B-05)
  bool operator==(const Datacenter&) const = default;
};

struct Topology {
  // Order of this list numbers the datacenters. P section 4: five, in three regions as 2-2-1.
  std::vector<Datacenter> datacenters{{"us-east1", "east"},
                                      {"us-east4", "east"},
                                      {"us-west1", "west"},
                                      {"us-west2", "west"},
                                      {"us-central1", "central"}};
  // datacenters that run a pipeline, or the registry's clients; P: two
  std::vector<std::string> pipelines{"us-east1", "us-west1"};
  bool operator==(const Topology&) const = default;
};

// ---- [network] ----------------------------------------------------------------------------------

struct NetworkLink {
  std::string from{};  // datacenter
  std::string to{};    // datacenter; a link serves both directions
  Duration rtt{0};     // round-trip time without jitter
  bool operator==(const NetworkLink&) const = default;
};

struct Network {
  WanSource wan{WanSource::kGcpUs2020};  // measured matrix (docs/DATA.md, M)
  // with wan = "links" the matrix; otherwise overrides single pairs
  std::vector<NetworkLink> links{};
  Duration intra_datacenter_rtt{500us};  // M
  Duration jitter_mean{200us};           // exponential, added to every one-way delay (M)
  double loss{0.0};                      // probability that a message is lost (M)
  double duplication{0.0};               // probability that a message is delivered twice (M)
  double reordering{0.0};                // probability that a message is held back (M)
  Duration reorder_delay{5ms};           // longest time it is held back, uniform from 0 (M)
  bool operator==(const Network&) const = default;
};

// ---- [clocks] -----------------------------------------------------------------------------------

struct Clocks {
  // |C(t) - t| <= epsilon for each id-generating clock; S = 2 epsilon (SPEC A-31, M)
  Duration epsilon{100ms};
  // rho, rate error between synchronisations, a fraction (200 ppm: SPEC A-32, M)
  double drift{200e-6};
  Duration sync_period{30s};  // T, between synchronisations (SPEC A-32, M)
  Duration sync_error{10ms};  // e, error right after a synchronisation (SPEC A-32, M)
  Duration step_interval{0};  // mean time between steps of a clock, 0 = none (SPEC A-12, M)
  Duration step_max{0};       // largest step, either direction, inside epsilon unless violated (M)
  Duration truetime_uncertainty{4ms};  // half width of a TrueTime interval (SPEC A-30, M)
  Duration stamp_resolution{0};     // stamps are multiples of it; 0: as fine as the clock (A-11, M)
  bool violate_clock_bound{false};  // accept 2(e + rho T) >= S: the positive control A-35
  bool operator==(const Clocks&) const = default;

  // S of the paper: the largest difference of two clocks.
  [[nodiscard]] Duration skew_bound() const { return 2 * epsilon; }
};

// ---- [disk], [cell], [service] ------------------------------------------------------------------

// A host's own disk. Latencies are lognormal, given by median and 99th percentile.
struct Disk {
  Duration fsync_median{1ms};  // M
  Duration fsync_p99{20ms};    // M
  // bytes a second at which a replaced file is written, fsync excluded; 0: instantaneous (M)
  std::uint64_t write_rate{200 << 20};
  Duration read_median{200us};  // M
  Duration read_p99{10ms};      // M
  bool operator==(const Disk&) const = default;
};

// A datacenter's shared cell (the paper's local GFS): logs, file state, output.
struct Cell {
  Duration append_median{20ms};  // M
  Duration append_p99{200ms};    // M
  Duration read_median{5ms};     // M
  Duration read_p99{50ms};       // M
  Duration list_latency{10ms};   // of a directory listing (M)
  // joined records are removed from the cell at one to two times this age; 0: never (M)
  Duration keep_output{0};
  bool operator==(const Cell&) const = default;
};

// Processor time per step of a server; a server does one thing at a time.
struct Service {
  Duration registry_operation{5us};  // M
  Duration registry_snapshot{1ms};   // for each MiB written or read (M; 20 million ids measured)
  Duration joiner_step{50us};        // M
  Duration cache_lookup{20us};       // M
  Duration log_lookup{200us};        // M
  Duration dispatcher_step{20us};    // M
  bool operator==(const Service&) const = default;
};

// ---- [registry], [registry.routing] -------------------------------------------------------------

// Protection against clients and servers with an outdated sharding history. With all of it off, a
// client reads the history once and never again.
struct Routing {
  bool freshness{false};        // B-60c rule 1: histories older than max_age are not used (M)
  bool read_after_stamp{true};  // rule 2, which the paper's t2 > t1 + S allows (SPEC L-03)
  bool horizon{false};          // rule 4: only ids below the stored horizon (M)
  ServerCheck server_check{ServerCheck::kOff};  // rule 3 (M)
  Duration max_age{3s};                         // D of rule 1; changes start this much later (M)
  Duration horizon_ahead{30s};                  // rule 4: distance of the horizon (M)
  Duration horizon_period{10s};                 // rule 4: its update period (M)
  Duration retry_delay{200ms};                  // between two reads of the history (M)
  Duration retire_period{60s};                  // between checks for retired numbers (M)
  std::optional<Duration> skew_bound{};         // S assumed by the system; nullopt = 2 epsilon
  ChangeRule change_rule{ChangeRule::kStrict};  // SPEC B-54
  bool operator==(const Routing&) const = default;
};

struct Registry {
  // Datacenters of the replicas, an odd number 2f+1; every shard has one replica in each. P section
  // 4.
  std::vector<std::string> replicas{"us-east1", "us-east4", "us-west1", "us-west2", "us-central1"};
  std::uint64_t shards{4};                   // PaxosDB groups (SPEC B-19, M)
  std::uint64_t max_batch_operations{4096};  // per transaction (SPEC B-23; P "thousands")
  std::uint64_t max_batch_bytes{1 << 20};    // per transaction (SPEC B-23, M)
  // waiting requests; beyond it the server answers "overloaded" (M)
  std::uint64_t max_queue{100'000};
  // operations that a client puts in one request for one shard (SPEC B-30, M)
  std::uint64_t max_bundle{1024};
  LookupMode lookup_mode{LookupMode::kQueueOrdered};  // P section 2.1 (SPEC B-07)
  // batches in flight (P section 2.1 has one registry thread and speaks of one; SPEC B-24)
  std::uint64_t pipeline_depth{1};
  // The first waiting operation waits this long for others to join its batch (P section 2.2.1: it
  // does not; SPEC B-22, G-12)
  Duration linger{0};
  bool reject_future{false};  // ids more than S ahead of true time; they are counted (SPEC B-60f)
  // N, ids older than this are too old (P section 4.3: 3 days)
  Duration gc_age{72h};
  Duration gc_scan_period{60s};  // M
  // ids are removed in time slices of this width, once the boundary has passed the end of a slice;
  // nullopt = "auto": a sixteenth of gc_age, from 1 ms to 10 s (M)
  std::optional<Duration> gc_slice{};
  std::uint64_t gc_batch{1000};   // most ids removed by one transaction (SPEC B-69, M)
  Duration boundary_period{30s};  // how often the garbage boundary is advanced (M)
  Duration election_timeout{2s};  // M
  Duration lease{1500ms};         // master lease; shorter than election_timeout (M)
  Duration heartbeat{300ms};      // M
  // rate error of monotonic clocks that leases allow for, a fraction (M)
  double clock_drift_bound{200e-6};
  MasterPlacement master_placement{MasterPlacement::kSpread};  // open in the paper (SPEC B-19)
  std::string pinned_datacenter{};                             // with master_placement = "pinned"
  // The master hands over to the preferred one after that was fit for this time; 0: never (M)
  Duration master_return_after{0};
  // A replica takes a snapshot when its log has grown by the larger of snapshot_min_bytes (0:
  // never) and snapshot_factor times the last snapshot; a lagging replica fetches it in chunks (M).
  std::uint64_t snapshot_min_bytes{1 << 18};
  std::uint64_t snapshot_factor{1};  // replicas keep this log in memory (B-76)
  std::uint64_t snapshot_chunk_bytes{1 << 18};
  std::uint64_t segment_bytes{4 << 20};  // size of a file of a replica's log (M)
  // Slots, and about this number of bytes, in one message to a lagging replica (M).
  std::uint64_t catch_up_slots{64};
  std::uint64_t catch_up_bytes{1 << 20};
  Sharding sharding{Sharding::kFixed};  // M
  Routing routing{};                    // with sharding = "dynamic"
  bool operator==(const Registry&) const = default;

  // gc_slice, resolved.
  [[nodiscard]] Duration collected_slice() const {
    return gc_slice.value_or(std::clamp<Duration>(gc_age / 16, 1ms, 10s));
  }
};

// ---- [dispatcher], [joiner], [event_store] ------------------------------------------------------

struct Dispatcher {
  std::uint64_t workers{1};  // per pipeline; they divide the partitions (C-06, M)
  // Parts of the clicks, by the server that logged them; each is owned by one worker at a time. 0:
  // one for a single worker, else four times the workers (M)
  std::uint64_t partitions{0};
  Duration scan_period{1s};                     // discovery of growing files (M)
  double scan_jitter{0.5};                      // +- this fraction, per pause (M)
  bool pre_lookup{true};                        // ask the registry before sending (P section 3.2)
  Duration backoff_initial{1s};                 // M
  double backoff_factor{2.0};                   // M
  Duration backoff_cap{300s};                   // M
  double backoff_jitter{0.1};                   // +- this fraction (M)
  std::uint64_t unjoinable_attempts{20};        // R (M)
  Duration unjoinable_age{6h};                  // A (M): both must be exceeded
  std::uint64_t max_outstanding_lookups{1000};  // M
  std::uint64_t max_outstanding_sends{1000};    // M
  double fresh_share{0};        // of the look-ups, kept for clicks younger than fresh_age (C-33, M)
  Duration fresh_age{5min};     // M
  Duration lookup_timeout{2s};  // M
  Duration send_timeout{10s};   // dispatcher to joiner (M)
  // Ablation (G-24): clicks sent as one request; none is joined while the query of one is missing.
  // 1: each click is sent by itself (C-14)
  std::uint64_t group{1};
  Duration group_wait{2s};             // for a group to fill (M)
  std::uint64_t read_chunk{64 << 10};  // bytes per read of a log file (M)
  std::uint64_t max_reads{16};         // chunks of logs in memory, for each partition (M)
  // after this time an incomplete record at the end of a log is skipped: search for later ones (M)
  Duration stalled_after{60s};
  Duration lease{10s};             // of a partition's file state (M)
  Duration state_save_period{1s};  // how often file state is persisted (M)
  // a journal is rewritten when it exceeds twice its live bytes by this (M)
  std::uint64_t journal_slack{256 << 10};
  bool operator==(const Dispatcher&) const = default;

  // partitions, resolved.
  [[nodiscard]] std::uint64_t parts() const {
    if (partitions > 0) return partitions;
    return workers == 1 ? 1 : 4 * workers;
  }
};

struct Joiner {
  std::uint64_t count{8};             // per pipeline (M)
  std::uint64_t max_in_flight{1000};  // clicks per joiner (M)
  // requests per joiner: bounds the loss at a crash (M)
  std::uint64_t max_outstanding_registry{100};
  Duration registry_timeout{1s};     // more than twice a commit (M)
  Duration event_store_timeout{2s};  // M
  // requests of a joiner for one shard; 0 = no cap but the joiner's (D-22, M)
  std::uint64_t max_outstanding_per_shard{0};
  // clicks of a joiner from registration to durable output: bounds the loss at a crash (D-15); 0
  // = max_outstanding_registry (M)
  std::uint64_t max_window{0};
  // registrations are repeated with the same token (D-11); false: with a new one each time, as
  // an ablation (J-L1)
  bool tokens{true};
  // the output of each pipeline is copied to the cells of the others (D-08)
  bool output_copies{false};
  JoinerKind implementation{JoinerKind::kPhoton};
  AdapterKind adapter{AdapterKind::kCombine};
  // filter: skips clicks whose query's campaign is 0 modulo this (M)
  std::uint64_t skip_modulo{0};
  Duration delay_step{1min};  // enrich: width of a class of delay from query to click (M)
  bool operator==(const Joiner&) const = default;
};

struct Verification {
  bool enabled{false};
  std::uint64_t verifiers{1};        // per pipeline
  Duration grace{10min};             // verifiers skip younger clicks (M)
  Duration unregistered_after{12h};  // longer than any dispatcher keeps trying (M)
  Duration recheck_initial{30s};     // M
  Duration recheck_cap{10min};       // M
  Duration scan_period{5s};          // M
  Duration answer_timeout{5s};       // limit for auditors and registrars of lives (M)
  Duration memory{24h};              // how long auditors remember clicks seen in the output (M)
  bool operator==(const Verification&) const = default;
};

struct EventStore {
  std::uint64_t cache_nodes{4};         // per pipeline (M)
  std::uint64_t cache_bytes{64 << 20};  // per node; P: several minutes of queries
  Duration map_interval{10s};           // W, file map: at most this long without an entry (M)
  // M, file map: at most this many bytes without an entry (M)
  std::uint64_t map_bytes{1 << 20};
  Duration reader_poll{200ms};            // M
  std::uint64_t reader_chunk{256 << 10};  // bytes per read (M)
  // entries of the map not yet taken by the log store; beyond it, reading pauses (M)
  std::uint64_t reader_backlog{50'000};
  Duration stalled_after{60s};        // as the dispatcher's (M)
  Duration seek_cost{10ms};           // per look-up in a log (M)
  std::uint64_t log_concurrency{64};  // look-ups in logs at a time (M)
  // how far records of a log file are out of id order at most (M)
  Duration disorder{50ms};
  bool operator==(const EventStore&) const = default;
};

// ---- [shipping] ---------------------------------------------------------------------------------

// When bytes of a log appear in a pipeline's cell (SPEC G-16b): common + (gap in the far
// datacenter) + noise.
struct Shipping {
  Duration common_mean{2500ms};         // exponential, the same in all datacenters (M)
  Duration near_far_gap{1s};            // M
  Duration noise_mean{200ms};           // exponential, independent (M)
  Duration chunk{1s};                   // length of the pieces in which a log is shipped (M)
  Duration redraw{10s};                 // all delays are redrawn this often (M)
  double query_late_fraction{0.01};     // of the redraw intervals of query logs (M)
  Duration query_late_extra_mean{30s};  // exponential, added to it (M)
  bool operator==(const Shipping&) const = default;
};

// ---- [workload] ---------------------------------------------------------------------------------

// The primary (query) table of a trace.
struct PrimaryTrace {
  std::vector<std::string> files{};  // tables with a header; absolute after load
  std::string id{"query_id"};        // column names
  std::string time{"t_ms"};
  TimeUnit unit{TimeUnit::kAuto};  // of the time column
  std::uint64_t servers{4};        // servers the rows are dealt to (M)
  // of the files' bytes, set by load; not a key. Hashed instead of the path.
  std::uint64_t digest{0};
  bool operator==(const PrimaryTrace&) const = default;
};

// The foreign (click) table of a trace.
struct ForeignTrace {
  std::vector<std::string> files{};
  std::string id{"click_id"};
  std::string primary_id{"query_id"};
  std::string time{"t_ms"};
  TimeUnit unit{TimeUnit::kAuto};
  DanglingPolicy dangling{DanglingPolicy::kError};
  std::uint64_t servers{4};
  std::uint64_t digest{0};  // as in PrimaryTrace
  bool operator==(const ForeignTrace&) const = default;
};

// Operations of the registry's own clients. Shares need not add up to one: they are drawn one after
// another, as their comments say.
struct RegistryWorkload {
  std::uint64_t clients{2};     // in each of topology.pipelines (M)
  double rate{50};              // operations per second of all clients, Poisson (M)
  double lookups{0.3};          // of the operations; the others are inserts (M)
  double known{0.2};            // of the operations: about an id of an earlier one (M)
  double aged{0};               // of the operations: about an id up to `age` old (M)
  Duration age{1min};           // M
  double ahead{0};              // of the operations: about an id `lead` ahead of time (M)
  Duration lead{1s};            // M
  double twins{0};              // of the operations: an id nearly equal to an earlier one (M)
  double contested{0.2};        // of the inserts: other clients insert the id as well (M)
  std::uint64_t contenders{2};  // their number (M)
  double repeated{0};           // of the inserts: come again with the same token (M)
  double cleared{0};            // of the inserts: their tokens are cleared (SPEC BC-10, M)
  double removed{0};            // of the inserts: removed again (SPEC BC-12, BC-29, M)
  double at_boundary{0};        // of the inserts: stamped at a limit (SPEC BC-13, M)
  Duration lag{30ms};           // mean delay of those others and of the repetition (M)
  double bundled{0};            // of the arrivals: `bundle` operations at once (M)
  std::uint64_t bundle{4};      // M
  bool operator==(const RegistryWorkload&) const = default;
};

struct Workload {
  WorkloadKind kind{WorkloadKind::kSynthetic};
  SyntheticWorkload synthetic{};  // with kind = "synthetic"
  PrimaryTrace primary{};         // with kind = "trace"
  ForeignTrace foreign{};         // with kind = "trace"
  RegistryWorkload registry{};    // with kind = "registry"
  bool operator==(const Workload&) const = default;
};

// ---- [[operations.*]] : what operators do; times count from the start of the run ----------------

// The expected end of an operation. Another end is reported and fails the run, like an inert fault.
enum class ReshardEnd : std::uint8_t {
  kDone,     // "done": it came into force
  kRefused,  // "refused": at once (BC-17), or announced and then cancelled (BC-19)
  kAny,      // "any": faults decide
};
enum class MoveEnd : std::uint8_t { kDone, kGivenUp, kAny };  // "done", "given_up", "any"

// Changes the number of shards (SPEC B-56, B-57).
struct ReshardOperation {
  Duration at{0};           // time of the request
  std::uint64_t shards{0};  // the new number
  Duration starts_in{60s};  // t2: this long after the present latest time (SPEC B-54)
  ReshardEnd expect{ReshardEnd::kDone};
  bool operator==(const ReshardOperation&) const = default;
};

// Crashes the current master of the group; without one, the next to be elected.
struct KillMasterOperation {
  std::string group{};  // "registry/2" (a shard) or "sharding/0" (the configuration group)
  Duration at{0};
  Duration restart_after{5s};  // exact
  bool operator==(const KillMasterOperation&) const = default;
};

// Moves the master of the group to that datacenter (SPEC B-19).
struct MoveMasterOperation {
  std::string group{};  // as above
  std::string to{};     // a datacenter with a replica
  Duration at{0};
  MoveEnd expect{MoveEnd::kDone};
  bool operator==(const MoveMasterOperation&) const = default;
};

// The dispatchers of a datacenter restart without their state, at the present end of
// the logs (C-32).
struct ForgetStateOperation {
  std::string datacenter{};  // of a pipeline
  Duration at{0};
  bool operator==(const ForgetStateOperation&) const = default;
};

struct Operations {
  std::vector<ReshardOperation> reshards{};
  std::vector<KillMasterOperation> kills{};
  std::vector<MoveMasterOperation> moves{};
  std::vector<ForgetStateOperation> forgets{};
  bool operator==(const Operations&) const = default;
};

// ---- all of it ----------------------------------------------------------------------------------

struct Config {
  Scenario scenario{};
  Scale scale{};
  Run run{};
  Rare rare{};
  Topology topology{};
  Network network{};
  Clocks clocks{};
  Disk disk{};
  Cell cell{};
  Service service{};
  Registry registry{};
  Dispatcher dispatcher{};
  Joiner joiner{};
  Verification verification{};
  EventStore event_store{};
  Shipping shipping{};
  Workload workload{};
  Faults faults{};
  Operations operations{};
  bool operator==(const Config&) const = default;

  [[nodiscard]] bool counts_corner_cases() const { return run.corner_cases || registry_only(); }
  // Only the registry and its clients.
  [[nodiscard]] bool registry_only() const { return workload.kind == WorkloadKind::kRegistry; }
};

}  // namespace photonsim::scenarios
