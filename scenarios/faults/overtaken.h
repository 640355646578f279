// [[faults.overtaken]]: answers that arrive after what they say has changed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

// What an answer is about; also the topics of sim::Statement.
enum class AnswersAbout : std::uint8_t {
  kMasters,  // promises, acceptances, leases and refusals of replicas; answers of a registry shard
  kShards,   // the history of the number of shards
  kLives,    // grants of lives to processes, and whether an earlier life is dead
};

// Answers to some processes are held back until what they say has changed, so that they arrive
// after a reconfiguration by construction (SPEC J.1, BC-18).
struct OvertakenFault {
  static constexpr std::string_view kTable = "faults.overtaken";
  AnswersAbout about{AnswersAbout::kMasters};
  std::vector<std::string> processes{"any"};  // receivers, as in LinkFault
  double share{1.0};                          // of these answers
  std::uint64_t changes{1};                   // after which they leave
  Duration at{0};
  Duration duration{0};  // key "for": those that still wait leave then
  bool operator==(const OvertakenFault&) const = default;
};

}  // namespace photonsim::scenarios
