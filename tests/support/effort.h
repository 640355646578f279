// How often a test repeats itself: sanitizers make it ten to thirty times slower, and search for
// errors of memory that the first repetitions show as well as the last ones.
#pragma once

#include <cstdint>

namespace photon::testing {

// Code under a sanitizer has no limit of memory: the sanitizer takes terabytes for itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// `full`: rounds, seeds or steps of a plain build.
constexpr std::uint64_t effort(std::uint64_t full) { return kSanitized ? full / 10 + 1 : full; }

// For seeds of a test that searches for what not every seed shows: a plain build runs all of them,
// a sanitized one as few as show it, so that the thresholds of a plain build hold there as well.
constexpr bool another_seed(std::uint64_t seed, std::uint64_t full, bool shown) {
  return seed <= (shown ? effort(full) : full);
}

}  // namespace photon::testing
