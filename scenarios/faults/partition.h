// [[faults.partition]]: datacenters that cannot reach each other.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

enum class PartitionDirection : std::uint8_t {
  kSymmetric,  // no messages in either direction
  kOneWay,     // messages `from` -> `to` are lost, the reverse pass
  kApart,      // each name of `from` is isolated from all others
};
inline constexpr std::array<std::string_view, 3> kDirections{"symmetric", "one_way", "apart"};

struct PartitionFault {
  static constexpr std::string_view kTable = "faults.partition";
  std::vector<std::string> from{};  // datacenters or regions
  std::vector<std::string> to{};    // with direction = "apart": none
  Duration at{0};
  Duration duration{0};  // key "for"
  PartitionDirection direction{PartitionDirection::kSymmetric};
  bool operator==(const PartitionFault&) const = default;
};

}  // namespace photonsim::scenarios
