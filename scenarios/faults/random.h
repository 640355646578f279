// [[faults.random]]: faults at random times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/config/durations.h"
#include "scenarios/faults/partition.h"

namespace photonsim::scenarios {

enum class RandomFaultKind : std::uint8_t {
  kProcessCrash,
  kPartition,
  kDiskLoss,
  kProcessPause,
  kGracefulRestart,  // a process is asked to stop and finishes its work first (SPEC D-23)
  kCacheLoss,
  kLateConfiguration,  // all processes of one datacenter
};

// Which processes a random crash chooses from.
enum class FaultTarget : std::uint8_t {
  kAny,
  kJoiner,
  kDispatcher,
  kRegistry,
  kEventStore,
  kCache,
  kReader,
  kIncarnations,
  kClient,
  kVerifier,
  kAuditor,
  kMirror,
};

// A Poisson process of faults, expanded into an explicit list before the run (DESIGN 5).
struct RandomFault {
  static constexpr std::string_view kTable = "faults.random";
  RandomFaultKind kind{RandomFaultKind::kProcessCrash};
  FaultTarget target{FaultTarget::kAny};  // with process_crash, graceful_restart
  // only there; partition: only it is cut off; "" = any, late_configuration: one of them each time
  std::string datacenter{};
  Duration mean_interval{0};  // required; the distances are exponential
  // process_crash, graceful_restart, disk_loss: mean time until the restart, uniform between a half
  // and one and a half of it (M)
  Duration restart_after{5s};
  PartitionDirection direction{PartitionDirection::kSymmetric};  // partition
  // partition, process_pause, late_configuration: mean length, uniform between a half and one and
  // a half of it (M)
  Duration mean_duration{10s};
  Duration from{0};                 // first instant at which one may begin
  std::optional<Duration> until{};  // last; nullopt = end of generation
  bool operator==(const RandomFault&) const = default;
};

}  // namespace photonsim::scenarios
