#include "campaigns/studies/override_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/config/units.h"

namespace photonsim::campaigns {
namespace {

using scenarios::Member;
using scenarios::Value;

std::string toml_string(std::string_view text) {
  std::string all = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') all += '\\';
    all += letter;
  }
  return all + '"';
}

std::string inline_text(const Value& value) {
  std::string all;
  if (value.type == Value::Type::kTable) {
    for (const Member& member : value.members) {
      all += fmt::format("{}{}={}", all.empty() ? "" : ",", member.name, inline_text(member.value));
    }
    return "{" + all + "}";
  }
  if (value.type == Value::Type::kArray) {
    for (const Value& item : value.items) all += (all.empty() ? "" : ",") + inline_text(item);
    return "[" + all + "]";
  }
  if (value.type == Value::Type::kString) return toml_string(value.text);
  return override_text(value).value_or("");
}

bool holds_tables(const Value& value) {
  return !value.items.empty() && std::ranges::all_of(value.items, [](const Value& item) {
    return item.type == Value::Type::kTable;
  });
}

std::optional<std::string> list_text(const Value& value) {
  if (value.items.empty()) return "[]";
  if (holds_tables(value)) return inline_text(value);
  std::string all;
  for (const Value& item : value.items) {
    const auto part = override_text(item);
    if (!part) return std::nullopt;
    all += (all.empty() ? "" : ",") + *part;
  }
  return all;
}

}  // namespace

std::optional<std::string> override_text(const Value& value) {
  switch (value.type) {
    case Value::Type::kString:
      return value.text;
    case Value::Type::kInteger:
      return fmt::format("{}", value.integer);
    case Value::Type::kReal:
      return scenarios::format_real(value.real);
    case Value::Type::kBoolean:
      return value.boolean ? "true" : "false";
    case Value::Type::kArray:
      return list_text(value);
    default:
      return std::nullopt;
  }
}

}  // namespace photonsim::campaigns
