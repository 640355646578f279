#include "scenarios/world/fault_kinds.h"

#include <array>

#include "sim/fault.h"

namespace photonsim::scenarios {
namespace {

namespace sim = photon::sim;
using namespace fault_kinds;

// Those of the swarm first.
constexpr std::array kAll{
    sim::CrashProcess::kName, sim::PauseProcess::kName, sim::StopProcess::kName,
    sim::CrashHost::kName, sim::LoseDisk::kName, sim::SlowDatacenter::kName, sim::Partition::kName,
    sim::BitRot::kName, sim::TornWrite::kName, kOutageDatacenter, kOutageRegistry, kOutagePipeline,
    kOutageCell, kOutageLogs, kRestartLoop, kLongPause, kCacheLoss, kOneWayPartition,
    kKWayPartition, kMessageLoss, kReplyLoss, kMessageDuplication, kLateDuplication,
    kMessageReordering, kMessageDelay, kClog, kSwizzle, kLateConfiguration, kWriteError, kDiskFull,
    kSlowDisk, kMisdirectedWrite, kLogDamage, kLogStall, kOutputLoss, kTrueTimeOutage,
    kTrueTimeOutageOfProcess, kClockOffset, kClockDrift, kClockStep, kClockFreeze, kRestDown,
    kRestCutOff, kRestMute,
    // and these it never draws
    kOutageRegion, kLostSync, kOutputReturn, kLyingInterval, kMonotonicDrift};
constexpr std::size_t kOfSwarm = 44;
static_assert(kAll[kOfSwarm - 1] == kRestMute);

}  // namespace

std::span<const std::string_view> all_fault_kinds() { return kAll; }

std::span<const std::string_view> swarm_kinds() { return std::span(kAll).first(kOfSwarm); }

}  // namespace photonsim::scenarios
