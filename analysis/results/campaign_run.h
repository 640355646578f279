// One run, as a campaign hears of it and as its results file keeps it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/reports/summary.h"
#include "core_impl/base/mark.h"

namespace photon::analysis {

// The counts of one run, always the same names in the same order: clicks, load, registry, faults,
// and the corner cases if the run counts them (SPEC J-H4).
Counts campaign_counts(const Summary& summary);
// Their names, the corner cases among them, which only some runs have, last.
std::vector<std::string> campaign_count_names();
// Without the corner cases.
std::vector<std::string> plain_count_names();

// What a run took. The processor time is that of one machine: it is reported, and decides nothing.
struct RunCost {
  std::uint64_t events = 0;
  std::uint64_t sim_milliseconds = 0;
  std::uint64_t cpu_microseconds = 0;
  friend bool operator==(const RunCost&, const RunCost&) = default;
};

// Counts by the name of their group. Groups and names hold no blank; a name stands in a group once.
using CountGroups = std::map<std::string, Counts, std::less<>>;
// Summary::fault_kinds: the kinds that were configured, and how many of each had an effect.
inline constexpr std::string_view kFaultKinds = "fault_kinds";
// Summary::demands: oracles, and how often each demanded something.
inline constexpr std::string_view kDemands = "demands";
// Of a run in which not all is demanded: its tier once, "over" or "contract"; findings that are
// excused, "over:D-08"; of a broken assumption "contract/BREAK", once "contract/BREAK:detected" if
// an oracle noticed that had to, and findings of those, "contract/BREAK:J-S5", and of all others,
// "contract/BREAK+J-S3", "over+J-S1".
inline constexpr std::string_view kTierCounts = "tier";
// "KIND|STATE": faults of that kind that took effect while the protocol state held, if any did.
inline constexpr std::string_view kStates = "states";
// Of a run that was done twice: kTwiceSame once, or kTwiceDiffered once.
inline constexpr std::string_view kDoneTwice = "done_twice";
inline constexpr std::string_view kTwiceSame = "same";
inline constexpr std::string_view kTwiceDiffered = "differed";
// What the protocols may be busy with, in the order of tables (scenarios/world/state_watch.h).
inline constexpr std::array<std::string_view, 9> kStateNames{
    "electing", "committing", "snapshot",   "resharding", "registering",
    "writing",  "recovering", "restarting", "quiet"};

// One run, as the campaign hears of it.
struct CampaignRun {
  std::size_t scenario = 0;  // its number among those of the campaign
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> counts{};  // of campaign_counts; empty if the run came to no end
  int exit_code = 0;                    // 0 unless it failed
  std::string what{};                   // why it failed
  std::string replay{};                 // the command that shows it again
  MarkHits marks{};
  RunCost cost{};
  CountGroups groups{};
  std::string fingerprint{};  // empty if the run came to no end
  bool died = false;          // its process did; `what` says how, nothing else is known
};

}  // namespace photon::analysis
