// The sharding history as the operations of the configuration group make it (SPEC B-60a, B-60b):
// one change at a time, based on the newest version, not below the horizon, and really a change.
//
// A value type: an oracle feeds it each operation once, in the order of the slots, and receives the
// effect of the operation. Forgotten intervals stay in `intervals`, since they still bind (J-S5);
// `forgotten` returns the stamp below which they lie.
#pragma once

#include <cstdint>
#include <vector>

#include "core_impl/base/time.h"
#include "core_impl/trace/registry.h"

namespace photon::analysis {

class ShardingLedger {
 public:
  // From `start` to the start of the next one.
  struct Interval {
    Stamp start{};
    std::uint32_t shards = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
  };
  enum class Effect : std::uint8_t { none, announced, confirmed, cancelled, forgotten };

  explicit ShardingLedger(std::uint32_t first_shards);

  Effect apply(const trace::ShardingApplied& applied);

  // By start, without gaps; the first one begins with time. Never empty.
  const std::vector<Interval>& intervals() const { return intervals_; }
  // The change of the last announcement; undefined before the first one.
  const Interval& announced() const { return announced_; }
  bool is_open() const { return open_; }          // announced, and not decided
  Stamp forgotten() const { return forgotten_; }  // below: not in the configuration any more
  // The most shards that an id which was not forgotten before `forgotten` may need.
  std::uint32_t shards_above(Stamp forgotten) const;

 private:
  Effect announce(const trace::ShardingApplied& applied);
  Effect decide(const trace::ShardingApplied& applied);
  Effect forget(const trace::ShardingApplied& applied);
  void cut();

  std::vector<Interval> intervals_;
  std::uint64_t version_ = 0;
  Stamp horizon_{};
  Stamp forgotten_{};
  Interval announced_{};
  bool open_ = false;
};

}  // namespace photon::analysis
