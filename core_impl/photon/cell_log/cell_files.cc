#include "core_impl/photon/cell_log/cell_files.h"

#include "core_impl/runtime/file_name.h"

namespace photon {
namespace {

constexpr std::size_t kNodeDigits = 5;
constexpr std::size_t kLifeDigits = 10;

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
  FileName name(prefix.data(), prefix.size());
  append_number(name, node.value(), kNodeDigits);
  name.push_back('/');
  return name;
}

FileName output_file(NodeId node, Incarnation life) {
  return file_of_life(directory_of(kOutputPrefix, node), life);
}

FileName unjoinable_file(NodeId node, Incarnation life) {
  return file_of_life(directory_of(kUnjoinablePrefix, node), life);
}

FileName journal_file(NodeId node) {
  return file_in(directory_of(kDispatcherPrefix, node), "journal");
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

}  // namespace photon
