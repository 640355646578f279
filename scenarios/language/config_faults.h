// What goes wrong on order: the [faults] of a scenario. Times count from the start of the run. Part
// of config.h, whose head says how fields, defaults and sources are to be read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/language/config_clock_faults.h"
#include "scenarios/language/config_kinds.h"
#include "scenarios/language/config_log_faults.h"

namespace photonsim::scenarios {

using Duration = std::chrono::nanoseconds;
using namespace std::chrono_literals;

// More than this are refused, for they are expanded into a list: by the loader, or where the length
// of the run is known.
inline constexpr std::int64_t kMostRandomFaults = 1'000'000;

// A Poisson process of faults, expanded into an explicit list before the run (DESIGN 5).
struct RandomFault {
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
  Duration from{0};                 // first instant at which it may strike
  std::optional<Duration> until{};  // last; nullopt = end of generation
  bool operator==(const RandomFault&) const = default;
};

struct OutageFault {
  std::string datacenter{};  // or a region: all of its datacenters at once
  OutageComponent component{OutageComponent::kAll};
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const OutageFault&) const = default;
};

struct CrashFault {
  // "DC/joiner/3", "DC/dispatcher/0", "DC/cache/1", "DC/reader/0", "DC/event_store/0",
  // "DC/incarnations/0", "DC/sharding/0" (replica of the configuration group in that datacenter)
  // or "registry/SHARD@DC" (of that shard).
  std::string process{};
  Duration at{0};
  Duration restart_after{5s};  // exact, not a mean
  bool lose_disk{false};       // a registry replica, which then starts with an empty disk (B-18)
  // the new disk is set up as for a new group: the replica votes at once, and does not know that it
  // has forgotten anything. What B-18 forbids; only where a contract is broken
  bool as_new{false};
  bool gracefully{false};  // as kGracefulRestart; restart_after counts from its end (D-23)
  // its host crashes: what the host's disk had not been asked to sync is lost too
  bool whole_host{false};
  std::uint64_t times{1};  // more: a restart loop, in which it is crashed anew ...
  Duration up_for{1s};     // ... so long after each restart (M)
  bool operator==(const CrashFault&) const = default;
};

// The process does nothing for a while, and then goes on as if nothing had been: what came for it
// meanwhile waits (a virtual machine that moves, a collector that stops the world).
struct PauseFault {
  std::string process{};  // as in CrashFault
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const PauseFault&) const = default;
};

// The contents of a cache are gone from one moment to the next (SPEC E-08).
struct CacheLossFault {
  std::string process{};  // a cache, as in CrashFault: "DC/cache/1"
  Duration at{0};
  bool operator==(const CacheLossFault&) const = default;
};

// Some learn late what the number of shards is, or is to be, although the network is well: whatever
// tells them a version of the configuration that they have not been told yet is held back until the
// fault ends (SPEC B-60c, BC-18).
struct LateConfigurationFault {
  std::vector<std::string> who{"any"};  // as in LinkFault
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const LateConfigurationFault&) const = default;
};

struct PartitionFault {
  std::vector<std::string> from{};  // datacenters or regions
  std::vector<std::string> to{};    // with direction = "apart": none
  Duration at{0};
  Duration duration{0};  // key "for"
  PartitionDirection direction{PartitionDirection::kSymmetric};
  bool operator==(const PartitionFault&) const = default;
};

// Something befalls the messages from some processes to others. Each name is "any", a datacenter, a
// region, a role ("joiner": everywhere), a role in a datacenter ("us-east1/joiner"), a process, or
// all replicas of a shard ("registry/2").
struct LinkFault {
  LinkFaultKind kind{LinkFaultKind::kLoss};
  std::vector<std::string> from{"any"};
  std::vector<std::string> to{"any"};
  double share{1.0};      // of the messages; swizzle: of the processes `from` (M)
  Duration delay{100ms};  // as the kind says (M)
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const LinkFault&) const = default;
};

// All that a datacenter does takes longer: steps of its servers, its disks and its cell, and the
// messages that it sends.
struct SlowFault {
  std::string datacenter{};
  double factor{10};  // so many times (M)
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const SlowFault&) const = default;
};

// Something is wrong with one disk or one cell. That storage refuses requests is in its contract
// (runtime/volume.h), but nobody can do without what was promised to be durable: kLostSync breaks
// it, and so do kBitRot and kMisdirectedWrite on more disks of a group than it can spare.
struct DiskFault {
  // a process, named as in CrashFault: the disk of its host; or a datacenter: its cell
  std::string where{};
  DiskFaultKind kind{DiskFaultKind::kWriteError};
  Duration at{0};
  // key "for"; torn_write: until the restart; of bit_rot there is no end (M)
  Duration duration{10s};
  double share{1.0};  // of the requests that it can strike (M)
  double factor{10};  // slow: so many times (M)
  bool operator==(const DiskFault&) const = default;
};

// What a fault that did nothing means for the run.
enum class InertFaults : std::uint8_t {
  kFail,  // "fail": one that is written down must have an effect (DESIGN 6)
  // "allow": they are counted; for scenarios that were drawn at random. So are operations that end
  // otherwise than they should
  kAllow,
};

struct Faults {
  InertFaults inert{InertFaults::kFail};
  std::vector<RandomFault> random{};
  std::vector<OutageFault> outages{};
  std::vector<CrashFault> crashes{};
  std::vector<PauseFault> pauses{};
  std::vector<CacheLossFault> cache_losses{};
  std::vector<PartitionFault> partitions{};
  std::vector<LinkFault> links{};
  std::vector<LateConfigurationFault> late_configurations{};
  std::vector<SlowFault> slow{};
  std::vector<DiskFault> disks{};
  std::vector<LogDamageFault> log_damages{};
  std::vector<LogStallFault> log_stalls{};
  std::vector<LogTruncationFault> log_truncations{};
  std::vector<OutputLossFault> output_losses{};
  std::vector<TrueTimeOutageFault> truetime_outages{};
  std::vector<ClockFault> clocks{};
  bool operator==(const Faults&) const = default;
};

}  // namespace photonsim::scenarios
