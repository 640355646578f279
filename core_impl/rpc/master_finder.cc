#include "core_impl/rpc/master_finder.h"

#include <algorithm>
#include <utility>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"

namespace photon::rpc {

MasterFinder::MasterFinder(PooledVector<NodeId> replicas) : replicas_(std::move(replicas)) {
  PHOTON_CHECK(!replicas_.empty(), "a service has at least one replica");
}

void MasterFinder::confirmed(NodeId from) { static_cast<void>(point_at(from)); }

Redirect MasterFinder::refused(NodeId from, NodeId hint) {
  // Another call may have moved the target meanwhile: then follow it.
  if (target() != from) {
    PHOTON_MARK("rpc.redirect.news_already");
    return Redirect::follow;
  }
  if (hint != from && point_at(hint)) {
    PHOTON_MARK("rpc.redirect.hint");
    return Redirect::follow;
  }
  PHOTON_MARK("rpc.redirect.next_in_turn");
  advance();
  return Redirect::pause;
}

void MasterFinder::silent(NodeId asked) {
  if (target() == asked) {
    PHOTON_MARK("rpc.silent.next_in_turn");
    advance();
  }
}

bool MasterFinder::point_at(NodeId node) {
  const auto place = std::ranges::find(replicas_, node);
  if (place == replicas_.end()) {
    PHOTON_MARK("rpc.redirect.hint_unknown");
    return false;
  }
  target_ = narrow<std::uint32_t>(place - replicas_.begin());
  return true;
}

}  // namespace photon::rpc
