// A scenario text as a tree of values with their places, independent of the TOML library.
//
// Only loader_toml.cc includes toml++; includes, overrides and schema work on this tree. Invariant:
// a tree is at most kMaxDepth deep, so recursion over it is safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

struct Member;

struct Value {
  enum class Type : std::uint8_t { kString, kInteger, kReal, kBoolean, kArray, kTable, kDate };

  Type type{Type::kTable};
  Place place{};
  std::string text{};           // kString
  std::int64_t integer{0};      // kInteger
  double real{0.0};             // kReal
  bool boolean{false};          // kBoolean
  bool extends{false};          // kArray: written as [[name]], appends to included ones
  std::vector<Value> items;     // kArray
  std::vector<Member> members;  // kTable, in the order of the text
};

struct Member {
  std::string name{};
  Place place{};  // of the key
  Value value{};
};

// How deep tables and arrays may nest; the schema needs 4.
inline constexpr int kMaxDepth = 32;

// The member of that name, or null. `table` may be of any type.
[[nodiscard]] Value* find_member(Value& table, std::string_view name);
[[nodiscard]] const Value* find_member(const Value& table, std::string_view name);

// "a string", "a table", ... for messages.
[[nodiscard]] std::string_view type_name(Value::Type type);

// Merges `over` into `base`: tables unite, [[arrays of tables]] append, all else is replaced.
void merge(Value& base, Value over);

// Parses the text of one source. Problems go to the report; the tree is then empty.
[[nodiscard]] Value parse_toml(std::string_view text, std::uint32_t source, Report& report);

}  // namespace photonsim::scenarios
