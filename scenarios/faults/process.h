// Faults of single processes: [[faults.crash]], [[faults.pause]], [[faults.cache_loss]].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/config/durations.h"

namespace photonsim::scenarios {

struct CrashFault {
  static constexpr std::string_view kTable = "faults.crash";
  // "DC/joiner/3", "DC/dispatcher/0", "DC/cache/1", "DC/reader/0", "DC/event_store/0",
  // "DC/incarnations/0", "DC/sharding/0" (replica of the configuration group in that datacenter)
  // or "registry/SHARD@DC" (of that shard).
  std::string process{};
  Duration at{0};
  Duration restart_after{5s};  // exact, not a mean
  bool lose_disk{false};       // a registry replica, which then starts with an empty disk (B-18)
  // the new disk is set up as for a new group: the replica votes at once, without an admission.
  // B-18 forbids that, so the tier must be "contract"
  bool as_new{false};
  bool gracefully{false};  // as kGracefulRestart; restart_after counts from its end (D-23)
  // its host crashes: bytes that were not synced to its disk are lost too
  bool whole_host{false};
  std::uint64_t times{1};  // above 1: a restart loop
  Duration up_for{1s};     // of a restart loop: from each restart to the next crash (M)
  bool operator==(const CrashFault&) const = default;
};

// The process does nothing for a while and then continues, as when a virtual machine moves or a
// garbage collector stops it. Events for it wait meanwhile.
struct PauseFault {
  static constexpr std::string_view kTable = "faults.pause";
  std::string process{};  // as in CrashFault
  Duration at{0};
  Duration duration{0};  // key "for"
  bool operator==(const PauseFault&) const = default;
};

// A cache loses its contents at once (SPEC E-08).
struct CacheLossFault {
  static constexpr std::string_view kTable = "faults.cache_loss";
  std::string process{};  // a cache, as in CrashFault: "DC/cache/1"
  Duration at{0};
  bool operator==(const CacheLossFault&) const = default;
};

inline constexpr std::string_view kCacheLossName = "cache_loss";

}  // namespace photonsim::scenarios
