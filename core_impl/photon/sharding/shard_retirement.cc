#include "core_impl/photon/sharding/shard_retirement.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

ShardRetirement::ShardRetirement(ShardRetirementOptions options)
    : options_(std::move(options)), master_(options_.configuration) {
  PHOTON_CHECK(options_.period > Duration::zero(), "rounds follow one another at some distance");
}

void ShardRetirement::on_message(Context& context, NodeId from, const Body& body) {
  Inbox::dispatch(*this, context, from, body);
}

void ShardRetirement::on_io(Context&, Ticket, IoResult&) {
  PHOTON_CHECK(false, "nothing is written here");
}

void ShardRetirement::on_timer(Context& context, TimerKind) {
  if (stage_ == Stage::reading) {
    PHOTON_MARK("sharding.retirement.silent");
    master_.silent(asked_);
  }
  begin_round(context);
}

void ShardRetirement::begin_round(Context& context) {
  stage_ = Stage::reading;
  request_ = rpc::request_number(context.incarnation(), ++rounds_);
  asked_ = master_.target();
  context.send(asked_, Body::make(ShardingRead{request_}));
  context.set_timer(kTimer, context.now() + options_.period);
}

void ShardRetirement::on(Context& context, NodeId from, const ShardingReply& reply) {
  if (reply.request != request_ || stage_ != Stage::reading) {
    PHOTON_MARK("sharding.retirement.late_history");
    return;
  }
  if (reply.code == ShardingCode::not_master) {
    PHOTON_MARK("sharding.retirement.not_master");
    stage_ = Stage::done;  // the next round asks the replica that the hint names
    static_cast<void>(master_.refused(from, reply.master_hint));
    return;
  }
  master_.confirmed(from);
  ask_shards(context, reply);
}

void ShardRetirement::ask_shards(Context& context, const ShardingReply& history) {
  stage_ = Stage::done;
  if (history.intervals.size() < 2) return;  // the last interval is never forgotten
  stage_ = Stage::asking;
  forget_ = {request_, history.version, history.intervals.front().end};
  std::uint32_t shards = 0;
  for (const ShardInterval& each : history.intervals) shards = std::max(shards, each.shards);
  PHOTON_CHECK(shards <= options_.shards.size(), "the replicas of every shard are known");
  waiting_for_.clear();
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const auto& replicas = options_.shards[shard];
    PHOTON_CHECK(!replicas.empty(), "a shard has replicas");
    waiting_for_.push_back(ShardId(shard));
    context.send(replicas[rounds_ % replicas.size()], Body::make(BoundaryRead{request_}));
  }
}

void ShardRetirement::on(Context& context, NodeId, const BoundaryReply& reply) {
  if (reply.request != request_ || stage_ != Stage::asking) {
    PHOTON_MARK("sharding.retirement.late_boundary");
    return;
  }
  PHOTON_LIMIT("sharding.retire.boundary", reply.boundary, forget_.below);
  if (reply.boundary < forget_.below) {
    PHOTON_MARK("sharding.retirement.not_yet");
    return;
  }
  std::erase(waiting_for_, reply.shard);
  if (!waiting_for_.empty()) return;
  stage_ = Stage::done;
  PHOTON_MARK("sharding.retirement.asks");
  context.send(master_.target(), Body::make(forget_));
}

}  // namespace photon
