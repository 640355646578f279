#include "core_impl/photon/event_store/cell_files.h"

#include <array>
#include <string_view>

namespace photon {
namespace {

constexpr std::string_view kPrefix = "event_store/";
constexpr std::string_view kMap = "/map/";
constexpr std::string_view kOffsets = "/offsets";
constexpr std::size_t kDigits = 10;

void append(FileName& name, std::string_view text) { name.append(text.data(), text.size()); }

void append(FileName& name, std::uint32_t value) {
  std::array<char, kDigits> text{};
  for (std::size_t i = kDigits; i-- > 0; value /= 10) {
    text[i] = static_cast<char>('0' + value % 10);
  }
  name.append(text.data(), text.size());
}

FileName directory(NodeId node) {
  FileName name;
  append(name, kPrefix);
  append(name, node.value());
  return name;
}

}  // namespace

FileName event_store_map_directory(NodeId node) {
  FileName name = directory(node);
  append(name, kMap);
  return name;
}

FileName event_store_map_file(NodeId node, Incarnation life) {
  FileName name = event_store_map_directory(node);
  append(name, life.value());
  return name;
}

FileName event_store_offsets_file(NodeId node) {
  FileName name = directory(node);
  append(name, kOffsets);
  return name;
}

}  // namespace photon
