// What a group replicates: the embedding server's side of PaxosDB.
#pragma once

#include <cstdint>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/paxos/types.h"
#include "core_impl/runtime/context.h"

namespace photon::paxos {

// Called by ReplicaDriver, never from inside ReplicaDriver::propose. Each call may call propose.
// State is volatile: after a restart the latest snapshot is restored, if there is one, and
// everything after it is applied again (B-18).
class StateMachine {
 public:
  StateMachine() = default;
  StateMachine(const StateMachine&) = delete;
  StateMachine& operator=(const StateMachine&) = delete;
  virtual ~StateMachine() = default;

  // The chosen command of `slot`; slots come in order, each once per life, on every replica. An
  // empty command is a no-op and must change nothing. Must be deterministic: no clock, no random
  // draw (B-15). Returns the number of operations in the command, for the trace.
  virtual std::uint32_t apply(Context& context, Slot slot, std::span<const std::byte> command) = 0;
  // Hash of the store: equal on all replicas at equal slots (B-10).
  virtual std::uint64_t state_hash() const = 0;

  // Appends the whole state, to be restored here or on any other replica. Deterministic, and so is
  // restore: state_hash afterwards is what it was. It may be large: an implementation that knows
  // its size reserves it, so that there is one copy at a time.
  virtual void snapshot(Bytes& out) const = 0;
  // Replaces any previous state by that after `slot`. Never called on a master. False if the bytes
  // are no snapshot of such a machine; the replica then stops.
  virtual bool restore(Context& context, Slot slot, std::span<const std::byte> snapshot) = 0;

  // This replica holds authority and has applied every slot chosen before (B-13): slots up to
  // `applied`. From now on commands may be proposed. At most once per ballot.
  virtual void became_master(Context& context, Ballot ballot, Slot applied) = 0;
  // Authority has ended. Commands proposed and not yet applied have an unknown outcome: they may
  // still be applied later, here or elsewhere (B-27, B-29).
  virtual void lost_mastership(Context& context) = 0;
};

}  // namespace photon::paxos
