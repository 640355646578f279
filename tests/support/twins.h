// Ids whose hashes agree in some of their bits: for code that shortens hashes.
#pragma once

#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/event_id.h"
#include "core_impl/base/hash.h"

namespace photon::testing {

inline constexpr std::uint64_t kLowHalf = 0xffffffffULL;
inline constexpr std::uint64_t kHighHalf = ~kLowHalf;

namespace twins_detail {

// The inverse of an odd number modulo 2^64, by Newton's method.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t result = odd;
  for (int i = 0; i < 5; ++i) result *= 2 - odd * result;
  return result;
}

// The word that `mix` makes this one of.
constexpr std::uint64_t unmix(std::uint64_t word) {
  word ^= word >> 33U;
  word *= inverse(0xc4ceb9fe1a85ec53ULL);
  word ^= word >> 33U;
  word *= inverse(0xff51afd7ed558ccdULL);
  return word ^ (word >> 33U);
}
static_assert(unmix(mix(0x0123456789abcdefULL)) == 0x0123456789abcdefULL);

}  // namespace twins_detail

// The id of that process, with a stamp in the days after 1970 began, whose hash agrees with that of
// `id` in the bits of `mask`, one half. Different numbers give different ids.
inline EventId twin_of(const EventId& id, std::uint64_t mask, std::uint32_t server,
                       std::uint32_t process, std::uint32_t number) {
  constexpr std::uint64_t kRange = 1ULL << 48U;  // three days, in nanoseconds
  const std::uint64_t place = mix((std::uint64_t{server} << 32U) | process);
  // Some 2^16 of the 2^32 hashes that agree belong to stamps in range.
  for (std::uint64_t other = std::uint64_t{number} << 22U;; ++other) {
    const std::uint64_t free = mask == kLowHalf ? other << 32U : other & kLowHalf;
    const std::uint64_t hash = (hash_of(id) & mask) | free;
    // The inverse of `combine` in its word.
    const std::uint64_t word =
        (twins_detail::unmix(hash) ^ place) - 0x9e3779b97f4a7c15ULL - (place << 6U) - (place >> 2U);
    if (word >= kRange) continue;
    const EventId twin{server, process, from_nanoseconds<Stamp>(static_cast<std::int64_t>(word))};
    PHOTON_CHECK((hash_of(twin) & mask) == (hash_of(id) & mask), "twins agree in these bits");
    return twin;
  }
}

}  // namespace photon::testing
