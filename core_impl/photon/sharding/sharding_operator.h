// An operator: asks, at a given time, for one change of the number of shards.
//
// Reads the history, chooses t2 = TT.latest + starts_in, rounded up to a full `round_to`, asks for
// the change against the version that was read, and repeats the same request until the outcome is
// known. Silence and `not_master` leave it unknown: the change may be in force. `conflict` may be
// the answer to the second copy of a request whose first copy succeeded, so the history in the
// answer is checked first. After losing a race against another operator it begins anew, with a new
// t2. A refused or cancelled change is over.
//
// Keeps no state over its own death: an operator that starts after its time does nothing.
//
// Paper: Photon section 2.2.2; SPEC B-54, B-60a.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/photon/sharding/sharding_messages.h"
#include "core_impl/rpc/master_finder.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct ShardingOperatorOptions {
  PooledVector<NodeId> replicas{};  // of the configuration group
  LocalTime at{};                   // by the operator's calendar clock
  Duration starts_in{};             // t2 - TT.latest when the change is asked for
  Duration round_to{};              // of t2, as a calendar shows it; 0: as it is
  std::uint32_t shards = 1;
  Duration request_timeout = std::chrono::seconds(1);
  Duration retry_delay = std::chrono::milliseconds(200);
};

class ShardingOperator final : public Node {
 public:
  using Inbox = Accepts<ShardingReply>;

  explicit ShardingOperator(ShardingOperatorOptions options);

  void on_start(Context& context) override;
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void on(Context& context, NodeId from, const ShardingReply& reply);

  // The definitive answer, once there is one.
  const std::optional<ShardingCode>& outcome() const { return outcome_; }

 private:
  enum class Stage : std::uint8_t { waiting, reading, changing, over };

  Stamp start_at(Context& context) const;
  void read(Context& context);
  void send(Context& context);
  void pause(Context& context, Stage then);
  void on_history(Context& context, const ShardingReply& reply);
  void on_outcome(Context& context, const ShardingReply& reply);
  bool is_in_force(const ShardingReply& reply) const;
  bool has_count(const ShardingReply& reply) const;
  void finish(ShardingCode outcome);

  static constexpr TimerKind kTimer = 0;

  ShardingOperatorOptions options_;
  rpc::MasterFinder master_;
  Stage stage_ = Stage::waiting;
  bool pausing_ = false;
  NodeId asked_ = kNoNode;
  std::uint64_t requests_ = 0;
  ShardingChange change_{};  // the request, from `changing` on; its number serves reads as well
  std::optional<ShardingCode> outcome_{};
};

}  // namespace photon
