// Facts about the environment of the system: faults, clocks and the generated input.
#pragma once

#include <cstdint>

#include "core_impl/base/event_id.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/trace/record.h"

namespace photon::trace {

enum class Phase : std::uint32_t {
  started = 0,  // time zero; the cluster is built
  generation_ended = 1,
  faults_ended = 2,  // all healed, all restarted: from here liveness is checked (J-P0)
  finished = 3,
};

struct RunPhase {
  static constexpr Kind kKind = Kind::run_phase;
  Phase phase;
};

// header.node began a new life.
struct ProcessStarted {
  static constexpr Kind kKind = Kind::process_started;
  std::uint32_t role;  // numbered by the deployment
};

struct ProcessCrashed {
  static constexpr Kind kKind = Kind::process_crashed;
  std::uint32_t fault;         // index in the run's fault list
  std::uint32_t in_order = 0;  // 1: it was asked to stop, and reported that it may be ended (D-23)
};

// header.node does nothing for this duration, or until it crashes or is resumed.
struct ProcessPaused {
  static constexpr Kind kKind = Kind::process_paused;
  std::int64_t nanoseconds;
};
struct ProcessResumed {
  static constexpr Kind kKind = Kind::process_resumed;
  std::uint64_t unused = 0;
};

// A synchronisation moved a host's calendar clock by more than it usually does.
struct ClockStepped {
  static constexpr Kind kKind = Kind::clock_stepped;
  std::int64_t step_nanoseconds;  // forwards if positive
  std::uint32_t host;
  std::uint32_t unused = 0;
};

// Messages from `from` to `to` (datacenters) are lost, in that direction only.
struct PartitionBegan {
  static constexpr Kind kKind = Kind::partition_began;
  std::uint32_t fault;
  DatacenterId from;
  DatacenterId to;
};
struct PartitionHealed {
  static constexpr Kind kKind = Kind::partition_healed;
  std::uint32_t fault;
  DatacenterId from;
  DatacenterId to;
};

// header.datacenter lost the component class `component` (numbered by the deployment).
struct OutageBegan {
  static constexpr Kind kKind = Kind::outage_began;
  std::uint32_t fault;
  std::uint32_t component;
};
struct OutageEnded {
  static constexpr Kind kKind = Kind::outage_ended;
  std::uint32_t fault;
  std::uint32_t component;
};

// A configured fault took effect for the first time (DESIGN 6: a fault that is configured but inert
// fails the run).
struct FaultEffect {
  static constexpr Kind kKind = Kind::fault_effect;
  std::uint32_t fault;
};

// From here until Phase::faults_ended the datacenters of the core work and reach each other,
// whatever happens to the others (DESIGN 6). Whatever they could do by then, they must have done.
struct CoreChosen {
  static constexpr Kind kKind = Kind::core_chosen;
  std::uint64_t datacenters;  // bit n: number n
  std::uint32_t replicas;     // of each group, in these datacenters
  std::uint32_t unused = 0;
};

// A click came into being at header.at. Its record ends at byte `click_end` of `click_file`; the
// query it refers to ends at byte `query_end` of `query_file` (kNoFile if it refers to none).
// `joined_hash` is what a right join of the two must hash to (J-S15), computed by the workload.
struct ClickGenerated {
  static constexpr Kind kKind = Kind::click_generated;
  static constexpr std::uint32_t kNoFile = 0xffffffffU;
  EventId click;
  EventId query;
  std::uint64_t click_end;
  std::uint64_t query_end;
  std::uint64_t joined_hash;
  std::uint32_t click_file;
  std::uint32_t query_file;
  std::uint64_t expect_skip;  // 1: a reference adapter skips this click (D-06)
};

// The copy of `file` in header.datacenter can be read up to `length` bytes, from header.at on. Less
// than before: it was truncated, and will grow again.
struct LogVisible {
  static constexpr Kind kKind = Kind::log_visible;
  std::uint64_t length;
  std::uint32_t file;
  std::uint32_t unused = 0;
};

// The record of `event`, which fills [begin, end) of `file`, cannot be read from the copy of
// header.datacenter; it is there from header.at on. A bit is wrong, or the bytes are lost.
struct InputDamaged {
  static constexpr Kind kKind = Kind::input_damaged;
  EventId event;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint32_t file;
  std::uint16_t lost;   // 1: zeros in place of it
  std::uint16_t click;  // 1: of a click, 0: of a query
};

// The next record is of `moment`, not after header.at: it belongs to a round of an idle group
// (runtime/rounds.h) that the runtime carried out when something else was about to happen to a
// member. `left_out` such rounds before it are not in the trace: they changed nothing but times.
struct Recalled {
  static constexpr Kind kKind = Kind::recalled;
  SimTime moment;
  std::uint64_t left_out;
};

// What a process uses that may run out. Numbers are part of the trace: never renumber.
enum class Resource : std::uint32_t {
  processor = 0,            // the process itself: busy or not
  volume = 1,               // requests under way to the volume header.peer; header.node is kNoNode
  dispatcher_reads = 10,    // reads of click logs
  dispatcher_lookups = 11,  // clicks that are looked up, or looked up and not yet sent
  dispatcher_sends = 12,    // clicks at joiners
  dispatcher_clicks = 13,   // clicks in memory
  dispatcher_backlog = 14,  // clicks that are not fresh, looked up and not yet sent (C-33)
  joiner_clicks = 20,       // clicks being joined
  joiner_registrations = 21,
  joiner_window = 22,  // clicks from registration to durable output (D-15)
  joiner_shard = 23,   // registrations at the shard that has most of them
  event_store_searches = 30,
  registry_queue = 40,         // operations that wait for a transaction
  registry_transactions = 41,  // transactions under way
  registry_batch = 42,         // operations in them
  registry_batch_bytes = 43,   // their bytes
};

// Measured: the use of a resource in the `nanoseconds` before header.at. Sums are integrals over
// time, in units times nanoseconds. `limit` is the last one stated, 0 without one. What was not
// used in an interval has no record, but for the first process's processor: it marks the interval.
struct ResourceUsed {
  static constexpr Kind kKind = Kind::resource_used;
  std::int64_t nanoseconds;
  std::uint64_t used_sum;
  std::uint64_t waiting_sum;
  std::uint64_t full_nanoseconds;  // in which `used` had reached the limit
  std::uint64_t limit;
  std::uint64_t used_max;
  std::uint64_t waiting_max;
  Resource resource;
  std::uint32_t unused = 0;
};

}  // namespace photon::trace
