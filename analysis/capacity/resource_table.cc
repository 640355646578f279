#include "analysis/capacity/resource_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace photon::analysis {
namespace {

using trace::Resource;

// A transaction is under way nearly always when a shard has work, long before it has too much: that
// is group commit. What it cannot exceed is the size of a batch.
constexpr std::array kResourceRows{
    ResourceRow{Resource::processor, "processor", "time in which the process works", 0},
    ResourceRow{Resource::volume, "volume", "requests under way", 0},
    ResourceRow{Resource::dispatcher_reads, "dispatcher.max_reads", "reads of click logs under way",
                1},
    ResourceRow{Resource::dispatcher_clicks, "dispatcher.max_pending_clicks", "clicks in memory",
                2},
    ResourceRow{Resource::dispatcher_lookups, "dispatcher.max_outstanding_lookups",
                "clicks that are looked up, or looked up and not yet sent", 4},
    ResourceRow{Resource::dispatcher_backlog, "dispatcher.fresh_share",
                "the rest of the look-ups, for clicks that are not fresh", 4},
    ResourceRow{Resource::dispatcher_sends, "dispatcher.max_outstanding_sends",
                "clicks at joiners, and places kept for the next whole group", 5},
    ResourceRow{Resource::joiner_clicks, "joiner.max_in_flight", "clicks being joined", 6},
    ResourceRow{Resource::event_store_searches, "event_store.log_concurrency",
                "searches in the logs", 9},
    ResourceRow{Resource::joiner_window, "joiner.max_window",
                "clicks from registration to durable output", 11},
    ResourceRow{Resource::joiner_registrations, "joiner.max_outstanding_registry",
                "registrations without an answer", 12},
    ResourceRow{Resource::joiner_shard, "joiner.max_outstanding_per_shard",
                "registrations without an answer at one shard", 12},
    ResourceRow{Resource::registry_queue, "registry.max_queue",
                "operations that wait for a transaction", 13},
    ResourceRow{Resource::registry_transactions, "registry.pipeline_depth",
                "transactions under way", 0},
    ResourceRow{Resource::registry_batch, "registry.max_batch_operations",
                "operations in transactions under way", 14},
    ResourceRow{Resource::registry_batch_bytes, "registry.max_batch_bytes",
                "bytes of transactions under way", 14},
};

// Roles as they stand in paths.
constexpr std::array<std::pair<std::string_view, int>, 5> kProcessors{
    {{"/dispatcher", 3}, {"/joiner", 7}, {"/cache", 8}, {"/event_store", 10}, {"/registry", 15}}};

}  // namespace

const ResourceRow* resource_row(trace::Resource resource) {
  const auto row = std::ranges::find(kResourceRows, resource, &ResourceRow::resource);
  return row == kResourceRows.end() ? nullptr : &*row;
}

std::string_view resource_name(trace::Resource resource) {
  const ResourceRow* row = resource_row(resource);
  return row == nullptr ? "unknown" : row->name;
}

int processor_depth(std::string_view path) {
  for (const auto& [role, depth] : kProcessors) {
    if (path.find(role) != std::string_view::npos) return depth;
  }
  return 0;
}

}  // namespace photon::analysis
