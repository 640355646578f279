// The replicated sharding configuration: a history of shard counts, and at most one change that is
// announced and not decided yet.
//
// How a change becomes safe (B-54, B-60a, B-60d). A client may route an id with the history that it
// read only if no later change can alter the mapping of that id. A change that starts at t2
// therefore takes two steps in the log:
//   announce   from its slot on, the mapping of stamps >= t2 is UNDECIDED: a client that reads the
//              history from now on routes none of them
//   decide     confirm: the change is in force; or cancel: the old mapping is final again
// The master that proposes `confirm` has seen the announcement applied and then TT.latest + S < t2.
// So each reader that did not see the announcement read the history while no id with stamp >= t2
// could exist; every other reader waits for the decision. A decision that an outage delays for
// ever, or that another master makes, is safe too: while the change is open no client routes those
// ids, and the first decision in the log wins. No clock is read at apply, so all replicas agree.
//
// A client that keeps using an old history for new ids is not covered. The routing rules prevent
// that (shard_router.h).
//
// In addition the history holds a horizon: the mapping of stamps below it is final whatever clocks
// say (B-60c rule 4). It is extended by transaction and refuses changes below it.
//
// Intervals that no id needs any more are forgotten (B-60b): the first remaining one then covers
// the time before it too. The proposer knows that every shard answers "too old" for those ids.
//
// Invariants: intervals cover all time; the mapping of a stamp below `decided_below` and not
// forgotten never changes; `version` grows with every applied operation that had an effect.
//
// Paper: Photon section 2.2.2; SPEC B-52..B-60d.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/photon/sharding/shard_map.h"
#include "core_impl/trace/registry.h"

namespace photon {

using ShardingAction = trace::ShardingAction;

// One operation of the configuration group. `version` is the version that its author has seen.
struct ShardingOperation {
  ShardingAction action = ShardingAction::announce;
  std::uint64_t version = 0;
  Stamp start{};             // announce: t2; extend_horizon: the new horizon; forget: below here
  std::uint32_t shards = 0;  // announce

  friend bool operator==(const ShardingOperation&, const ShardingOperation&) = default;
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.action, self.version, self.start, self.shards);
  }
};

enum class ShardingResult : std::uint8_t {
  ok = 0,
  conflict = 1,       // the configuration has changed: read it again (B-60a)
  undecided = 2,      // another change is announced and not decided yet
  nothing_open = 3,   // confirm, cancel: no change is announced
  no_shards = 4,      // a count of zero, or above the limit
  below_horizon = 5,  // the mapping there is final
  no_change = 6,  // the count at t2 is this one already, the horizon not higher, nothing to forget
};

class ShardHistory {
 public:
  static constexpr std::uint32_t kMostShards = 1U << 16U;

  // The first history: one count for all time.
  explicit ShardHistory(std::uint32_t shards = 1) : map_(shards) {}

  // Deterministic: the same operations in the same order give the same history everywhere.
  ShardingResult apply(const ShardingOperation& operation);

  struct Change {
    Stamp start{};
    std::uint32_t shards = 0;
    friend bool operator==(const Change&, const Change&) = default;
    template <class Self, class Visitor>
    static void each_field(Self& self, Visitor&& visit) {
      visit(self.start, self.shards);
    }
  };

  std::uint64_t version() const { return version_; }
  const ShardMap& map() const { return map_; }
  const std::optional<Change>& open_change() const { return open_; }
  Stamp horizon() const { return horizon_; }
  // Stamps from here on have no mapping while a change is open; Stamp::max() otherwise.
  Stamp decided_below() const { return open_ ? open_->start : ShardMap::kEnd; }

  // Everything, to be restored on another replica.
  Bytes snapshot() const;
  // False, and nothing is changed, if the bytes are no snapshot of a history.
  bool restore(std::span<const std::byte> snapshot);

  std::uint64_t state_hash() const;
  friend bool operator==(const ShardHistory&, const ShardHistory&) = default;

 private:
  ShardingResult applied(const ShardingOperation& operation);
  ShardingResult announce(const ShardingOperation& operation);
  ShardingResult decide(const ShardingOperation& operation);
  ShardingResult extend_horizon(const ShardingOperation& operation);
  ShardingResult forget(const ShardingOperation& operation);

  std::uint64_t version_ = 0;
  ShardMap map_;
  std::optional<Change> open_{};
  Stamp horizon_ = ShardMap::kBeginning;
};

}  // namespace photon
