// One splitting of a scenario with [[rare.level]]: many runs that count as one replication.
//
// A path is a run that ends where it reaches a level. Its state there is known by its *lineage*:
// the seed that it began with, and the event and the new seed of each level since. A branch replays
// the path to the level, which is exact, and draws anew from there on; so nothing but numbers is
// kept, and any path can be replayed on its own (`photonsim run --set rare.lineage=...`).
//
// What is not drawn anew belongs to the state: faults at random times, references and payloads of
// events, clocks, a replayed log, operations of a registry workload, arrivals and shipping delays
// that something has looked at already. Branches share these, which costs precision and no bias.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/rare_events/fixed_effort.h"
#include "analysis/results/run_record.h"
#include "models/tables/input_fault.h"
#include "scenarios/config/config.h"

namespace photonsim::campaigns {

// The beginning of a path: it reached a level with this event.
struct PathState {
  std::uint64_t seed = 0;
  std::vector<scenarios::LineageStep> lineage{};
  std::uint64_t event = 0;
};

// The path that ended a splitting: a violation of safety, a failed check, or a limit.
struct FailedPath {
  PathState path{};  // with all its steps; its event is 0
  photon::analysis::RunRecord record{};
};

struct SplittingRun {
  photon::analysis::Splitting splitting{};
  std::optional<PathState> top{};  // a path that reached the last level
  std::uint64_t events = 0;        // kernel events of all paths, replayed ones too
  std::uint64_t replayed = 0;      // of them
  std::string paths{};             // a line for each, in order: its events and their fingerprint
  // At most one of these has a value; then the splitting is worth nothing.
  std::optional<FailedPath> failed{};
  std::optional<photon::models::InputFaults> refused{};  // the input cannot be read

  bool is_complete() const { return !failed && !refused; }
};

// `config` has levels; its seed is that of the replication.
SplittingRun run_splitting(const scenarios::Config& config);

// The scenario of the path that begins there and, if `fresh` has a value, draws from that seed from
// there on.
scenarios::Config branch_of(const scenarios::Config& config, const PathState& from,
                            std::optional<std::uint64_t> fresh);

// As overrides of the scenario, for --set.
std::vector<std::string> overrides_of(const PathState& path);

}  // namespace photonsim::campaigns
