// Routes ids by a history that may be out of date: to a shard, or "read the history again first".
//
// A change that starts at t2 is safe for ids that existed when it was announced. It does not guard
// against a client that still holds the old history and routes an id with a stamp >= t2 (B-60c).
// Each of these rules does; each can be switched off, to measure its cost and its benefit:
//   freshness         the history was read at most max_age ago. Sound if every change starts later
//                     than TT.latest + S + max_age
//   read_after_stamp  the id's stamp is at most S after TT.earliest at the start of the read: an id
//                     that could exist then. Sound with every change (t2 > TT.latest + S at commit)
//   horizon           the stamp lies below the horizon of the history: final, whatever clocks say
// In the fourth rule servers refuse ids of other shards (RegistryCode::wrong_shard). It is only as
// good as the rule by which the server keeps its own history.
//
// Never routed, whatever the rules: a stamp for which a change is announced and not decided.
//
// Paper: Photon section 2.2.2 (silent on stale clients); SPEC B-51, B-53, B-60c.
#pragma once

#include <cstdint>
#include <optional>

#include "core_impl/base/time.h"
#include "core_impl/photon/sharding/shard_map.h"

namespace photon {

// What one linearizable read of the configuration group returned, and when it was begun.
struct ShardingView {
  std::uint64_t version = 0;
  ShardMap map{};
  Stamp decided_below = ShardMap::kEnd;
  Stamp horizon = ShardMap::kBeginning;
  MonotonicTime begun{};   // of the reader's clock
  Stamp begun_earliest{};  // TT.earliest at that moment
};

enum class Rule : std::uint8_t { off, on };

struct RoutingOptions {
  Rule freshness = Rule::off;
  Rule read_after_stamp = Rule::on;
  Rule horizon = Rule::off;
  Duration skew_bound{};  // S
  Duration max_age{};     // of freshness
};

enum class Routing : std::uint8_t {
  shard,      // ask RouteAnswer::shard
  undecided,  // a change is announced: read again a little later
  outdated,   // a rule forbids it with this history: read it again now
};

struct RouteAnswer {
  Routing routing = Routing::outdated;
  ShardId shard{};
  friend bool operator==(const RouteAnswer&, const RouteAnswer&) = default;
};

class ShardRouter {
 public:
  explicit ShardRouter(const RoutingOptions& options) : options_(options) {}

  // Takes over a view unless it is older than the one held: reads may be answered out of order.
  void update(const ShardingView& view);
  RouteAnswer route(const EventId& id, MonotonicTime now) const;
  const std::optional<ShardingView>& view() const { return view_; }

 private:
  bool permitted(Stamp stamp, MonotonicTime now) const;

  RoutingOptions options_;
  std::optional<ShardingView> view_{};
};

}  // namespace photon
