#include "scenarios/language/loader_override.h"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/language/schema.h"

namespace photonsim::scenarios {
namespace {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void set_places(Value& value, Place place) {
  value.place = place;
  for (Value& item : value.items) {
    set_places(item, place);
  }
  for (Member& member : value.members) {
    member.place = place;
    set_places(member.value, place);
  }
}

Value text_value(std::string_view text, Place place) {
  Value value;
  value.type = Value::Type::kString;
  value.text = text;
  value.place = place;
  return value;
}

// a,b,c
Value list_value(std::string_view text, Place place) {
  Value value;
  value.type = Value::Type::kArray;
  value.place = place;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    value.items.push_back(text_value(trim(text.substr(0, comma)), place));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return value;
}

// A TOML value, or nothing if it is not one.
std::optional<Value> toml_value(std::string_view text, Place place) {
  Sources scratch;
  const std::string line = fmt::format("value = {}", text);
  const std::uint32_t source = scratch.add("", line);
  Report problems{scratch};
  Value document = parse_toml(line, source, problems);
  if (!problems.empty() || document.members.size() != 1) {
    return std::nullopt;
  }
  Value value = std::move(document.members.front().value);
  set_places(value, place);
  return value;
}

// Reads the text as the key's kind requires: users rarely quote on a command line.
Value read_value(std::string_view key, std::string_view text, Place place) {
  const KeyPlace known = find_key(key);
  const bool quoted = !text.empty() && (text.front() == '"' || text.front() == '\'');
  bool toml = quoted || text.starts_with('[') || text.starts_with('{');
  if (known.table != nullptr) {
    switch (known.table->key(known.index).kind) {
      case Kind::kCount:
      case Kind::kReal:
      case Kind::kBoolean:
        toml = true;
        break;
      case Kind::kNames:
        if (!text.starts_with('[')) {
          return list_value(text, place);
        }
        break;
      case Kind::kPaths:
        toml = quoted || text.starts_with('[');  // one name or a list
        break;
      default:
        toml = quoted;
        break;
    }
  }
  std::optional<Value> value = toml ? toml_value(text, place) : std::nullopt;
  return value ? std::move(*value) : text_value(text, place);
}

// The array element that a part of a key names, or null.
Value* element_at(Value& array, std::string_view number) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error != std::errc{} || end != number.data() + number.size() || index >= array.items.size()) {
    return nullptr;
  }
  return &array.items[index];
}

// The value below `at` of that name, created if missing. Null if an element does not exist.
Value* descend(Value& at, std::string_view name, Place place) {
  if (at.type == Value::Type::kArray) {
    return element_at(at, name);
  }
  if (at.type != Value::Type::kTable) {
    at = Value{};  // replaces a wrong value of a file, as an including file would
    at.place = place;
  }
  if (Value* const found = find_member(at, name)) {
    return found;
  }
  Value table;
  table.place = place;
  at.members.push_back({std::string{name}, place, std::move(table)});
  return &at.members.back().value;
}

}  // namespace

void apply_override(std::string_view text, std::uint32_t source, Value& tree, Report& report) {
  const Place start{source, 1, 1};
  const std::size_t equals = text.find('=');
  const std::string_view key = trim(text.substr(0, equals));
  if (equals == std::string_view::npos || key.empty()) {
    report.add(start, "an override must look like key=value", "--set registry.shards=8");
    return;
  }
  if (key == "include") {
    report.add(start, "include cannot be set here", "write a scenario file that includes both");
    return;
  }
  const Place place{source, 1, static_cast<std::uint32_t>(equals + 2)};
  Value* at = &tree;
  std::string_view rest = key;
  for (int depth = 0; !rest.empty(); ++depth) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const bool last = dot == std::string_view::npos;
    rest = last ? std::string_view{} : rest.substr(dot + 1);
    if (part.empty() || (!last && rest.empty()) || depth >= kMaxDepth) {
      report.add(start, fmt::format("\"{}\" is not the name of a key", key));
      return;
    }
    const std::size_t size = at->items.size();
    at = descend(*at, part, start);
    if (at == nullptr) {
      report.add(start, fmt::format("\"{}\" names element \"{}\" of a list of {}", key, part, size),
                 "elements are numbered from 0; key=[] removes them all");
      return;
    }
  }
  *at = read_value(key, trim(text.substr(equals + 1)), place);
}

}  // namespace photonsim::scenarios
