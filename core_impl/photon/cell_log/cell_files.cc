#include "core_impl/photon/cell_log/cell_files.h"

#include <array>

#include "core_impl/base/check.h"

namespace photon {
namespace {

constexpr std::size_t kMostDigits = 10;

void append_number(FileName& name, std::uint32_t value, std::size_t digits) {
  std::array<char, kMostDigits> text{};
  for (std::size_t i = digits; i-- > 0; value /= 10) {
    text[i] = static_cast<char>('0' + value % 10);
  }
  PHOTON_CHECK(value == 0, "the number fits its digits");
  name.append(text.data(), digits);
}

FileName file_of_life(std::string_view prefix, NodeId node, Incarnation life) {
  FileName name = directory_of(prefix, node);
  append_number(name, life.value(), kMostDigits);
  return name;
}

}  // namespace

FileName directory_of(std::string_view prefix, NodeId node) {
  constexpr std::size_t kNodeDigits = 5;
  FileName name(prefix.data(), prefix.size());
  append_number(name, node.value(), kNodeDigits);
  name.push_back('/');
  return name;
}

FileName output_file(NodeId node, Incarnation life) {
  return file_of_life(kOutputPrefix, node, life);
}

FileName unjoinable_file(NodeId node, Incarnation life) {
  return file_of_life(kUnjoinablePrefix, node, life);
}

FileName journal_file(NodeId node) {
  constexpr std::string_view kName = "journal";
  FileName name = directory_of(kDispatcherPrefix, node);
  name.append(kName.data(), kName.size());
  return name;
}

}  // namespace photon
