#include "core_impl/rpc/master_finder.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"

namespace photon::rpc {

MasterFinder::MasterFinder(PooledVector<NodeId> replicas) : replicas_(std::move(replicas)) {
  PHOTON_CHECK(!replicas_.empty(), "a service has at least one replica");
}

void MasterFinder::confirmed(NodeId from) { static_cast<void>(point_at(from)); }

Redirect MasterFinder::refused(NodeId from, NodeId hint) {
  // Somebody else may have moved the target meanwhile: then that is the news.
  if (target() != from) return Redirect::follow;
  if (hint != from && point_at(hint)) return Redirect::follow;
  advance();
  return Redirect::pause;
}

void MasterFinder::silent(NodeId asked) {
  if (target() == asked) advance();
}

bool MasterFinder::point_at(NodeId node) {
  const auto place = std::ranges::find(replicas_, node);
  if (place == replicas_.end()) return false;
  target_ = static_cast<std::uint32_t>(place - replicas_.begin());
  return true;
}

}  // namespace photon::rpc
