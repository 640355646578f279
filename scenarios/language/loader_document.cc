#include "scenarios/language/loader_document.h"

#include <iterator>
#include <utility>

namespace photonsim::scenarios {

const Value* find_member(const Value& table, std::string_view name) {
  for (const Member& member : table.members) {
    if (member.name == name) {
      return &member.value;
    }
  }
  return nullptr;
}

Value* find_member(Value& table, std::string_view name) {
  return const_cast<Value*>(find_member(std::as_const(table), name));
}

std::string_view type_name(Value::Type type) {
  switch (type) {
    case Value::Type::kString:
      return "a string";
    case Value::Type::kInteger:
      return "an integer";
    case Value::Type::kReal:
      return "a number";
    case Value::Type::kBoolean:
      return "true or false";
    case Value::Type::kArray:
      return "an array";
    case Value::Type::kTable:
      return "a table";
    case Value::Type::kDate:
      return "a date or time";
  }
  return "something else";
}

void merge(Value& base, Value over) {
  if (base.type == Value::Type::kTable && over.type == Value::Type::kTable) {
    for (Member& member : over.members) {
      if (Value* const old = find_member(base, member.name)) {
        merge(*old, std::move(member.value));
      } else {
        base.members.push_back(std::move(member));
      }
    }
    return;
  }
  if (base.type == Value::Type::kArray && over.type == Value::Type::kArray && over.extends) {
    base.items.insert(base.items.end(), std::make_move_iterator(over.items.begin()),
                      std::make_move_iterator(over.items.end()));
    return;
  }
  base = std::move(over);
}

}  // namespace photonsim::scenarios
