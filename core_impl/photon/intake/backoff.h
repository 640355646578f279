// Exponential backoff in integers: no rounding that could differ between machines.
//
// The jitter is drawn once per click, not once per attempt, so that clicks which failed together
// spread out while the gaps of one click never shrink (SPEC C-21).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core_impl/base/check.h"
#include "core_impl/base/jitter.h"
#include "core_impl/base/time.h"

namespace photon {

struct Backoff {
  Duration initial = std::chrono::seconds(1);
  std::uint32_t factor_permille = 2000;  // >= 1000
  Duration cap = std::chrono::seconds(300);
  std::uint32_t jitter_permille = 100;  // +- this fraction, < 1000

  // The pause after the `failures`-th failure, without jitter. Requires failures >= 1.
  Duration base_delay(std::uint32_t failures) const {
    PHOTON_CHECK(failures >= 1 && factor_permille >= 1000,
                 "a backoff grows from the first failure");
    Duration delay = std::min(initial, cap);
    for (std::uint32_t i = 1; i < failures && delay < cap; ++i) {
      if (factor_permille == 1000) break;
      delay = grown(delay);
    }
    return delay;
  }

  // The pause after `delay`, without jitter.
  Duration grown(Duration delay) const {
    if (delay / 1000 > cap / factor_permille) return cap;  // so the product fits
    return std::min(cap, delay / 1000 * factor_permille + delay % 1000 * factor_permille / 1000);
  }

  // `word`: 64 random bits that belong to the click.
  Duration delay(std::uint32_t failures, std::uint64_t word) const {
    PHOTON_CHECK(jitter_permille <= 1000, "jitter is a fraction of the delay");
    return jittered(base_delay(failures), jitter_permille, word);
  }

  Duration longest() const { return longest(cap); }
  // `base` with the most jitter.
  Duration longest(Duration base) const {
    return base / 1000 * (1000 + jitter_permille) + std::chrono::nanoseconds(1000);
  }
};

}  // namespace photon
