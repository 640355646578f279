// Event ids and registration tokens: the two names that exactly-once rests on.
//
// An event id is (server address, process id, time stamp), generated without coordination and
// globally unique. `key_bytes` sorts as the tuple does.
// A token names one attempt of one incarnation of one joiner to process one click (B-40, B-43).
// `incarnation` plays the paper's process id: a restarted process never reuses one. `sequence` is
// strictly increasing inside an incarnation. The all-zero token is empty: it never matches (B-45).
//
// Paper: Photon section 3.1 (ids), section 3.3.2 (tokens); SPEC A-10..A-16, B-40..B-45.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "core_impl/base/time.h"

namespace photon {

struct EventId {
  std::uint32_t server = 0;   // address of the generating server
  std::uint32_t process = 0;  // process id with the incarnation folded in
  Stamp stamp{};

  friend constexpr auto operator<=>(const EventId&, const EventId&) = default;
  // The foreign key of a click that refers to no query: it can never be joined.
  constexpr bool is_null() const { return *this == EventId{}; }
};
static_assert(sizeof(EventId) == 16);

// Fixed-width big-endian form, the sign bit of the stamp turned over: as byte strings, keys sort as
// the ids do.
constexpr std::array<std::byte, 16> key_bytes(const EventId& id) {
  const auto stamp =
      static_cast<std::uint64_t>(nanoseconds_of(id.stamp)) ^ (std::uint64_t{1} << 63U);
  const std::uint64_t place = (std::uint64_t{id.server} << 32U) | id.process;
  std::array<std::byte, 16> key{};
  for (std::size_t i = 0; i < 8; ++i) {
    key[i] = static_cast<std::byte>(place >> (56U - 8U * i));
    key[8 + i] = static_cast<std::byte>(stamp >> (56U - 8U * i));
  }
  return key;
}

struct Token {
  std::uint32_t address = 0;      // node id of the joiner
  std::uint32_t incarnation = 0;  // its life, granted by the incarnation registry
  std::uint64_t sequence = 0;     // attempt number inside that life, from 1

  friend constexpr auto operator<=>(const Token&, const Token&) = default;
  constexpr bool is_empty() const { return *this == Token{}; }
};
static_assert(sizeof(Token) == 16);

}  // namespace photon
