// Names of the files that the pipeline's processes keep in their datacenter's cell.
//
//   output/NNNNN/IIIIIIIIII           joined records of joiner N in its life I (joined_record.h)
//   output_copy/NNNNN/IIIIIIIIII      the same of another datacenter's joiner (output_copies/)
//   unjoinable/NNNNN/IIIIIIIIII       clicks given up by joiner N in its life I (joined_record.h)
//   dispatcher/PPPPP/journal          file state and retry store of partition P (journal.h)
//   dispatcher_worker/NNNNN           signs of life of dispatcher worker N (leases/worker_group.h)
//   verifier/NNNNN/journal            file state and open cases of verifier N (journal.h)
//   reinjected/NNNNN/SSSSS            clicks that verifier N brings back in its life S (log_file.h)
//   auditor/NNNNN/cleared             how far auditor N has cleared each output file
//   event_store/NNNNN/map/IIIIIIIIII  log file map written by log store N in its life I
//   event_store/NNNNN/offsets         how far reader N has made each file findable
//
// P is a partition of the clicks, N the process slot, I the life: of a joiner the one granted by
// the incarnation registry. Both are decimal with leading zeros, so names sort as the numbers do.
// Fencing the directory of a slot shuts out every life before the one that fences (F-06), that of a
// partition every owner before (C-06).
#pragma once

#include <optional>
#include <string_view>

#include "core_impl/base/strong_id.h"
#include "core_impl/runtime/volume.h"

namespace photon {

inline constexpr std::string_view kOutputPrefix = "output/";
inline constexpr std::string_view kOutputCopyPrefix = "output_copy/";
inline constexpr std::string_view kUnjoinablePrefix = "unjoinable/";
inline constexpr std::string_view kDispatcherPrefix = "dispatcher/";
inline constexpr std::string_view kDispatcherWorkerPrefix = "dispatcher_worker/";
inline constexpr std::string_view kEventStorePrefix = "event_store/";
inline constexpr std::string_view kVerifierPrefix = "verifier/";
inline constexpr std::string_view kAuditorPrefix = "auditor/";

// "PREFIX" + "NNNNN/": everything of one process slot under that prefix.
FileName directory_of(std::string_view prefix, NodeId node);
// The same of one partition.
FileName partition_directory(std::string_view prefix, std::uint32_t partition);
FileName output_file(NodeId node, Incarnation life);
// The owner of an output file.
struct OutputFile {
  NodeId node = kNoNode;
  Incarnation life{};
};
std::optional<OutputFile> parse_output_file(std::string_view name);
// "output/NNNNN/": N.
std::optional<NodeId> parse_output_directory(std::string_view name);
FileName copied_output_file(NodeId node, Incarnation life);
FileName unjoinable_file(NodeId node, Incarnation life);
FileName partition_journal(std::string_view prefix, std::uint32_t partition);
// "PREFIXNNNNN/journal": N.
std::optional<std::uint32_t> parse_journal_file(std::string_view prefix, std::string_view name);
// "PREFIXNNNNN"
FileName signs_of_life_file(std::string_view prefix, NodeId node);
FileName event_store_map_directory(NodeId node);
FileName event_store_map_file(NodeId node, Incarnation life);
FileName event_store_offsets_file(NodeId node);
FileName auditor_file(NodeId node);

}  // namespace photon
