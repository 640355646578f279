// What the random draws of designs are for (core_impl/base/random.h).
#pragma once

#include <algorithm>
#include <array>

#include "core_impl/base/random.h"

namespace photon::analysis::purpose {

inline constexpr PurposeRange kRange{288};

inline constexpr Purpose kLatinHypercube{288};  // orders of strata, and places in them
inline constexpr Purpose kScrambling{289};
inline constexpr Purpose kMorris{290};
inline constexpr Purpose kBootstrap{291};
inline constexpr Purpose kRandom{292};  // independent points

inline constexpr std::array kAll{kLatinHypercube, kScrambling, kMorris, kBootstrap, kRandom};
static_assert(std::ranges::all_of(kAll, [](Purpose each) { return kRange.holds(each); }));

}  // namespace photon::analysis::purpose
