// One replica of the configuration group: the Node around PaxosDB and the sharding history.
//
// Reads are answered by the master alone, from what it has applied, under a valid lease: they are
// linearizable (B-14). A change runs through two transactions (shard_history.h): announced; then,
// seen applied, confirmed if TT.latest + margin < t2 still holds at that moment, else cancelled. A
// master that finds an open announcement at its election decides it by the same rule. So an
// announcement that an outage delayed until after t2 - margin is cancelled (B-60d, BC-19).
//
// The margin is S, plus the age limit of histories where clients route by rule 1 of B-60c.
// Decisions are proposed before announcements; one transaction at a time.
//
// Paper: Photon section 2.2.2; SPEC B-54..B-60d.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/paxos/messages.h"
#include "core_impl/paxos/replica_driver.h"
#include "core_impl/paxos/state_machine.h"
#include "core_impl/photon/sharding/shard_history.h"
#include "core_impl/photon/sharding/sharding_messages.h"
#include "core_impl/runtime/accepts.h"

namespace photon {

// May a change be announced for t2 <= TT.latest + margin? Only for the paper's own example (L-01),
// and for experiments that show the damage.
enum class ChangeRule : std::uint8_t { strict, unchecked };

struct ShardingServerOptions {
  paxos::DriverOptions consensus{};  // its timer is chosen by the server
  std::uint32_t first_shards = 1;    // the history before any change
  Duration margin{};                 // S, plus the age limit of clients' histories (rule 1)
  Duration horizon_ahead{};          // 0: no horizon; else it is kept this far ahead of TT.latest
  Duration horizon_period = std::chrono::seconds(10);
  ChangeRule change_rule = ChangeRule::strict;
};

class ShardingServer final : public Node, private paxos::StateMachine {
 public:
  using Inbox = paxos::ReplicaDriver::Inbox::And<ShardingRead, ShardingChange, ShardingForget>;

  explicit ShardingServer(ShardingServerOptions options);

  void on_start(Context& context) override { driver_.on_start(context); }
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;

  void on(Context& context, NodeId from, const ShardingRead& message);
  void on(Context& context, NodeId from, const ShardingChange& message);
  void on(Context& context, NodeId from, const ShardingForget& message);
  void on(Context& context, NodeId from, const paxos::Envelope& message) {
    driver_.on(context, from, message);
  }

  const ShardHistory& history() const { return history_; }
  const paxos::ReplicaDriver& driver() const { return driver_; }

 private:
  enum : TimerKind { kConsensusTimer = 0, kHorizonTimer = 1 };
  struct Operator {
    NodeId client{};
    std::uint64_t request = 0;
    ShardingOperation operation{};
  };

  std::uint32_t apply(Context& context, paxos::Slot slot,
                      std::span<const std::byte> command) override;
  std::uint64_t state_hash() const override { return history_.state_hash(); }
  void snapshot(Bytes& out) const override { append_bytes(history_.snapshot(), out); }
  bool restore(Context&, paxos::Slot, std::span<const std::byte> snapshot) override {
    return history_.restore(snapshot);
  }
  void became_master(Context& context, paxos::Ballot ballot, paxos::Slot applied) override;
  void lost_mastership(Context& context) override;

  // Ends every callback: proposes what is due, most urgent first.
  void work(Context& context);
  std::optional<ShardingOperation> next_operation(Context& context);
  bool in_time(Context& context, Stamp start) const;
  void answer_if_decided(const ShardingOperation& operation, ShardingResult result);
  // Answers leave at the end of the callback: after the trace has seen what they depend on.
  void answer(NodeId client, std::uint64_t request, ShardingCode code);
  void answer_operator(ShardingCode code);
  void send_answers(Context& context);

  ShardingServerOptions options_;
  ShardHistory history_;
  paxos::ReplicaDriver driver_;
  enum class Role : std::uint8_t { follower, master } role_ = Role::follower;
  paxos::Slot open_slot_ = 0;           // of this master's transaction under way; 0: none
  std::optional<Operator> operator_{};  // of the present change; others are answered `undecided`
  enum class Stage : std::uint8_t { waiting, proposed } stage_ = Stage::waiting;
  std::optional<ShardingOperation> forget_{};  // requested and not proposed yet
  struct Answer {
    NodeId client{};
    ShardingReply reply{};
  };
  PooledVector<Answer> answers_{};
};

}  // namespace photon
