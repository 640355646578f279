// A history that J-S4 gives up: one id, inserted and removed by many clients at once that never
// receive an answer, and a reader that sees it appear and disappear.
#pragma once

#include "tests/analysis/trace_builder.h"

namespace photon::analysis::testing {

// With few pairs there are few explanations, and the check finishes.
inline void come_and_go(World& world, std::uint32_t pairs, std::uint32_t times) {
  using enum trace::RegistryOperation;
  constexpr ShardId kShard{0};
  for (std::uint32_t i = 1; i <= pairs; ++i) {
    const Token token = world.token(kJoiner, i);
    world.sent(kJoiner, kReplica1, trace::RegistryAsk{click_id(1), token, i, insert, kShard});
    world.sent(kDispatcher, kReplica1, trace::RegistryAsk{click_id(1), token, i, remove, kShard});
  }
  for (std::uint32_t i = 1; i <= times; ++i) {
    const auto code = i % 2 == 1 ? trace::RegistryCode::exists : trace::RegistryCode::not_found;
    world.sent(kFarDispatcher, kReplica1,
               trace::RegistryAsk{click_id(1), Token{}, i, lookup, kShard});
    world.delivered(kReplica1, kFarDispatcher,
                    trace::RegistryAnswer{click_id(1), Token{}, i, 0, lookup, code, kShard});
  }
}

}  // namespace photon::analysis::testing
