// The purposes of the random numbers of estimates of rare events (core_impl/base/random.h). A
// number is part of the key of each draw: it never changes. New ones come from kRareRange.
#pragma once

#include <algorithm>
#include <array>

#include "core_impl/base/random.h"

namespace photon::analysis::purpose {

inline constexpr PurposeRange kRareRange{352};

inline constexpr Purpose kSplittingOrder{352};  // in which entrance states are dealt out
inline constexpr Purpose kSplittingSeeds{353};  // of the draws of each trial

inline constexpr std::array kAllRare{kSplittingOrder, kSplittingSeeds};
static_assert(std::ranges::all_of(kAllRare, [](Purpose each) { return kRareRange.holds(each); }));

}  // namespace photon::analysis::purpose
