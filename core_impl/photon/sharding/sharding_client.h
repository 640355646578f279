// A process's copy of the sharding history, kept recent enough for routing.
//
// Reads the configuration group on request. At most one read is under way. Each attempt records
// when it was begun, which the routing rules need. If an answer leaves operations waiting (a change
// is undecided), another read follows after a pause.
//
// Usage: `route` an id; if it is not Routing::shard, keep the operation, call `need`, and try again
// whenever on_reply reports news.
//
// Paper: Photon section 2.2.2; SPEC B-51, B-55, B-60c.
#pragma once

#include <cstdint>

#include "core_impl/photon/sharding/shard_router.h"
#include "core_impl/photon/sharding/sharding_messages.h"
#include "core_impl/rpc/master_finder.h"
#include "core_impl/rpc/open_requests.h"
#include "core_impl/runtime/alarm.h"
#include "core_impl/runtime/context.h"

namespace photon {

struct ShardingClientOptions {
  TimerKind timer = 0;              // a timer of the owner that the client has for itself
  PooledVector<NodeId> replicas{};  // of the configuration group
  RoutingOptions routing{};
  Duration request_timeout = std::chrono::seconds(1);
  Duration retry_delay = std::chrono::milliseconds(200);
};

enum class News : std::uint8_t { none, history };

class ShardingClient {
 public:
  explicit ShardingClient(ShardingClientOptions options);

  RouteAnswer route(const Context& context, const EventId& id) const {
    return router_.route(id, context.now());
  }
  // An operation cannot be routed: reads now, or after the pause that is running.
  void need(Context& context);

  // `history`: try to route the waiting operations again, and call `need` for those that still
  // cannot be routed.
  News on_reply(Context& context, NodeId from, const ShardingReply& reply);
  void on_timer(Context& context);

  const ShardRouter& router() const { return router_; }
  std::uint64_t reads() const { return reads_; }  // attempts

 private:
  enum class State : std::uint8_t { idle, asked, pausing };

  void read(Context& context);
  void pause(Context& context);

  ShardingClientOptions options_;
  ShardRouter router_;
  rpc::MasterFinder master_;
  Alarm alarm_;
  State state_ = State::idle;
  MonotonicTime due_{};  // of the answer, or the end of the pause
  NodeId asked_ = kNoNode;
  std::uint64_t request_ = 0;
  std::uint64_t reads_ = 0;
  MonotonicTime begun_{};
  Stamp begun_earliest_{};
  std::uint32_t redirects_ = 0;  // followed since the last pause
  bool needed_ = false;
};

}  // namespace photon
