// Pauses that vary: processes with the same period do not stay in step, nor in the same phase.
//
// In integers: no rounding that could differ between machines.
#pragma once

#include <cstdint>

#include "core_impl/base/random.h"
#include "core_impl/base/time.h"

namespace photon {

// Uniform in `base` plus or minus `permille` thousandths of it, in steps of a thousandth. Requires
// permille <= 1000; `word`: 64 random bits.
constexpr Duration jittered(Duration base, std::uint32_t permille, std::uint64_t word) {
  const auto spread = 2 * std::uint64_t{permille} + 1;
  const auto share = static_cast<std::int64_t>(1000 - permille + uniform_below(word, spread));
  return base / 1000 * share + base % 1000 * share / 1000;
}

}  // namespace photon
