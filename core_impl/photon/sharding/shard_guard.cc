#include "core_impl/photon/sharding/shard_guard.h"

#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

ShardGuard::ShardGuard(ShardGuardOptions options, ShardId own)
    : check_(options.check), map_(std::move(options.map)), own_(own) {
  if (check_ == ShardCheck::by_history) history_.emplace(std::move(options.history));
  PHOTON_CHECK(check_ != ShardCheck::by_map || own_.value() < map_.max_shards(),
               "a group serves a known shard");
}

std::span<const std::uint32_t> ShardGuard::foreign(Context& context,
                                                   const RegistryRequest& request) {
  foreign_.clear();
  for (std::uint32_t index = 0; index < request.items.size(); ++index) {
    const bool mine = request.shard == own_ && owns(context, request.items[index].id);
    if (!mine) PHOTON_MARK("sharding.guard.foreign");
    if (!mine) foreign_.push_back(index);
  }
  return foreign_;
}

bool ShardGuard::owns(Context& context, const EventId& id) {
  if (check_ == ShardCheck::off) return true;
  if (check_ == ShardCheck::by_map) return map_.shard_of(id) == own_;
  const RouteAnswer answer = history_->route(context, id);
  if (answer.routing == Routing::shard && answer.shard == own_) return true;
  if (answer.routing != Routing::shard) PHOTON_MARK("sharding.guard.outdated");
  // Also when the history maps the id: the client may have read a later one, in which an interval
  // is forgotten, and its ids may then belong to another shard.
  history_->need(context);
  return false;
}

void ShardGuard::on_reply(Context& context, NodeId from, const ShardingReply& reply) {
  PHOTON_CHECK(history_.has_value(), "a server that does not ask for the history gets no answers");
  history_->on_reply(context, from, reply);
}

void ShardGuard::on_timer(Context& context) {
  PHOTON_CHECK(history_.has_value(), "the timer belongs to the history's client");
  history_->on_timer(context);
}

}  // namespace photon
