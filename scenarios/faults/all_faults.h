// The one list of faults: every table that a scenario may state under [faults], in the order of the
// canonical text. A new kind of fault is declared and listed here.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/faults/fault_table.h"

namespace photonsim::scenarios {

namespace random_faults {
extern const FaultTable kRandomFaults;
}
namespace outage_faults {
extern const FaultTable kOutages;
}
namespace process_faults {
extern const FaultTable kCrashes, kPauses, kCacheLosses;
}
namespace partition_faults {
extern const FaultTable kPartitions;
}
namespace link_faults {
extern const FaultTable kLinkFaults, kLateConfigurations, kBandwidths;
}
namespace overtaken_faults {
extern const FaultTable kOvertaken;
}
namespace slow_faults {
extern const FaultTable kSlowDatacenters;
}
namespace disk_faults {
extern const FaultTable kDiskFaults;
}
namespace log_faults {
extern const FaultTable kLogDamages, kLogStalls, kLogTruncations, kOutputLosses;
}
namespace clock_faults {
extern const FaultTable kTrueTimeOutages, kClockFaults;
}

inline constexpr std::array kAllFaults{
    &random_faults::kRandomFaults, &outage_faults::kOutages,
    &process_faults::kCrashes,     &process_faults::kPauses,
    &process_faults::kCacheLosses, &partition_faults::kPartitions,
    &link_faults::kLinkFaults,     &link_faults::kLateConfigurations,
    &link_faults::kBandwidths,     &slow_faults::kSlowDatacenters,
    &disk_faults::kDiskFaults,     &log_faults::kLogDamages,
    &log_faults::kLogStalls,       &log_faults::kLogTruncations,
    &log_faults::kOutputLosses,    &clock_faults::kTrueTimeOutages,
    &clock_faults::kClockFaults,   &overtaken_faults::kOvertaken};

// The turn of [[operations.kill_master]] among them.
inline constexpr int kTurnOfKills = 8;

// The tables in the order of their turns.
const std::vector<const FaultTable*>& faults_by_turn();

// All generators, in the order of their numbers.
const std::vector<FaultGenerator>& fault_generators();

// Every name under which faults are counted, those of run.outside_core included; the names that
// configurations of the swarm must show; those that its contract tier must show.
const std::vector<std::string_view>& all_fault_kinds();
const std::vector<std::string_view>& swarm_kinds();
const std::vector<std::string_view>& contract_kinds();
// The description of a kind: its table, and when it takes effect. Empty for an unknown name.
std::optional<std::string> explain_fault(std::string_view kind);
// Whether only a series of such faults counts (Counts::as_series).
bool is_series(std::string_view kind);

}  // namespace photonsim::scenarios
