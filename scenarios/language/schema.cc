#include "scenarios/language/schema.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core_impl/base/check.h"
#include "scenarios/schema/diagnostic.h"
#include "scenarios/schema/diagnostic_suggest.h"

namespace photonsim::scenarios {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Without element numbers: "faults.random.2.target" -> "faults.random.target".
std::string without_indices(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    if (!is_number(part)) {
      result += result.empty() ? "" : ".";
      result += part;
    }
    name = dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
  }
  return result;
}

// A row stays as long as scenarios with the old name may exist.
constexpr std::array<RenamedKey, 3> kRenamed{{
    {"faults.late_configuration.who", "faults.late_configuration.processes"},
    {"run.rest", "run.outside_core"},
    {"run.undecided", "run.indeterminate"},
}};

std::string explain_key(const KeyPlace& place) {
  const Key& key = place.table->key(place.index);
  const std::string heading = place.table->repeated ? fmt::format("[[{}]] ", place.table->path)
                                                    : fmt::format("[{}] ", place.table->path);
  std::string result = fmt::format("{}{}\n  {}\n", heading, key.name, key.doc);
  result += fmt::format("  type:    {}\n", describe_kind(key));
  if (const std::string range = describe_range(key); !range.empty()) {
    result += fmt::format("  range:   {}\n", range);
  }
  if (key.required) {
    result += "  default: none, every element must state it\n";
  } else {
    Config defaults;
    place.table->resize(defaults, 1);  // of a repeated table: the defaults of an element
    result += fmt::format("  default: {}\n",
                          format_value(key, place.table->slot(defaults, 0, place.index)));
  }
  return result + fmt::format("  source:  {}\n", key.source);
}

std::string explain_table(const TableSpec& table) {
  const std::string heading =
      table.repeated ? fmt::format("[[{}]]", table.path) : fmt::format("[{}]", table.path);
  std::string result = fmt::format("{}\n  {}\n", heading, table.doc);
  for (std::size_t i = 0; i < table.key_count; ++i) {
    const Key& key = table.key(i);
    result += fmt::format("  {:<26}{}\n", key.name, key.doc);
  }
  const std::string inside = std::string(table.path) + ".";
  for (const TableSpec* const each : all_tables()) {
    if (!each->path.starts_with(inside)) continue;
    result += fmt::format("\n[[{}]]\n  {}\n", each->path, each->doc);
    for (std::size_t i = 0; i < each->key_count; ++i) {
      result += fmt::format("  {}.{}\n", each->path, each->key(i).name);
    }
  }
  return result;
}

std::vector<std::string> collect_keys() {
  std::vector<std::string> result;
  for (const TableSpec* const table : all_tables()) {
    for (std::size_t i = 0; i < table->key_count; ++i) {
      result.push_back(fmt::format("{}.{}", table->path, table->key(i).name));
    }
  }
  return result;
}

std::vector<const TableSpec*> collect_tables() {
  std::vector<const TableSpec*> result;
  const auto take = [&](std::string_view first, std::string_view last) {
    bool taking = false;
    for (const auto tables : {environment_tables(), system_tables(), experiment_tables(),
                              fault_tables(), operation_tables(), rare_tables()}) {
      for (const TableSpec& table : tables) {
        taking = taking || table.path == first;
        if (taking) {
          result.push_back(&table);
        }
        if (table.path == last) {
          return;
        }
      }
    }
  };
  take("scenario", "run");                      // first its identity,
  take("topology", "event_store");              // then the system,
  take("shipping", "operations.forget_state");  // then the events,
  take("rare", "rare.lineage");                 // then the estimates of rare ones
  PHOTON_CHECK(result.size() == environment_tables().size() + system_tables().size() +
                                    experiment_tables().size() + fault_tables().size() +
                                    operation_tables().size() + rare_tables().size(),
               "every table of keys has its place in one of these spans");
  return result;
}

}  // namespace

const std::vector<const TableSpec*>& all_tables() {
  static const std::vector<const TableSpec*> tables = collect_tables();
  return tables;
}

const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = collect_keys();
  return keys;
}

const TableSpec* find_table(std::string_view path) {
  for (const TableSpec* const table : all_tables()) {
    if (table->path == path) {
      return table;
    }
  }
  return nullptr;
}

KeyPlace find_key(std::string_view full_name) {
  const std::string name = without_indices(full_name);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) {
    return {};
  }
  const TableSpec* const table = find_table(std::string_view{name}.substr(0, dot));
  if (table != nullptr) {
    for (std::size_t i = 0; i < table->key_count; ++i) {
      if (table->key(i).name == std::string_view{name}.substr(dot + 1)) {
        return {table, i};
      }
    }
  }
  return {};
}

bool is_known(std::string_view key) {
  return key == "include" || key == "defaults" || find_key(key).table != nullptr ||
         find_table(without_indices(key)) != nullptr;
}

// The keys with a part that begins with `word`, a line each.
static std::string related_keys(std::string_view word) {
  std::string lines;
  if (word.empty()) return lines;
  for (const std::string& key : all_keys()) {
    if (("." + key).find("." + std::string(word)) != std::string::npos) lines += "  " + key + "\n";
  }
  return lines;
}

// The nearest key or table, by the whole name or by a word of it.
static std::string nearest_name(std::string_view name) {
  std::vector<std::string> names = all_keys();
  for (const TableSpec* const table : all_tables()) names.emplace_back(table->path);
  if (std::string best = closest(name, names); !best.empty()) return best;
  if (name.size() < 4) return {};  // one edit makes another word of a short word
  std::vector<std::string> words;
  for (const std::string& each : names) words.push_back(each.substr(each.rfind('.') + 1));
  const std::string best = closest(name, words);
  const auto found = std::ranges::find(words, best);
  return found == words.end() ? std::string{}
                              : names[static_cast<std::size_t>(found - words.begin())];
}

std::span<const RenamedKey> renamed_keys() { return kRenamed; }

std::string_view present_name(std::string_view old_name) {
  const auto* const found = std::ranges::find(kRenamed, old_name, &RenamedKey::old_name);
  return found == kRenamed.end() ? std::string_view{} : found->new_name;
}

std::string explain(std::string_view key) {
  if (const std::string_view now = present_name(key); !now.empty()) {
    return fmt::format("{} has a new name, {}\n\n{}", key, now, explain(now));
  }
  if (key == "include") {
    return "include\n  Scenario files that this one builds on, relative to it; read in order, "
           "each overriding the one before.\n  type:    array of files\n  default: []\n"
           "  source:  DESIGN 7\n";
  }
  if (key == "defaults") {
    return "[defaults]\n  Values of unstated keys, in place of the program's defaults: "
           "registry = { lease = \"10s\" }, \"faults.crash\" = { restart_after = \"5s\" } for "
           "each element. Minimized repros state them all, so that other versions run the same.\n"
           "  type:    tables, by the names of sections\n  default: none\n  source:  DESIGN 7\n";
  }
  if (const KeyPlace place = find_key(key); place.table != nullptr) {
    return explain_key(place);
  }
  if (const TableSpec* const table = find_table(without_indices(key)); table != nullptr) {
    return explain_table(*table);
  }
  std::string result = fmt::format("nothing is named \"{}\"", printable(key));
  const std::string related = related_keys(key);
  if (!related.empty()) return result + "; these keys have to do with it:\n" + related;
  const std::string best = nearest_name(key);
  return result + (best.empty() ? std::string{"; `photonsim explain` lists all keys\n"}
                                : fmt::format("; did you mean \"{}\"?\n", best));
}

}  // namespace photonsim::scenarios
