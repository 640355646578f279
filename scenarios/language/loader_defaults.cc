#include "scenarios/language/loader_defaults.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/language/schema.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

constexpr std::string_view kForm = "[defaults] registry = { lease = \"10s\" }";

bool has_key(const TableSpec& table, std::string_view name) {
  for (std::size_t i = 0; i < table.key_count; ++i) {
    if (table.key(i).name == name) return true;
  }
  return false;
}

// A table of the schema, or a prefix of one.
bool leads_to_table(std::string_view path) {
  return std::ranges::any_of(all_tables(), [path](const TableSpec* each) {
    const std::string_view name = each->path;
    return name.starts_with(path) && (name.size() == path.size() || name[path.size()] == '.');
  });
}

void add_missing(Value& table, const Value& defaults) {
  if (table.type != Value::Type::kTable) return;
  for (const Member& each : defaults.members) {
    if (find_member(table, each.name) == nullptr) table.members.push_back(each);
  }
}

// The value of that path, created if missing; null if something else is there,
// which `apply` refuses.
Value* section_of(Value& tree, std::string_view path, Place place) {
  Value* at = &tree;
  while (!path.empty()) {
    if (at->type != Value::Type::kTable) return nullptr;
    const std::size_t dot = path.find('.');
    const std::string_view part = path.substr(0, dot);
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
    Value* inner = find_member(*at, part);
    if (inner == nullptr) {
      Value table;
      table.place = place;
      at->members.push_back({std::string{part}, place, std::move(table)});
      inner = &at->members.back().value;
    }
    at = inner;
  }
  return at;
}

// The list of that path, or null.
Value* list_of(Value& tree, std::string_view path) {
  const std::size_t dot = path.find('.');
  Value* const inner = find_member(tree, path.substr(0, dot));
  if (inner == nullptr || dot == std::string_view::npos) return inner;
  return list_of(*inner, path.substr(dot + 1));
}

}  // namespace

void StatedDefaults::take(Value stated, Report& report) {
  if (stated.type != Value::Type::kTable) {
    report.add(stated.place, "defaults must be a table of tables", kForm);
    return;
  }
  for (Member& member : stated.members) {
    take_named(member.name, std::move(member.value), member.place, report);
  }
}

void StatedDefaults::take_named(const std::string& path, Value stated, Place place,
                                Report& report) {
  if (!leads_to_table(path)) {
    std::vector<std::string> tables;
    for (const TableSpec* const each : all_tables()) tables.emplace_back(each->path);
    const std::string best = closest(path, tables);
    report.add(place, fmt::format("defaults for \"{}\", which is no table", path),
               best.empty() ? std::string{kForm} : fmt::format("did you mean \"{}\"?", best));
  } else if (stated.type == Value::Type::kArray) {
    for (Value& item : stated.items) take_table(path, std::move(item), report);
  } else {
    take_table(path, std::move(stated), report);
  }
}

void StatedDefaults::take_table(const std::string& path, Value table, Report& report) {
  if (table.type != Value::Type::kTable) {
    report.add(table.place, fmt::format("the defaults for {} must be tables", path), kForm);
    return;
  }
  const TableSpec* const spec = find_table(path);
  Value own;
  own.place = table.place;
  bool known = spec != nullptr;
  for (Member& member : table.members) {
    const std::string inner = fmt::format("{}.{}", path, member.name);
    const bool table_inside = member.value.type == Value::Type::kTable || leads_to_table(inner);
    if (spec != nullptr && has_key(*spec, member.name)) {
      own.members.push_back(std::move(member));
    } else if (spec == nullptr || table_inside) {
      take_named(inner, std::move(member.value), member.place, report);
    } else {
      known = false;
      report.add(member.place, fmt::format("{} has no key \"{}\"", path, member.name),
                 "if it had one when this was written, take it out to go on without it");
    }
  }
  if (known && !own.members.empty()) merge(tables_[path], std::move(own));
}

void StatedDefaults::fill(Value& tree) const {
  for (const auto& [path, defaults] : tables_) {
    if (!find_table(path)->repeated) {
      if (Value* const section = section_of(tree, path, defaults.place)) {
        add_missing(*section, defaults);
      }
    } else if (Value* const list = list_of(tree, path)) {
      for (Value& element : list->items) add_missing(element, defaults);
    }
  }
}

}  // namespace photonsim::scenarios
