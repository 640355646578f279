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

}  // namespace photon::testing
