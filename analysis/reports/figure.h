// The unit of a figure, and how the figures of several runs are combined.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photon::analysis {

enum class Unit : std::uint8_t { count, seconds, bytes, per_second, ratio };
inline constexpr std::array<std::string_view, 5> kUnitNames{"count", "seconds", "bytes",
                                                            "per_second", "ratio"};
constexpr std::string_view name_of(Unit unit) { return kUnitNames[static_cast<std::size_t>(unit)]; }

// `none`: means and percentiles, which cannot be combined (histograms are merged).
enum class Adding : std::uint8_t { sum, least, greatest, none };
inline constexpr std::array<std::string_view, 4> kAddingNames{"sum", "least", "greatest", "none"};
constexpr std::string_view name_of(Adding adding) {
  return kAddingNames[static_cast<std::size_t>(adding)];
}

}  // namespace photon::analysis
