// Forgets the numbers of shards that no id needs any more.
//
// An interval of the sharding history may be forgotten when the boundary of every shard has passed
// its end (B-60b). From then on every shard, old or new, answers "too old" for its ids, so any
// shard may be asked. Old shards that own only such ids may then be removed (B-58): a client that
// reads the history routes their ids to the remaining shards.
//
// Boundaries never decrease, so an answer of any replica of a shard, however old, is a valid bound.
// One round every period: read the history, ask each shard, and if all have passed, ask the
// configuration group to forget against the version that was read. Lost messages are repeated in
// the next round, to the next replicas in turn. Nothing is kept over a restart.
//
// Paper: Photon section 2.3 (the boundary); SPEC B-58, B-60b, B-70.
#pragma once

#include <cstdint>

#include "core_impl/photon/registry_messages.h"
#include "core_impl/photon/sharding/sharding_messages.h"
#include "core_impl/rpc/master_finder.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/runtime/accepts.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct ShardRetirementOptions {
  PooledVector<NodeId> configuration{};         // replicas of the configuration group
  PooledVector<PooledVector<NodeId>> shards{};  // replicas of every shard that there may be
  Duration period = std::chrono::seconds(60);   // between two rounds
};

class ShardRetirement final : public Node {
 public:
  using Inbox = Accepts<ShardingReply, BoundaryReply>;

  explicit ShardRetirement(ShardRetirementOptions options);

  void on_start(Context& context) override { begin_round(context); }
  void on_message(Context& context, NodeId from, const Body& body) override;
  void on_timer(Context& context, TimerKind kind) override;
  void on_io(Context& context, Ticket ticket, IoResult& result) override;
  void on(Context& context, NodeId from, const ShardingReply& reply);
  void on(Context& context, NodeId from, const BoundaryReply& reply);

 private:
  enum class Stage : std::uint8_t { reading, asking, done };

  void begin_round(Context& context);
  void ask_shards(Context& context, const ShardingReply& history);

  static constexpr TimerKind kTimer = 0;

  ShardRetirementOptions options_;
  rpc::MasterFinder master_;
  std::uint64_t rounds_ = 0;  // the number of the round is that of all its requests
  std::uint64_t request_ = 0;
  NodeId asked_ = kNoNode;  // of the configuration group
  Stage stage_ = Stage::done;
  ShardingForget forget_{};
  PooledVector<ShardId> waiting_for_{};  // boundary not known to have passed forget_.below
};

}  // namespace photon
