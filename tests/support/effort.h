// How often a test repeats itself: sanitizers make it ten to thirty times slower, and look for
// errors of memory that the first repetitions show as well as the last ones.
#pragma once

#include <cstdint>

namespace photon::testing {

// `full`: rounds, seeds or steps of a plain build.
constexpr std::uint64_t effort(std::uint64_t full) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return full / 10 + 1;
#else
  return full;
#endif
}

// For seeds of a test that looks for what not every seed shows: a plain build runs all of them, a
// sanitized one as few as show it, so that its thresholds hold wherever those of a plain build do.
constexpr bool another_seed(std::uint64_t seed, std::uint64_t full, bool shown) {
  return seed <= (shown ? effort(full) : full);
}

}  // namespace photon::testing
