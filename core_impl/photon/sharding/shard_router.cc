#include "core_impl/photon/sharding/shard_router.h"

#include <algorithm>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"

namespace photon {

void ShardRouter::update(const ShardingView& view) {
  if (!view_ || view.version > view_->version) {
    view_ = view;
    return;
  }
  if (view.version < view_->version) {
    // Masters that answer hold a lease, and only the latest question counts.
    PHOTON_MARK("sharding.router.older_version");
    return;
  }
  PHOTON_CHECK(view.map == view_->map, "one version of the history has one content");
  // The same version, read again: it is known to be current for longer, and its horizon can only
  // have grown.
  view_->horizon = std::max(view_->horizon, view.horizon);
  if (view.begun > view_->begun) {
    view_->begun = view.begun;
    view_->begun_earliest = view.begun_earliest;
  }
}

RouteAnswer ShardRouter::route(const EventId& id, MonotonicTime now) const {
  if (!view_ || !permitted(id.stamp, now)) return {Routing::outdated, {}};
  if (id.stamp >= view_->decided_below) {
    PHOTON_MARK("sharding.route.undecided");
    return {Routing::undecided, {}};
  }
  return {Routing::shard, view_->map.shard_of(id)};
}

bool ShardRouter::permitted(Stamp stamp, MonotonicTime now) const {
  PHOTON_LIMIT("sharding.route.age", now - view_->begun, options_.max_age);
  if (options_.freshness == Rule::on && now - view_->begun > options_.max_age) {
    PHOTON_MARK("sharding.route.too_old_knowledge");
    return false;
  }
  PHOTON_LIMIT("sharding.route.read", stamp, view_->begun_earliest + options_.skew_bound);
  if (options_.read_after_stamp == Rule::on &&
      stamp > view_->begun_earliest + options_.skew_bound) {
    PHOTON_MARK("sharding.route.read_before_stamp");
    return false;
  }
  PHOTON_LIMIT("sharding.route.horizon", stamp, view_->horizon);
  if (options_.horizon == Rule::off || stamp < view_->horizon) return true;
  PHOTON_MARK("sharding.route.beyond_horizon");
  return false;
}

}  // namespace photon
