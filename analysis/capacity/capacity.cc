#include "analysis/capacity/capacity.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "analysis/capacity/capacity_ledger.h"
#include "analysis/capacity/resource_table.h"
#include "analysis/trace_files/judge_config.h"
#include "analysis/trace_files/trace_places.h"

namespace photon::analysis {
namespace {

constexpr double kSaturated = 0.9;
constexpr double kMoreDeviations = 1.5;  // as much growth proves an overload then
// Near their capacity pipelines lead in turn, each for a minute or so: one that falls behind finds
// its clicks joined, which costs it less. So the growth of one is no proof below this share of its
// load in a minute; the mean of such changes fades with the square root of the window. What none
// has finished changes with them, too.
constexpr double kLeadInAMinute = 0.4;
constexpr double kDeviationsOfLeads = 2;  // as much growth of the unfinished is a proof then
// Near a limit chance alone has a few requests refused.
constexpr double kRefusing = 0.1;
constexpr std::string_view kProcessor = "processor";

ResourceFigures figures_of(const ResourceTotals& totals, const TracePlaces& places) {
  const bool volume = totals.node == kNoNode;
  ResourceFigures figures;
  figures.name = resource_name(totals.resource);
  figures.where = volume ? volume_name(places, totals.volume) : process_name(places, totals.node);
  figures.datacenter = datacenter_name(places, totals.datacenter);
  figures.utilisation = totals.utilisation();
  figures.used_mean = totals.used_mean;
  figures.limit = static_cast<double>(totals.limit);
  figures.full = totals.full;
  const double limit = static_cast<double>(totals.limit);
  figures.late = std::max(totals.late_full, limit > 0 ? totals.late_used / limit : 0);
  figures.refused = totals.refused;
  figures.queue_mean = totals.queue_mean;
  figures.queue_growth = totals.queue.growth_per_second;
  figures.queue_grows = totals.queue.surely_grows();
  figures.queue_max = static_cast<double>(totals.queue_max);
  figures.used_max = static_cast<double>(totals.used_max);
  const ResourceRow* row = resource_row(totals.resource);
  figures.depth = totals.resource == trace::Resource::processor ? processor_depth(figures.where)
                  : row == nullptr                              ? 0
                                                                : row->depth;
  return figures;
}

// The limits of a dispatcher, a joiner or a store hold in each process of the datacenter alike;
// a shard and a processor are named alone.
std::string named(const ResourceFigures& resource) {
  const bool alone = resource.name == kProcessor || resource.name.starts_with("registry.");
  return fmt::format("{} in {}", resource.name, alone ? resource.where : resource.datacenter);
}

// What holds up a pipeline: the limits in its own datacenter, and the registry's.
std::vector<ResourceFigures> those_of(const std::vector<ResourceFigures>& all,
                                      const std::string& datacenter) {
  std::vector<ResourceFigures> own;
  for (const ResourceFigures& each : all) {
    const bool registry =
        each.name.starts_with("registry.") || each.where.find("/registry/") != std::string::npos;
    if (registry || each.datacenter == datacenter) own.push_back(each);
  }
  return own;
}

// Over the window, or at its end: a backlog takes its time until it uses a limit up.
double most_used(const ResourceFigures& resource) {
  return std::max(resource.saturation(), resource.late);
}

bool is_used_up(const ResourceFigures& resource) { return most_used(resource) >= kSaturated; }

// Refused clicks wait for their retry, and hold what they start again with: a limit that refuses
// them has room meanwhile. It explains an overload, but is no proof of one.
bool holds_up(const ResourceFigures& resource) {
  return is_used_up(resource) || resource.refused >= kRefusing;
}

// The deepest of those; null if there is none. What a process holds while it waits for its own
// processor is used up by that.
const ResourceFigures* deepest(const std::vector<ResourceFigures>& resources,
                               bool (*is_one)(const ResourceFigures&)) {
  std::set<std::string_view> working;  // processes that do nothing but work
  for (const ResourceFigures& each : resources) {
    if (each.name == kProcessor && is_used_up(each)) working.insert(each.where);
  }
  const ResourceFigures* found = nullptr;
  for (const ResourceFigures& each : resources) {
    if (each.depth == 0 || !is_one(each)) continue;
    if (each.name != kProcessor && working.contains(each.where)) continue;
    if (found == nullptr || each.depth > found->depth) found = &each;
  }
  return found;
}

bool is_limited(const ResourceFigures& resource) { return resource.depth > 0; }

// The backlog of that pipeline, or of a registry alone, grows throughout, or ends long.
void judge_backlog(const JudgeConfig& config, const CapacityLedger& ledger,
                   CapacityFigures& figures) {
  const BacklogTrend& trend = ledger.trend();
  const std::string where =
      config.registry_only() ? "the registry's clients" : config.name_of(ledger.growing_pipeline());
  const std::vector<ResourceFigures> own =
      config.registry_only() ? figures.resources : those_of(figures.resources, where);
  const auto nearest = std::ranges::find_if(own, is_limited);
  const ResourceFigures* binding = deepest(own, is_used_up);
  const ResourceFigures* const cause = deepest(own, holds_up);
  // Where a limit has room for a part of the time, the first minute may look like this too: retries
  // fill up slowly.
  const double enough = binding != nullptr ? 1 : kMoreDeviations;
  const bool joined_elsewhere =
      config.pipelines.size() > 1 &&
      !ledger.unfinished_trend().surely_grows(kDeviationsOfLeads * enough) &&
      trend.share < kLeadInAMinute * std::sqrt(60 / ledger.seconds());
  const bool surely = trend.surely_grows(enough) && !joined_elsewhere;
  if (trend.verdict == Stationarity::behind) {
    figures.ends_behind = cause != nullptr;
    if (cause == nullptr) figures.stationary = true;
  } else if (binding == nullptr && nearest != own.end() &&
             nearest->saturation() >= kPerhapsSaturated) {
    binding = &*nearest;
  }
  if (figures.stationary) return;
  figures.growing_where = where;
  if (cause != nullptr || nearest != own.end()) {
    const ResourceFigures& suspect = cause != nullptr ? *cause : *nearest;
    figures.suspect = named(suspect);
    figures.suspect_used = most_used(suspect);
    figures.suspect_refused = suspect.refused;
  }
  // Where every resource has room, it grows for another reason: the first seconds, a fault.
  if (binding == nullptr && !figures.ends_behind) return;
  figures.joined_elsewhere = trend.surely_grows(enough) && joined_elsewhere;
  // A limit that refuses requests may lie deeper than what is used up.
  if (cause != nullptr) binding = cause;
  if (figures.ends_behind || surely) figures.binding = named(*binding);
  if (surely) figures.stationary = false;
}

// A resource that is used up while more waits for it in each quarter of the window.
void judge_queues(CapacityFigures& figures) {
  std::vector<ResourceFigures> growing;
  std::ranges::copy_if(figures.resources, std::back_inserter(growing),
                       &ResourceFigures::queue_grows);
  const ResourceFigures* binding = deepest(growing, is_used_up);
  if (binding == nullptr) return;
  figures.stationary = false;
  figures.ends_behind = false;
  figures.binding = figures.growing_queue = named(*binding);
  figures.queue_growth_per_second = binding->queue_growth;
}

// Three digits or all before the point: "0.0213", "21.3", "2880".
std::string growth_text(double per_second) {
  constexpr double kWhole = 1000;
  if (per_second < kWhole) return fmt::format("{:.3g}", per_second);
  return fmt::format("{:.0f}", per_second);
}

}  // namespace

CapacityFigures capacity_figures(const CapacityLedger& ledger, const JudgeConfig& config,
                                 const TracePlaces& places) {
  CapacityFigures figures;
  figures.seconds = ledger.seconds();
  figures.measured = ledger.seconds() > 0;
  if (!figures.measured) return figures;
  figures.offered_per_second = ledger.offered_per_second();
  figures.served_per_second = ledger.served_per_second();
  figures.backlog_growth_per_second = ledger.trend().growth_per_second;
  figures.unfinished_growth_per_second = ledger.unfinished_trend().growth_per_second;
  for (const ResourceTotals& totals : ledger.resources()) {
    figures.resources.push_back(figures_of(totals, places));
  }
  std::ranges::stable_sort(figures.resources, std::ranges::greater{}, &ResourceFigures::saturation);
  const auto closest = std::ranges::find_if(figures.resources, is_limited);
  if (closest != figures.resources.end()) {
    figures.closest = named(*closest);
    figures.closest_saturation = closest->saturation();
  }
  if (ledger.trend().verdict == Stationarity::unknown) return figures;
  if (ledger.trend().verdict == Stationarity::stationary) {
    figures.stationary = true;
  } else {
    judge_backlog(config, ledger, figures);
  }
  if (figures.stationary.value_or(true)) judge_queues(figures);
  return figures;
}

namespace {

// "is used up", or "refuses 63 % of the requests to it".
std::string state_of_suspect(const CapacityFigures& capacity) {
  if (capacity.suspect_used >= kSaturated) return "is used up";
  if (capacity.suspect_refused < kRefusing) {
    return fmt::format("is used most, with {:.0f} %", 100 * capacity.suspect_used);
  }
  return fmt::format("refuses {:.0f} % of the requests to it", 100 * capacity.suspect_refused);
}

// Of a backlog that grows, by no more than chance explains or while every limit has room.
std::string perhaps_growing(const CapacityFigures& capacity, const std::string& growth) {
  if (capacity.joined_elsewhere) {
    return fmt::format(
        "PERHAPS NOT STATIONARY: {}, and {} {}. Another pipeline joins its clicks: it may level "
        "off. A longer run.duration tells",
        growth, capacity.suspect, state_of_suspect(capacity));
  }
  if (capacity.suspect_used >= kSaturated || capacity.suspect_refused >= kRefusing) {
    return fmt::format(
        "PERHAPS NOT STATIONARY: {}, and {} {}. The run is too short to tell, or a fault holds "
        "work up",
        growth, capacity.suspect, state_of_suspect(capacity));
  }
  if (capacity.suspect_used < kPerhapsSaturated) {
    const int percent = static_cast<int>(std::lround(100 * capacity.suspect_used));
    return fmt::format(
        "PERHAPS NOT STATIONARY: {}, and no limit there is used{}. Work waits for something else: "
        "a fault, or time-outs and requests that are repeated",
        growth, percent == 0 ? "" : fmt::format(" by more than {} %", percent));
  }
  return fmt::format(
      "PERHAPS NOT STATIONARY: {}, and {} is used most, with {:.0f} %. The run is too short to "
      "tell, or a fault holds work up",
      growth, capacity.suspect, 100 * capacity.suspect_used);
}

}  // namespace

std::string overload_sentence(const CapacityFigures& capacity) {
  const std::string rates = fmt::format("({:.4g}/s offered, {:.4g}/s served)",
                                        capacity.offered_per_second, capacity.served_per_second);
  if (!capacity.growing_queue.empty()) {
    return fmt::format(
        "NOT STATIONARY: the queue of {} grows by {} a second {}, and work goes around it. "
        "Figures depend on the length of the run",
        capacity.growing_queue, growth_text(capacity.queue_growth_per_second), rates);
  }
  if (capacity.growing_where.empty()) {
    if (!capacity.measured || capacity.stationary.has_value()) return {};
    return fmt::format(
        "STATIONARITY NOT KNOWN: the measured window has fewer than {} samples of the backlog. "
        "Lengthen run.duration, or shorten run.sample_interval",
        kLeastBacklogSamples);
  }
  const std::string growth =
      fmt::format("the backlog in {} grows by {} a second {}", capacity.growing_where,
                  growth_text(capacity.backlog_growth_per_second), rates);
  if (capacity.ends_behind) {
    return fmt::format(
        "PERHAPS NOT STATIONARY: the window ends with a long backlog in {} while {} {} {}. "
        "A longer run.duration tells whether it drains",
        capacity.growing_where, capacity.suspect, state_of_suspect(capacity), rates);
  }
  if (!capacity.stationary.has_value()) return perhaps_growing(capacity, growth);
  return fmt::format("NOT STATIONARY: {}, bound by {}. Latencies depend on the length of the run",
                     growth, capacity.binding);
}

}  // namespace photon::analysis
