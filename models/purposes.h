// The purposes of the models' random numbers (core_impl/base/random.h). A number is part of the
// key of each draw: it never changes. New ones come from kRange.
#pragma once

#include <algorithm>
#include <array>

#include "core_impl/base/random.h"

namespace photon::models::purpose {

inline constexpr PurposeRange kRange{160};

inline constexpr Purpose kClock{7};
inline constexpr Purpose kShippingCommon{8};
inline constexpr Purpose kShippingNoise{9};
inline constexpr Purpose kShippingLate{10};
inline constexpr Purpose kWorkloadPrimary{11};
inline constexpr Purpose kWorkloadForeign{12};
inline constexpr Purpose kWorkloadReference{13};
inline constexpr Purpose kWorkloadPayload{14};
inline constexpr Purpose kShippingSpill{19};
inline constexpr Purpose kWorkloadRegistry{20};
inline constexpr Purpose kLogFaults{21};

inline constexpr std::array kAll{
    kClock,           kShippingCommon,   kShippingNoise,     kShippingLate,
    kWorkloadPrimary, kWorkloadForeign,  kWorkloadReference, kWorkloadPayload,
    kShippingSpill,   kWorkloadRegistry, kLogFaults};
static_assert(std::ranges::all_of(kAll, [](Purpose each) { return kRange.holds(each); }));

}  // namespace photon::models::purpose
