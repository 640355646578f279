// Requests that the explorer's scripts consist of (registry_explorer.h).
#pragma once

#include <chrono>

#include "tests/photon/registry_explorer/registry_explorer.h"

namespace photon::testing {

// After every boundary of the explored shard.
inline constexpr EventId kExploredId{1, 1, Stamp(std::chrono::hours(1))};
inline constexpr Token kFirstToken{11, 1, 1};
inline constexpr Token kSecondToken{12, 1, 1};
inline constexpr Token kThirdToken{11, 1, 2};  // the first joiner's next attempt

inline RegistryItem insert_item(const Token& token) {
  return {kExploredId, token, RegistryOperation::insert};
}

inline ScriptedRequest insert_request(const Token& token) { return {.items = {insert_item(token)}}; }

inline ScriptedRequest lookup_request() {
  return {.items = {{kExploredId, {}, RegistryOperation::lookup}}};
}

}  // namespace photon::testing
