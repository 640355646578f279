// The enumerations of a scenario. config_names.cc has their spellings; config.h describes the keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace photonsim::scenarios {

// Which guarantee the faults leave intact (DESIGN section 6).
enum class Tier : std::uint8_t {
  kWithin,    // "within": safety and liveness must hold
  kOver,      // "over": more faults than tolerated; safety must hold
  kContract,  // "contract": an assumption is broken; damage must be detected
};
// By enumerator: as in files, on the command line and in reports.
inline constexpr std::array<std::string_view, 3> kTierNames{"within", "over", "contract"};
constexpr std::string_view name_of(Tier tier) { return kTierNames[static_cast<std::size_t>(tier)]; }

// The verdict on a run with ids whose answers could not all be checked (J-S4).
enum class IndeterminateIds : std::uint8_t {
  kFail,
  kAllow,  // they are counted: for generated configurations with heavy load
};

// The input logs, in the order of their numbers in traces.
enum class LogKind : std::uint8_t { kQueries, kClicks };
inline constexpr std::array<std::string_view, 2> kLogWords{"queries", "clicks"};  // by enumerator

// What a level of [[rare.level]] is a number of (world/importance.h).
enum class Importance : std::uint8_t { kJoinerWindow, kOpenClicks, kOpenOperations };
inline constexpr std::array<std::string_view, 3> kImportanceNames{"joiner_window", "open_clicks",
                                                                  "open_operations"};
constexpr std::string_view name_of(Importance importance) {
  return kImportanceNames[static_cast<std::size_t>(importance)];
}

// Which process a run crashes once, at a random time ([rare] forced_crash).
enum class ForcedCrash : std::uint8_t { kNone, kJoiner };

// The state of the datacenters outside the core once faults have ended.
enum class OutsideCore : std::uint8_t {
  kDown,    // "down": they are stopped
  kCutOff,  // "cut_off": they run, isolated from the core
  kMute,    // "mute": they receive from the core, but their messages are lost
};

enum class WanSource : std::uint8_t {
  // "gcp-us-2020": measured round trips between us-east1, us-east4, us-central1, us-west1, us-west2
  kGcpUs2020,
  kLinks,  // "links": exactly the [[network.link]] entries
};

enum class MasterPlacement : std::uint8_t {
  kSpread,  // "spread": shard k prefers replica k mod n
  kPinned,  // "pinned": every shard prefers registry.pinned_datacenter
  // "nearest": every shard prefers the replica with the smallest round trip to a majority
  kNearest,
};

// Which process answers a dispatcher's look-ups (SPEC B-07).
enum class LookupMode : std::uint8_t {
  kQueueOrdered,  // "queue_ordered": by the master, in its queue with the inserts
  kBypass,        // "bypass": by the master at once, from what it has applied
  kReplica,       // "replica": by the nearest replica, from what that one has applied
};

// Whether the number of shards can change while the registry runs.
enum class Sharding : std::uint8_t {
  kFixed,    // "fixed": registry.shards for all time; no configuration group
  kDynamic,  // "dynamic": a history in a configuration group, read by clients (SPEC B-55)
};

// The rule for the age of the history that servers check requests with (SPEC B-60c rule 3).
enum class ServerCheck : std::uint8_t { kOff, kFreshness, kReadAfterStamp, kHorizon };

// Whether the configuration group refuses changes that start too early (SPEC B-54).
enum class ChangeRule : std::uint8_t { kStrict, kUnchecked };

enum class WorkloadKind : std::uint8_t {
  kSynthetic,
  kTrace,
  kRegistry,  // no logs and no pipelines: clients of the registry
};
enum class TimeUnit : std::uint8_t {
  kSeconds,
  kMilliseconds,
  kMicroseconds,
  kNanoseconds,
  kIso8601,
  kAuto,  // that of the first row, which must leave no doubt
};

// The meaning of an unknown or malformed foreign key in a trace. An empty one is always a click
// that never joins.
enum class DanglingPolicy : std::uint8_t { kError, kAllow };

// How a query and a click become a joined record (SPEC D-05).
enum class AdapterKind : std::uint8_t {
  kCombine,  // "combine": both payloads
  kFilter,   // "filter": the same, but clicks on some campaigns are skipped (joiner.skip_modulo)
  kEnrich,   // "enrich": both payloads, the campaign, and a class of delay (joiner.delay_step)
  kCustom,   // "custom": that of the program (scenarios/extensions)
};

// The Node that each joiner process runs.
enum class JoinerKind : std::uint8_t {
  kPhoton,  // "photon": core_impl/photon/joiner
  kCustom,  // "custom": that of the program (scenarios/extensions)
};

}  // namespace photonsim::scenarios
