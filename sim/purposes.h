// The purposes of the simulator's random numbers (core_impl/base/random.h). A number is part of the
// key of each draw: it never changes. New ones come from kRange.
#pragma once

#include <algorithm>
#include <array>

#include "core_impl/base/random.h"

namespace photon::sim::purpose {

inline constexpr PurposeRange kRange{96};

inline constexpr Purpose kNetworkDelay{1};
inline constexpr Purpose kNetworkDuplicate{3};
inline constexpr Purpose kNetworkReorder{4};
inline constexpr Purpose kVolumeService{5};
inline constexpr Purpose kVolumeCrash{6};
inline constexpr Purpose kFaultPlan{15};
inline constexpr Purpose kLinkFault{22};
inline constexpr Purpose kVolumeFault{24};
inline constexpr Purpose kTies{25};
inline constexpr Purpose kForcedCrash{96};

inline constexpr std::array kAll{kNetworkDelay, kNetworkDuplicate, kNetworkReorder, kVolumeService,
                                 kVolumeCrash,  kFaultPlan,        kLinkFault,      kVolumeFault,
                                 kTies,         kForcedCrash};
static_assert(std::ranges::all_of(kAll, [](Purpose each) { return kRange.holds(each); }));

}  // namespace photon::sim::purpose
