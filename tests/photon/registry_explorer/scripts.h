// Requests that the explorer's scripts consist of (registry_explorer.h).
#pragma once

#include <chrono>
#include <initializer_list>

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

inline ScriptedRequest insert_request(const Token& token) {
  return {.items = {insert_item(token)}};
}

inline RegistryItem lookup_item() { return {kExploredId, {}, RegistryOperation::lookup}; }
inline ScriptedRequest lookup_request() { return {.items = {lookup_item()}}; }

inline std::uint32_t bits_of(std::initializer_list<std::uint32_t> requests) {
  std::uint32_t bits = 0;
  for (const std::uint32_t request : requests) bits |= 1U << request;
  return bits;
}
inline ScriptedRequest after_reply(ScriptedRequest request,
                                   std::initializer_list<std::uint32_t> others) {
  request.after_reply = bits_of(others);
  return request;
}
inline ScriptedRequest after_asked(ScriptedRequest request,
                                   std::initializer_list<std::uint32_t> others) {
  request.after_asked = bits_of(others);
  return request;
}
inline ScriptedRequest to(ScriptedRequest request, std::uint32_t replicas) {
  request.to = replicas;
  return request;
}

}  // namespace photon::testing
