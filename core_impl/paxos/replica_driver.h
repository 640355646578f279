// Runs one Replica inside a Node: log file, timer, messages, trace.
//
// The embedding Node owns the driver, forwards to it what is its, and implements StateMachine. The
// driver recovers the log from the host's own disk, feeds the value type, persists its records (one
// append at a time; whatever accumulates meanwhile goes into the next), sends its messages and
// hands chosen commands to the state machine. Until recovery has finished, messages are dropped.
//
// A volume that answers `full` or `unavailable` is asked again after a delay, for ever: the replica
// is silent meanwhile, because nothing leaves it before its records are durable. A log that is
// found damaged stops the replica for good (`health`): voting without memory would break agreement
// (B-18).
#pragma once

#include <cstdint>

#include "core_impl/paxos/replica.h"
#include "core_impl/paxos/replica_log.h"
#include "core_impl/paxos/state_machine.h"
#include "core_impl/runtime/alarm.h"
#include "core_impl/runtime/context.h"

namespace photon::paxos {

enum class Health : std::uint8_t { recovering, working, damaged };

struct DriverOptions {
  Config config;
  PooledVector<NodeId> members;  // node of replica index i at [i]; config.replicas of them
  VolumeId volume{};             // the host's own disk
  TimerKind timer = 0;           // one of the embedding Node's kinds, left to the driver
  Duration retry_delay = std::chrono::milliseconds(50);  // after a refused volume request
};

class ReplicaDriver {
 public:
  // `machine` must outlive the driver.
  ReplicaDriver(DriverOptions options, StateMachine& machine);

  void on_start(Context& context);
  // For the embedding Node's Accepts<...>::dispatch: it lists the seven types below in its Inbox
  // and forwards. M is one of them; messages of strangers and of other groups are ignored.
  template <class M>
  void on(Context& context, NodeId from, const M& message) {
    receive(context, from, Message(message));
  }
  void on_timer(Context& context, TimerKind kind);  // ignores kinds that are not its own
  // True if the ticket was the driver's.
  bool on_io(Context& context, Ticket ticket, IoResult& result);

  // Proposes `command` (not empty). Returns its slot, or 0 if refused: no authority, or
  // `pipeline_depth` slots are open. The command is chosen if and only if apply(slot, ...) is
  // called while this replica has been master without interruption; otherwise its outcome is
  // unknown.
  Slot propose(Context& context, const SharedBytes& command);

  // May this replica answer from its store now (B-14)? Ask at every answer.
  bool has_authority(const Context& context) const { return replica_.has_authority(context.now()); }
  bool can_propose(const Context& context) const { return replica_.can_propose(context.now()); }
  // Who is believed to be master; kNoNode if unknown.
  NodeId master_hint() const;
  Slot applied_slot() const { return replica_.applied(); }
  Health health() const { return health_; }
  const Replica& replica() const { return replica_; }

 private:
  void receive(Context& context, NodeId from, Message message);
  void run(Context& context, const Input& input);
  void drain(Context& context);
  void perform(Context& context, Output& output);
  void hand_over(Context& context, const Output& output);
  void send(Context& context, Envelope& envelope);
  void arm(Context& context);
  void recovered(Context& context);

  DriverOptions options_;
  StateMachine& machine_;
  ReplicaLog log_;
  Replica replica_;
  Health health_ = Health::recovering;
  enum class Draining : std::uint8_t { no, yes } draining_ = Draining::no;
  Output pending_;  // filled by steps
  Output active_;   // being performed; swapped with pending_ so that both keep their memory
  Alarm alarm_;
};

// The types a Node that embeds a driver must list in its Inbox:
//   Prepare, Promise, Accept, Accepted, Heartbeat, HeartbeatAck, Reject

}  // namespace photon::paxos
