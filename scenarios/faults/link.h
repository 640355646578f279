// Faults of the messages between some processes: [[faults.link]], [[faults.late_configuration]].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// Faults of messages (SPEC J.1: loss, duplication, reordering, delay).
enum class LinkFaultKind : std::uint8_t {
  kLoss,
  kReplyLoss,  // only replies are lost: the request took effect without an answer
  kDuplication,
  kLateDuplication,  // a copy arrives up to `delay` later
  kReordering,       // up to `delay` later
  kDelay,            // later by `delay`
  kClog,             // held back until the fault ends
  // `from` are clogged one by one in random order, and unclogged in another order
  kSwizzle,
};

// A fault of the messages from some processes to others. Each name is "any", a datacenter, a
// region, a role ("joiner": everywhere), a role in a datacenter ("us-east1/joiner"), a process, or
// all replicas of a shard ("registry/2").
struct LinkFault {
  static constexpr std::string_view kTable = "faults.link";
  LinkFaultKind kind{LinkFaultKind::kLoss};
  std::vector<std::string> from{"any"};
  std::vector<std::string> to{"any"};
  double share{1.0};      // of the messages; swizzle: of the processes `from` (M)
  Duration delay{100ms};  // as the kind says (M)
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const LinkFault&) const = default;
};

// Some processes learn the number of shards late, present or announced, although the network has no
// fault: each message that brings them a newer version of the configuration is held back until the
// fault ends (SPEC B-60c, BC-18).
struct LateConfigurationFault {
  static constexpr std::string_view kTable = "faults.late_configuration";
  std::vector<std::string> processes{"any"};  // as in LinkFault
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const LateConfigurationFault&) const = default;
};

inline constexpr std::string_view kLateConfigurationName = "late_configuration";

}  // namespace photonsim::scenarios
