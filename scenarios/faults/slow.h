// [[faults.slow]]: a datacenter in which everything takes longer.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// A datacenter is slower: steps of its servers, its disks and its cell, and the messages that it
// sends.
struct SlowFault {
  static constexpr std::string_view kTable = "faults.slow";
  std::string datacenter{};
  double factor{10};  // (M)
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const SlowFault&) const = default;
};

}  // namespace photonsim::scenarios
