// How the tests of oracles begin, and how they end.
#pragma once

#include <cstdint>
#include <string_view>

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

// Exactly this oracle reports.
inline void check_only(const World& world, std::string_view oracle, std::uint64_t times = 1) {
  INFO(world.findings());
  CHECK(world.count(oracle) == times);
  CHECK(world.total() == times);
}

inline void check_both(const World& world, std::string_view one, std::string_view other) {
  INFO(world.findings());
  CHECK((world.count(one) == 1 && world.count(other) == 1));
  CHECK(world.total() == 2);
}

// All processes run; the clicks 1 to `clicks` have happened and are readable everywhere.
inline void prepare(World& world, std::uint32_t clicks = 1) {
  world.boot();
  for (std::uint32_t i = 1; i <= clicks; ++i) world.generate(i);
  world.ship_all(clicks);
}

inline std::uint64_t lost(const World& world, LossClass cause) {
  return world.judge.accounting().lost[static_cast<std::size_t>(cause)];
}

inline void judge_at_end(World& world) {
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(world.judge.accounting().adds_up());
}

// Both pipelines are answered too_old for click 1, after it has become too old.
inline void find_too_old(World& world) {
  world.move_boundary(1, 9);
  for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
    world.answer_lookup(kReplica1, dispatcher, 1, 1, trace::RegistryCode::too_old);
  }
}

}  // namespace photon::analysis::testing
