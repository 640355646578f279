#include "scenarios/world/fault_report.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/faults/all_faults.h"

namespace photonsim::scenarios {
namespace {

namespace analysis = photon::analysis;
namespace sim = photon::sim;

// Expected effects from which on their absence is not chance: e^-100.
constexpr double kSurelyTakesEffect = 100;

void note_inert(const Config& config, analysis::Summary& summary, std::string_view key,
                std::string text) {
  if (config.faults.inert == InertFaults::kAllow) return;
  summary.inert_faults.push_back({std::string(key), std::move(text)});
}

std::int64_t planned_end(const sim::Fault& fault) {
  if (fault.duration == sim::kForever) return analysis::TracedFault::kNever;
  return photon::nanoseconds_of(fault.at + fault.duration);
}

}  // namespace

void report_faults(const Config& config, const FaultPlan& plan, const sim::Simulation& simulation,
                   analysis::Summary& summary) {
  const std::vector<sim::Fault>& faults = simulation.faults().list();
  summary.faults_configured = faults.size();
  std::map<std::string_view, std::uint64_t> effective;  // by kind
  struct Entry {
    std::string text;  // of its first fault
    bool effective = false;
  };
  std::map<std::size_t, Entry> entries;
  for (std::uint32_t i = 0; i < faults.size(); ++i) {
    const bool had_effect = simulation.faults().effective(i);
    const std::string text = sim::describe(faults[i], simulation.topology());
    effective[sim::name_of(faults[i])] += had_effect ? 1 : 0;
    // After the planned faults: those of the datacenters outside the core.
    const bool planned = i < plan.list.size();
    const std::int64_t end = planned ? planned_end(plan.list[i]) : analysis::TracedFault::kNever;
    summary.faults.push_back({i, text, photon::nanoseconds_of(faults[i].at), end, had_effect});
    if (!planned || !plan.entries[i]) continue;
    Entry& entry = entries[*plan.entries[i]];
    entry.effective = entry.effective || had_effect;
    if (entry.text.empty()) entry.text = text;
  }
  for (const auto& [number, entry] : entries) {
    if (!entry.effective) note_inert(config, summary, plan.tables.at(number), entry.text);
  }
  for (const auto& [kind, number] : effective) {
    PHOTON_CHECK(std::ranges::find(all_fault_kinds(), kind) != all_fault_kinds().end(),
                 "each kind of fault stands in the list of all");
  }
  summary.fault_kinds.assign(effective.begin(), effective.end());
}

void report_models(const Config& config, const sim::Simulation& simulation,
                   analysis::Summary& summary) {
  const sim::NetworkCounters& network = simulation.network().counters();
  const sim::VolumeCounters& volumes = simulation.volumes().counters();
  summary.network = {{"sent", network.sent},
                     {"delivered", network.delivered},
                     {"lost", network.lost},
                     {"duplicated", network.duplicated},
                     {"reordered", network.reordered},
                     {"delayed", network.delayed},
                     {"cut", network.cut},
                     {"found_down", network.found_down}};
  summary.storage = {{"requests", volumes.requests},
                     {"abandoned", volumes.abandoned},
                     {"torn_appends", volumes.torn_appends},
                     {"lost_suffixes", volumes.lost_suffixes},
                     {"unavailable", volumes.unavailable}};
  const auto expect = [&](std::string_view key, double chance, std::uint64_t faults) {
    const double expected = chance * static_cast<double>(network.sent);
    if (faults > 0 || expected < kSurelyTakesEffect) return;
    note_inert(config, summary, key,
               fmt::format("{} = {} of {} messages", key, chance, network.sent));
  };
  expect("network.loss", config.network.loss, network.lost);
  expect("network.duplication", config.network.duplication, network.duplicated);
  expect("network.reordering", config.network.reordering, network.reordered);
}

}  // namespace photonsim::scenarios
