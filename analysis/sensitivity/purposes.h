// The purposes of the random numbers of designs, resamples and searches (core_impl/base/random.h).
// A number is part of the key of each draw: it never changes. New ones come from kRange.
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
inline constexpr Purpose kRandomPoints{292};
inline constexpr Purpose kWeights{293};  // of several objectives

inline constexpr std::array kAll{kLatinHypercube, kScrambling,   kMorris,
                                 kBootstrap,      kRandomPoints, kWeights};
static_assert(std::ranges::all_of(kAll, [](Purpose each) { return kRange.holds(each); }));

}  // namespace photon::analysis::purpose
