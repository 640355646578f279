// Names of the files that the pipeline's processes keep in their datacenter's cell.
//
//   output/NNNNN/IIIIIIIIII           joined records of joiner N in its life I (joined_record.h)
//   unjoinable/NNNNN/IIIIIIIIII       clicks given up by joiner N in its life I (joined_record.h)
//   dispatcher/NNNNN/journal          file state and retry store of dispatcher N (journal.h)
//   verifier/NNNNN/journal            file state and open cases of verifier N (journal.h)
//   reinjected/NNNNN/SSSSS            clicks that verifier N brings back in its life S (log_file.h)
//   auditor/NNNNN/cleared             how far auditor N has cleared each output file
//   event_store/NNNNN/map/IIIIIIIIII  log file map written by log store N in its life I
//   event_store/NNNNN/offsets         how far reader N has made each file findable
//
// N is the process slot, I the life: of a joiner the one granted by the incarnation registry. Both
// are decimal with leading zeros, so names order like numbers. Fencing the directory of a slot
// shuts out every life before the one that fences (F-06).
#pragma once

#include <optional>
#include <string_view>

#include "core_impl/base/strong_id.h"
#include "core_impl/runtime/volume.h"

namespace photon {

inline constexpr std::string_view kOutputPrefix = "output/";
inline constexpr std::string_view kUnjoinablePrefix = "unjoinable/";
inline constexpr std::string_view kDispatcherPrefix = "dispatcher/";
inline constexpr std::string_view kEventStorePrefix = "event_store/";
inline constexpr std::string_view kVerifierPrefix = "verifier/";
inline constexpr std::string_view kAuditorPrefix = "auditor/";

// "PREFIX" + "NNNNN/": everything of one process slot under that prefix.
FileName directory_of(std::string_view prefix, NodeId node);
FileName output_file(NodeId node, Incarnation life);
// Whose output file that is.
struct OutputFile {
  NodeId node = kNoNode;
  Incarnation life{};
};
std::optional<OutputFile> parse_output_file(std::string_view name);
FileName unjoinable_file(NodeId node, Incarnation life);
FileName journal_file(std::string_view prefix, NodeId node);
FileName event_store_map_directory(NodeId node);
FileName event_store_map_file(NodeId node, Incarnation life);
FileName event_store_offsets_file(NodeId node);
FileName auditor_file(NodeId node);

}  // namespace photon
