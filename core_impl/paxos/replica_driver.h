// Runs one Replica inside a Node: disk, timer, messages, trace.
//
// The embedding Node owns the driver, forwards its events to it, and implements StateMachine. The
// driver recovers format, snapshot and log from the host's own disk, feeds the value type, persists
// its records (one append at a time; records that accumulate meanwhile are in the next one), sends
// its messages and hands chosen commands to the state machine. Until recovery has finished,
// messages are dropped.
//
// When the log has grown by max(snapshot_min_bytes, snapshot_factor x the last snapshot) since it
// began, the driver writes a snapshot of the machine; when that is durable, the log begins anew
// after it. So a log and its snapshot take at most about (2 + factor) times the machine's bytes,
// and what is written for snapshots is at most 1 / factor of what is written for commands.
// A replica that needs entries that others have dropped fetches their snapshot
// (snapshot_fetcher.h), makes it durable, and continues from there.
//
// A volume that answers `full` or `unavailable` is asked again after a delay, without limit. The
// replica is silent meanwhile, because no message leaves it before its records are durable. A disk
// whose files are damaged, or contradict each other, stops the replica for good (`health`): voting
// without memory would break agreement (B-18). The operator may then replace the disk. An empty
// disk is a new acceptor, without a vote until the group admits it (disk_format.h, generations.h).
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/paxos/disk_format.h"
#include "core_impl/paxos/replica.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/paxos/snapshot_fetcher.h"
#include "core_impl/paxos/snapshot_file.h"
#include "core_impl/paxos/state_machine.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/alarm.h"
#include "core_impl/runtime/context.h"
#include "core_impl/runtime/rounds.h"

namespace photon::paxos {

enum class Health : std::uint8_t { recovering, working, damaged };

struct DriverOptions {
  Config config;
  PooledVector<NodeId> members;  // node of replica index i at [i]; config.replicas of them
  VolumeId volume{};             // the host's own disk
  TimerKind timer = 0;           // one of the embedding Node's kinds, left to the driver
  Duration retry_delay = std::chrono::milliseconds(50);        // after a refused volume request
  std::uint64_t snapshot_min_bytes = std::uint64_t{1} << 20U;  // 0: no snapshots are taken
  std::uint32_t snapshot_factor = 1;
  std::uint64_t segment_bytes = std::uint64_t{4} << 20U;         // of the log, about
  std::uint32_t snapshot_chunk_bytes = std::uint32_t{1} << 18U;  // sent at once
  Duration fetch_timeout = std::chrono::seconds(1);              // then a piece is asked for again
};

class ReplicaDriver {
 public:
  // The embedding Node accepts this (Inbox::And<its own>) and forwards it.
  using Inbox = Accepts<Envelope>;

  // `machine` must outlive the driver.
  ReplicaDriver(DriverOptions options, StateMachine& machine);

  void on_start(Context& context);
  // Messages of strangers and of other groups are ignored.
  void on(Context& context, NodeId from, const Envelope& message);
  void on_timer(Context& context, TimerKind kind);  // ignores kinds that are not its own
  // True if the ticket was the driver's.
  bool on_io(Context& context, Ticket ticket, IoResult& result);

  // Proposes `command` (not empty). Returns its slot, or 0 if refused: no authority, or
  // `pipeline_depth` slots are open. The command is chosen if and only if apply(slot, ...) is
  // called while this replica has been master without interruption; otherwise its outcome is
  // unknown.
  Slot propose(Context& context, const SharedBytes& command);

  // May this replica answer from its store now (B-14)? Ask at every answer. A replica whose disk is
  // damaged has no authority, also while its lease still runs.
  bool has_authority(const Context& context) const {
    return health_ == Health::working && replica_.has_authority(context.now());
  }
  bool can_propose(const Context& context) const {
    return health_ == Health::working && replica_.can_propose(context.now());
  }
  // The believed master; kNoNode if unknown.
  NodeId master_hint() const;
  Slot applied_slot() const { return replica_.applied(); }
  Health health() const { return health_; }
  const Replica& replica() const { return replica_; }
  // What the embedding Node answers as Rounds, if it has no work of its own.
  std::optional<Rounds::Next> next_round() const;
  bool follows(NodeId leader) const;
  void rounds_passed(Duration time) { replica_.rounds_passed(time); }
  // For reports and tests.
  struct Statistics {
    std::uint64_t snapshots = 0;  // taken of the own machine, in this life
    std::uint64_t installed = 0;  // fetched from others
  };
  const Statistics& statistics() const { return statistics_; }
  std::uint64_t records() const { return issued_; }  // of this life, durable or not

 private:
  // The operation on the log that is under way, one at a time.
  enum class Compaction : std::uint8_t { none, taking, fetching, rewrite };

  std::optional<ReplicaIndex> index_of(NodeId node) const;
  // One for each payload; those of the value type go to it.
  template <class M>
  void take(Context& context, NodeId from, const M& message) {
    receive(context, from, Message(message));
  }
  void take(Context& context, NodeId from, const SnapshotFetch& message);
  void take(Context& context, NodeId from, const SnapshotChunk& message);
  void take(Context& context, NodeId from, const MoveMaster& message);
  void take(Context&, NodeId, const MasterReport&) {
    PHOTON_CHECK(false, "a replica asks no replica for a report");
  }
  void receive(Context& context, NodeId from, Message message);
  void run(Context& context, const Input& input);
  void drain(Context& context);
  void perform(Context& context, Output& output);
  void hand_over(Context& context, const Output& output);
  void send(Context& context, Outgoing& outgoing);
  void arm(Context& context);
  bool is_idle() const;

  // The disk (replica_driver_disk.cc).
  void on_format(Context& context, const IoResult& result);
  void on_snapshot(Context& context, Ticket ticket, IoResult& result);
  void on_log(Context& context, Ticket ticket, IoResult& result);
  void recovered(Context& context);
  bool restore(Context& context, std::span<const std::byte> file);
  void maintain(Context& context);
  bool wants_snapshot() const;
  void take_snapshot(Context& context);
  void write_again(Context& context);
  void snapshot_written(Context& context);
  void ask_for_snapshot(Context& context);
  void damage();

  DriverOptions options_;
  StateMachine& machine_;
  DiskFormat format_;
  SnapshotFile snapshot_;
  ReplicaLog log_;
  SnapshotFetcher fetcher_;
  Replica replica_;
  Health health_ = Health::recovering;
  std::uint32_t recovering_ = 3;  // parts of the disk that are not known yet
  std::uint64_t issued_ = 0;      // mark of the last record
  Compaction compaction_ = Compaction::none;
  Slot taking_ = 0;  // the slot after which the snapshot being written was taken
  Bytes fetched_{};  // a complete snapshot of another replica; while fetching: being written
  enum class Draining : std::uint8_t { no, yes } draining_ = Draining::no;
  Output pending_;  // filled by steps
  Output active_;   // being performed; swapped with pending_ so that both keep their memory
  Alarm alarm_;
  Statistics statistics_;
};

}  // namespace photon::paxos
