// The kinds of faults: the names under which reports and campaigns count them, whether they were
// drawn or scripted. They are what a scenario says: TABLE or TABLE.KIND of [[faults.TABLE]], where
// KIND is its kind, component, direction or the key that makes the difference, or a kind of
// [[faults.random]]; only what a table's numbers, switches or names make something else has a name
// of its own (host_crash, restart_loop, long_pause, outage.region). An action of the simulator that
// is always one kind names itself (sim/fault.h).
#pragma once

#include <span>
#include <string_view>

namespace photonsim::scenarios {

namespace fault_kinds {

// [[faults.outage]], by its component; of a datacenter or a region without one.
inline constexpr std::string_view kOutageDatacenter = "outage.all";
inline constexpr std::string_view kOutageRegion = "outage.region";
inline constexpr std::string_view kOutageRegistry = "outage.registry";
inline constexpr std::string_view kOutagePipeline = "outage.pipeline";
inline constexpr std::string_view kOutageCell = "outage.cell";
inline constexpr std::string_view kOutageLogs = "outage.logs";
// Of processes.
inline constexpr std::string_view kRestartLoop = "restart_loop";
// A pause that outlasts the lease that such a process may hold: something waited that long.
inline constexpr std::string_view kLongPause = "long_pause";
inline constexpr std::string_view kCacheLoss = "cache_loss";
inline constexpr std::string_view kResetDisk = "reset_disk";
// Between datacenters, and between some processes.
inline constexpr std::string_view kOneWayPartition = "partition.one_way";
inline constexpr std::string_view kKWayPartition = "partition.apart";
inline constexpr std::string_view kMessageLoss = "link.loss";
inline constexpr std::string_view kReplyLoss = "link.reply_loss";
inline constexpr std::string_view kMessageDuplication = "link.duplication";
inline constexpr std::string_view kLateDuplication = "link.late_duplication";
inline constexpr std::string_view kMessageReordering = "link.reordering";
inline constexpr std::string_view kMessageDelay = "link.delay";
inline constexpr std::string_view kClog = "link.clog";
inline constexpr std::string_view kSwizzle = "link.swizzle";
inline constexpr std::string_view kLateConfiguration = "late_configuration";
// [[faults.disk]].
inline constexpr std::string_view kWriteError = "disk.write_error";
inline constexpr std::string_view kDiskFull = "disk.full";
inline constexpr std::string_view kSlowDisk = "disk.slow";
inline constexpr std::string_view kLostSync = "disk.lost_sync";
inline constexpr std::string_view kMisdirectedWrite = "disk.misdirected_write";
// Of logs and of output.
inline constexpr std::string_view kLogDamage = "log_damage";
inline constexpr std::string_view kLogStall = "log_stall";
// What a stall held comes late even behind it, each piece by a time of its own.
inline constexpr std::string_view kLateFiles = "log_stall.tail";
inline constexpr std::string_view kLogTruncation = "log_truncation";
inline constexpr std::string_view kOutputLoss = "output_loss";
inline constexpr std::string_view kOutputReturn = "output_loss.returns_after";
// Of clocks.
inline constexpr std::string_view kTrueTimeOutage = "truetime_outage";
inline constexpr std::string_view kTrueTimeOutageOfProcess = "clock.truetime_outage";
inline constexpr std::string_view kClockOffset = "clock.offset";
inline constexpr std::string_view kClockDrift = "clock.drift";
inline constexpr std::string_view kClockStep = "clock.step";
inline constexpr std::string_view kClockFreeze = "clock.freeze";
inline constexpr std::string_view kLyingInterval = "clock.lying_interval";
inline constexpr std::string_view kMonotonicDrift = "clock.monotonic_drift";
// What becomes of the datacenters outside run.core (core.h).
inline constexpr std::string_view kRestDown = "rest.down";
inline constexpr std::string_view kRestCutOff = "rest.cut_off";
inline constexpr std::string_view kRestMute = "rest.mute";

}  // namespace fault_kinds

// All of them.
std::span<const std::string_view> all_fault_kinds();
// Those that worlds of the swarm may have, within tolerance and over it; and those that worlds of
// its contract tier have, in which something is broken that Photon rests on.
std::span<const std::string_view> swarm_kinds();
std::span<const std::string_view> contract_kinds();

}  // namespace photonsim::scenarios
