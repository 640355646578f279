#include "core_impl/photon/cell_log/cell_files.h"

#include "core_impl/runtime/file_name.h"

namespace photon {
namespace {

constexpr std::size_t kNodeDigits = 5;
constexpr std::size_t kLifeDigits = 10;
constexpr std::string_view kJournal = "journal";

FileName file_of_life(FileName directory, Incarnation life) {
  append_number(directory, life.value(), kLifeDigits);
  return directory;
}

FileName file_in(FileName directory, std::string_view name) {
  append_text(directory, name);
  return directory;
}

}  // namespace

FileName directory_of(std::string_view prefix, NodeId node) {
  return partition_directory(prefix, node.value());
}

FileName partition_directory(std::string_view prefix, std::uint32_t partition) {
  FileName name(prefix.data(), prefix.size());
  append_number(name, partition, kNodeDigits);
  name.push_back('/');
  return name;
}

FileName output_file(NodeId node, Incarnation life) {
  return file_of_life(directory_of(kOutputPrefix, node), life);
}

std::optional<OutputFile> parse_output_file(std::string_view name) {
  if (!name.starts_with(kOutputPrefix)) return std::nullopt;
  name.remove_prefix(kOutputPrefix.size());
  if (name.size() != kNodeDigits + 1 + kLifeDigits || name[kNodeDigits] != '/') return std::nullopt;
  const auto node = parse_number(name.substr(0, kNodeDigits));
  const auto life = parse_number(name.substr(kNodeDigits + 1));
  if (!node || !life) return std::nullopt;
  return OutputFile{NodeId(*node), Incarnation(*life)};
}

std::optional<NodeId> parse_output_directory(std::string_view name) {
  if (!name.starts_with(kOutputPrefix) || !name.ends_with('/')) return std::nullopt;
  name.remove_prefix(kOutputPrefix.size());
  const auto node = parse_number(name.substr(0, name.size() - 1));
  return node ? std::optional(NodeId(*node)) : std::nullopt;
}

FileName copied_output_file(NodeId node, Incarnation life) {
  return file_of_life(directory_of(kOutputCopyPrefix, node), life);
}

FileName unjoinable_file(NodeId node, Incarnation life) {
  return file_of_life(directory_of(kUnjoinablePrefix, node), life);
}

FileName partition_journal(std::string_view prefix, std::uint32_t partition) {
  return file_in(partition_directory(prefix, partition), kJournal);
}

std::optional<std::uint32_t> parse_journal_file(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  if (name.size() != kNodeDigits + 1 + kJournal.size()) return std::nullopt;
  if (name[kNodeDigits] != '/' || !name.ends_with(kJournal)) return std::nullopt;
  return parse_number(name.substr(0, kNodeDigits));
}

FileName signs_of_life_file(std::string_view prefix, NodeId node) {
  FileName name(prefix.data(), prefix.size());
  append_number(name, node.value(), kNodeDigits);
  return name;
}

FileName event_store_map_directory(NodeId node) {
  return file_in(directory_of(kEventStorePrefix, node), "map/");
}

FileName event_store_map_file(NodeId node, Incarnation life) {
  return file_of_life(event_store_map_directory(node), life);
}

FileName event_store_offsets_file(NodeId node) {
  return file_in(directory_of(kEventStorePrefix, node), "offsets");
}

FileName auditor_file(NodeId node) {
  return file_in(directory_of(kAuditorPrefix, node), "cleared");
}

}  // namespace photon
