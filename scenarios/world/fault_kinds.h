// The kinds of faults: the names under which reports and campaigns count them, whether they were
// drawn or scripted. An action of the simulator that is always one kind names itself (sim/fault.h).
#pragma once

#include <span>
#include <string_view>

namespace photonsim::scenarios {

namespace fault_kinds {

// [[faults.outage]], by its component; of a datacenter or a region without one.
inline constexpr std::string_view kOutageDatacenter = "outage_datacenter";
inline constexpr std::string_view kOutageRegion = "outage_region";
inline constexpr std::string_view kOutageRegistry = "outage_registry";
inline constexpr std::string_view kOutagePipeline = "outage_pipeline";
inline constexpr std::string_view kOutageCell = "outage_cell";
inline constexpr std::string_view kOutageLogs = "outage_logs";
// Of processes.
inline constexpr std::string_view kRestartLoop = "restart_loop";
// A pause that outlasts the lease that such a process may hold: something waited that long.
inline constexpr std::string_view kLongPause = "long_pause";
inline constexpr std::string_view kCacheLoss = "cache_loss";
// Between datacenters, and between some processes.
inline constexpr std::string_view kOneWayPartition = "one_way_partition";
inline constexpr std::string_view kKWayPartition = "k_way_partition";
inline constexpr std::string_view kMessageLoss = "message_loss";
inline constexpr std::string_view kReplyLoss = "reply_loss";
inline constexpr std::string_view kMessageDuplication = "message_duplication";
inline constexpr std::string_view kLateDuplication = "late_duplication";
inline constexpr std::string_view kMessageReordering = "message_reordering";
inline constexpr std::string_view kMessageDelay = "message_delay";
inline constexpr std::string_view kClog = "clog";
inline constexpr std::string_view kSwizzle = "swizzle";
inline constexpr std::string_view kLateConfiguration = "late_configuration";
// [[faults.disk]].
inline constexpr std::string_view kWriteError = "write_error";
inline constexpr std::string_view kDiskFull = "disk_full";
inline constexpr std::string_view kSlowDisk = "slow_disk";
inline constexpr std::string_view kLostSync = "lost_sync";
inline constexpr std::string_view kMisdirectedWrite = "misdirected_write";
// Of logs and of output.
inline constexpr std::string_view kLogDamage = "log_damage";
inline constexpr std::string_view kLogStall = "log_stall";
inline constexpr std::string_view kOutputLoss = "output_loss";
inline constexpr std::string_view kOutputReturn = "output_return";
// Of clocks.
inline constexpr std::string_view kTrueTimeOutage = "truetime_outage";
inline constexpr std::string_view kTrueTimeOutageOfProcess = "truetime_outage_of_process";
inline constexpr std::string_view kClockOffset = "clock_offset";
inline constexpr std::string_view kClockDrift = "clock_drift";
inline constexpr std::string_view kClockStep = "clock_step";
inline constexpr std::string_view kClockFreeze = "clock_freeze";
inline constexpr std::string_view kLyingInterval = "lying_interval";
inline constexpr std::string_view kMonotonicDrift = "monotonic_drift";
// What becomes of the datacenters outside run.core (core.h).
inline constexpr std::string_view kRestDown = "rest_down";
inline constexpr std::string_view kRestCutOff = "rest_cut_off";
inline constexpr std::string_view kRestMute = "rest_mute";

}  // namespace fault_kinds

// All of them.
std::span<const std::string_view> all_fault_kinds();
// Those that worlds of the swarm may have, within tolerance and over it. The others are of
// scenarios by hand and of the contract tier, in which not all is to be withstood.
std::span<const std::string_view> swarm_kinds();

}  // namespace photonsim::scenarios
