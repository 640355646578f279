// Which replica of a replicated service to ask: a belief, corrected by every answer.
//
// Nothing depends on the belief being correct. A replica that is not master names the one it
// believes in; after a time-out the next replica in turn is asked. So the finder reaches the
// master, once there is one, after at most one round over the replicas.
#pragma once

#include <cstdint>

#include "core_impl/base/narrow.h"
#include "core_impl/base/recycling_allocator.h"
#include "core_impl/base/strong_id.h"

namespace photon::rpc {

enum class Redirect : std::uint8_t {
  follow,  // a new target was named: worth asking at once
  pause,   // nothing new was learnt: ask again after a while
};

class MasterFinder {
 public:
  MasterFinder() = default;
  // `replicas`: not empty; the first one is asked first.
  explicit MasterFinder(PooledVector<NodeId> replicas);

  NodeId target() const { return replicas_[target_]; }

  // `from` answered as master.
  void confirmed(NodeId from);
  // `from` is not master and believes that `hint` is (kNoNode: it knows none).
  Redirect refused(NodeId from, NodeId hint);
  // `asked` did not answer in time. Many calls may time out together: only the first one moves on.
  void silent(NodeId asked);

 private:
  // Makes `node` the target; false if it is no replica of this service.
  bool point_at(NodeId node);
  void advance() { target_ = (target_ + 1) % narrow<std::uint32_t>(replicas_.size()); }

  PooledVector<NodeId> replicas_;
  std::uint32_t target_ = 0;
};

}  // namespace photon::rpc
