// The purposes for which campaigns draw random numbers (core_impl/base/random.h), and a check that
// no two layers share a number. A number is part of the key of each draw and never changes. New
// ones come from kRange. A run draws only for purposes of the simulator and the models.
#pragma once

#include <array>
#include <cstddef>

#include "analysis/rare_events/purposes.h"
#include "analysis/sensitivity/purposes.h"
#include "core_impl/base/random.h"
#include "models/purposes.h"
#include "sim/purposes.h"

namespace photonsim::campaigns::purpose {

inline constexpr photon::PurposeRange kRange{224};

inline constexpr photon::Purpose kSwarm{23};

namespace detail {

inline constexpr std::array kCore{photon::Purpose::test, photon::Purpose::component,
                                  photon::Purpose::benchmark, kSwarm};

template <std::size_t... kSizes>
constexpr auto joined(const std::array<photon::Purpose, kSizes>&... lists) {
  std::array<photon::Purpose, (kSizes + ...)> all{};
  std::size_t count = 0;
  const auto add = [&](const auto& list) {
    for (const photon::Purpose each : list) all[count++] = each;
  };
  (add(lists), ...);
  return all;
}

constexpr bool apart(std::array<photon::PurposeRange, 6> ranges) {
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].first + photon::PurposeRange::kSize) return false;
  }
  return true;
}

}  // namespace detail

static_assert(kRange.holds(kSwarm));
static_assert(detail::apart({photon::kCorePurposes, photon::sim::purpose::kRange,
                             photon::models::purpose::kRange, kRange,
                             photon::analysis::purpose::kRange,
                             photon::analysis::purpose::kRareRange}));
static_assert(photon::all_differ(detail::joined(detail::kCore, photon::sim::purpose::kAll,
                                                photon::models::purpose::kAll,
                                                photon::analysis::purpose::kAll,
                                                photon::analysis::purpose::kAllRare)),
              "two purposes have one number: their draws would be equal");

}  // namespace photonsim::campaigns::purpose
