// An operator: moves the master of one group to a given replica, from a given time on.
//
// Asks every replica, because no other process knows the master. Repeats this until the target
// answers that it holds authority, or until `time_limit` is over: a master that is cut off, or a
// target that is down, does not occupy an operator permanently. Lost, late or repeated messages do
// no harm (handover.h). Keeps no state over its own crash: an operator that starts after its time
// does nothing.
//
// SPEC B-19.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/paxos/messages.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"

namespace photon::paxos {

struct MasterMoverOptions {
  ShardId group{};
  PooledVector<NodeId> members{};  // node of replica index i at [i]
  ReplicaIndex to = 0;
  LocalTime at{};  // by the operator's calendar clock
  Duration retry_delay = std::chrono::milliseconds(500);
  Duration time_limit = std::chrono::seconds(20);
};

enum class MoveOutcome : std::uint8_t { moved, given_up };

class MasterMover final : public Node {
 public:
  using Inbox = Accepts<Envelope>;

  explicit MasterMover(MasterMoverOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void on(Context& context, NodeId from, const Envelope& message);

  // How it ended, once it has.
  const std::optional<MoveOutcome>& outcome() const { return outcome_; }

 private:
  void ask(Context& context);

  static constexpr TimerKind kTimer = 0;

  MasterMoverOptions options_;
  std::uint64_t request_ = 0;  // 0: nothing was asked yet
  MonotonicTime give_up_{};
  std::optional<MoveOutcome> outcome_{};
};

}  // namespace photon::paxos
