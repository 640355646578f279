// Messages of the configuration group: read the sharding history, ask for a change.
//
// Paper: Photon section 2.2.2 (the configuration is stored in PaxosDB); SPEC B-55, B-60a.
#pragma once

#include <cstdint>
#include <string_view>

#include "core_impl/base/recycling_allocator.h"
#include "core_impl/photon/sharding/shard_map.h"
#include "core_impl/runtime/body.h"
#include "core_impl/trace/registry.h"

namespace photon {

using ShardingCode = trace::ShardingCode;

// A linearizable read of the whole configuration.
struct ShardingRead {
  static constexpr MessageType kType = 220;
  static constexpr std::string_view kName = "sharding_read";
  std::uint64_t request = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request);
  }
  void facts(trace::FactSink& sink) const { sink.fact(trace::ShardingRead{request}); }
};

// "From `start` on, `shards` shards", by a process that has read `version`.
struct ShardingChange {
  static constexpr MessageType kType = 221;
  static constexpr std::string_view kName = "sharding_change";
  std::uint64_t request = 0;
  std::uint64_t version = 0;
  Stamp start{};
  std::uint32_t shards = 0;

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.version, self.start, self.shards);
  }
  void facts(trace::FactSink& sink) const {
    sink.fact(trace::ShardingAsk{request, version, start, shards});
  }
};

// "The numbers of shards below this stamp are not needed any more", by a process that has read
// `version` and knows that the boundary of every shard has passed it (B-60b).
struct ShardingForget {
  static constexpr MessageType kType = 223;
  static constexpr std::string_view kName = "sharding_forget";
  std::uint64_t request = 0;
  std::uint64_t version = 0;
  Stamp below{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.version, self.below);
  }
};

// Answers a read or a change; a request to forget gets no answer, the history shows its outcome.
// The history as applied by the replier when it answered; empty with not_master.
struct ShardingReply {
  static constexpr MessageType kType = 222;
  static constexpr std::string_view kName = "sharding_reply";
  static constexpr bool kIsReply = true;
  std::uint64_t request = 0;
  ShardingCode code = ShardingCode::not_master;
  NodeId master_hint = kNoNode;
  std::uint64_t version = 0;
  Stamp decided_below{};
  Stamp horizon{};
  PooledVector<ShardInterval> intervals{};

  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.request, self.code, self.master_hint, self.version, self.decided_below, self.horizon,
          self.intervals);
  }
  void facts(trace::FactSink& sink) const {
    const Stamp newest = intervals.empty() ? Stamp::min() : intervals.back().start;
    sink.fact(trace::ShardingAnswer{request, version, newest, code});
  }
};

}  // namespace photon
