#include "campaigns/studies/study_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/override_text.h"
#include "campaigns/studies/study_keys.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::campaigns {

using scenarios::Member;
using scenarios::Place;
using scenarios::Value;

std::span<const Value> one_or_more(const Value& value) {
  return value.type == Value::Type::kArray ? std::span(value.items) : std::span(&value, 1);
}

void StudyTables::wrong(const Value& value, std::string_view wanted, std::string example) const {
  report_.add(value.place,
              fmt::format("this is {}, not {}", scenarios::type_name(value.type), wanted),
              std::move(example));
}

void StudyTables::text(const Value& value, std::string& to) const {
  if (value.type != Value::Type::kString) return wrong(value, "a string");
  check_printable(value.text, value.place);
  to = value.text;
}

void StudyTables::check_printable(const std::string& text, Place place) const {
  if (scenarios::is_text(text, scenarios::Controls::kRefused)) return;
  report_.add(place, "this text holds a control character, such as a line break",
              "write it on one line, in one direction");
}

std::optional<std::string> StudyTables::override_text(const Value& value) const {
  auto text = campaigns::override_text(value);
  if (!text) wrong(value, "a value of a key");
  return text;
}

void StudyTables::count(const Value& table, std::string_view name, std::uint64_t most,
                        std::uint64_t& to) const {
  const Value* value = scenarios::find_member(table, name);
  if (value == nullptr) return;
  const bool whole = value->type == Value::Type::kInteger && value->integer >= 1 &&
                     static_cast<std::uint64_t>(value->integer) <= most;
  if (!whole) {
    return report_.add(value->place,
                       fmt::format("'{}' must be a whole number from 1 to {}", name, most));
  }
  to = static_cast<std::uint64_t>(value->integer);
}

void StudyTables::conditions(const Value& value, std::vector<Condition>& to) const {
  if (value.type != Value::Type::kArray && value.type != Value::Type::kString) {
    return wrong(value, "a comparison, or an array of them", R"(as in ["registry.shards <= 4"])");
  }
  if (one_or_more(value).empty()) {
    report_.add(value.place, "there is no comparison here",
                R"(write one, as in ["registry.shards <= 4"], or leave the line out)");
  }
  for (const Value& item : one_or_more(value)) {
    if (item.type != Value::Type::kString) {
      wrong(item, "a comparison in quotes");
      continue;
    }
    auto parsed = Condition::parse(item.text);
    if (parsed.condition) {
      parsed.condition->line = item.place.line;
      parsed.condition->column = item.place.column;
      to.push_back(*std::move(parsed.condition));
    } else {
      report_.add(item.place, parsed.problem);
    }
  }
}

void StudyTables::names(const Value& value, std::vector<std::string>& to) const {
  if (value.type != Value::Type::kArray && value.type != Value::Type::kString) {
    return wrong(value, "a name, or an array of names");
  }
  for (const Value& item : one_or_more(value)) {
    if (item.type != Value::Type::kString) {
      wrong(item, "a name in quotes");
    } else {
      to.push_back(item.text);
    }
  }
}

void StudyTables::settings(const Value& table, std::vector<Setting>& to) const {
  each_key(table, [&](const std::string& key, const Member& member) {
    if (const auto value = override_text(member.value)) to.push_back({key, *value, member.place});
  });
}

// Of the study itself, but written below the line of a table. Reports it.
bool StudyTables::stands_above(const Member& member) const {
  static constexpr std::array<std::string_view, 4> kAbove{"base", "name", "question", "where"};
  if (std::ranges::find(kAbove, member.name) == kAbove.end()) return false;
  report_.add(member.place, fmt::format("'{}' belongs to the study, not to a table", member.name),
              "write it above the first line such as [set] or [grid]");
  return true;
}

void StudyTables::each_key(const Value& table, const Visitor& visit) const {
  each_key(table, {}, visit);
}

void StudyTables::each_key(const Value& table, const std::string& before,
                           const Visitor& visit) const {
  if (table.type != Value::Type::kTable) return wrong(table, "a table of keys");
  for (const Member& member : table.members) {
    if (before.empty() && stands_above(member)) continue;
    const std::string key = before.empty() ? member.name : before + "." + member.name;
    if (member.value.type == Value::Type::kTable) {
      each_key(member.value, key, visit);
    } else {
      visit(key, member);
    }
  }
}

void StudyTables::each_table(const Value& list, std::string_view where,
                             const std::function<void(const Value&)>& visit) const {
  const bool tables =
      list.type == Value::Type::kArray && std::ranges::all_of(list.items, [](const Value& each) {
        return each.type == Value::Type::kTable;
      });
  if (!tables) {
    return wrong(list, "a list of tables", fmt::format("write [[{}]] above each", where));
  }
  for (const Value& each : list.items) visit(each);
}

void StudyTables::refuse_others(const Value& table, std::string_view where,
                                std::string_view variant) const {
  const std::vector<std::string> known = keys_of(where, variant);
  for (const Member& member : table.members) {
    if (std::ranges::find(known, member.name) != known.end() || stands_above(member)) continue;
    report_.add(member.place, fmt::format("[{}] has no key '{}'", where, member.name),
                scenarios::suggest(member.name, known));
  }
}

}  // namespace photonsim::campaigns
