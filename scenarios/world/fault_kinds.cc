#include "scenarios/world/fault_kinds.h"

#include <array>

#include "sim/fault.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;
using namespace fault_kinds;

// Those of the swarm first, then those of its contract tier.
constexpr std::array kAll{
    sim::CrashProcess::kName, sim::PauseProcess::kName, sim::StopProcess::kName,
    sim::CrashHost::kName, sim::SlowDatacenter::kName, sim::Partition::kName, sim::BitRot::kName,
    sim::TornWrite::kName, kOutageDatacenter, kOutageRegion, kOutageRegistry, kOutagePipeline,
    kOutageCell, kOutageLogs, kRestartLoop, kLongPause, kCacheLoss, kOneWayPartition,
    kKWayPartition, kMessageLoss, kReplyLoss, kMessageDuplication, kLateDuplication,
    kMessageReordering, kMessageDelay, kClog, kSwizzle, kLateConfiguration, kWriteError, kDiskFull,
    kSlowDisk, kMisdirectedWrite, kLogDamage, kLogStall, kLateFiles, kLogTruncation, kOutputLoss,
    kTrueTimeOutage, kTrueTimeOutageOfProcess, kClockStep, kClockFreeze, kRestDown, kRestCutOff,
    kRestMute,
    // of both
    sim::LoseDisk::kName, kClockOffset, kClockDrift,
    // of the contract tier alone
    kResetDisk, kLostSync, kOutputReturn, kLyingInterval, kMonotonicDrift};
constexpr std::size_t kOfSwarm = 47;
constexpr std::size_t kFirstOfContract = kOfSwarm - 3;
static_assert(kAll[kOfSwarm] == kResetDisk);

}  // namespace

std::span<const std::string_view> all_fault_kinds() { return kAll; }

std::span<const std::string_view> swarm_kinds() { return std::span(kAll).first(kOfSwarm); }

std::span<const std::string_view> contract_kinds() {
  return std::span(kAll).subspan(kFirstOfContract);
}

}  // namespace photonsim::scenarios
