// Which replica of a shard to ask for look-ups that any of them may answer.
//
// The nearest one, as long as it answers. If it is silent, or has applied less than this client has
// seen, the next in turn is asked; after a while the nearest is tried again.
//
// SPEC B-07, L-23.
#pragma once

#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/mark.h"
#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/strong_id.h"
#include "core_impl/base/time.h"

namespace photon {

class NearestReplica {
 public:
  NearestReplica() = default;
  // `replicas`: not empty, the nearest first. `detour`: how long another one is asked.
  NearestReplica(PooledVector<NodeId> replicas, Duration detour)
      : replicas_(std::move(replicas)), detour_(detour) {
    PHOTON_CHECK(!replicas_.empty(), "a shard has replicas");
  }

  NodeId target(MonotonicTime now) {
    PHOTON_CHECK(target_ < replicas_.size(), "the target is one of the replicas");
    if (target_ != 0 && now >= back_at_) {
      PHOTON_MARK("registry_client.replica.back_to_nearest");
    }
    if (now >= back_at_) target_ = 0;
    return replicas_[target_];
  }

  // Many requests may fail together: only the first of them moves on.
  void failed(NodeId asked, MonotonicTime now) {
    if (replicas_[target_] != asked) {
      PHOTON_MARK("registry_client.replica.left_already");
      return;
    }
    target_ = (target_ + 1) % narrow<std::uint32_t>(replicas_.size());
    back_at_ = now + detour_;
  }

 private:
  PooledVector<NodeId> replicas_;
  Duration detour_{};
  std::uint32_t target_ = 0;
  MonotonicTime back_at_{};
};

}  // namespace photon
