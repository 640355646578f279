// The resolved scenario as canonical TOML, and its hash.

#include <span>

#include <fmt/format.h>

#include "core_impl/base/hash.h"
#include "scenarios/language/loader.h"
#include "scenarios/language/schema.h"

namespace photonsim::scenarios {
namespace {

// Without its quotes, if a text between them needs none to be read.
std::string without_quotes(const std::string& value) {
  const bool plain = value.size() >= 2 && value.front() == '"' &&
                     value.find_first_of("\"\\", 1) == value.size() - 1;
  return plain ? value.substr(1, value.size() - 2) : value;
}

// `paths`: whether files are named (for reading and replay) or omitted (for the hash).
enum class Paths { kNamed, kOmitted };

std::string render(Config& config, Paths paths) {
  std::string result;
  for (const TableSpec* const table : all_tables()) {
    for (std::size_t element = 0; element < table->size(config); ++element) {
      result += result.empty() ? "" : "\n";
      result += table->repeated ? fmt::format("[[{}]]\n", table->path)
                                : fmt::format("[{}]\n", table->path);
      for (std::size_t i = 0; i < table->key_count; ++i) {
        const Key& key = table->key(i);
        const bool is_path = key.kind == Kind::kPath || key.kind == Kind::kPaths;
        if (is_path && paths == Paths::kOmitted) {
          continue;
        }
        const std::string value = format_value(key, table->slot(config, element, i));
        result += fmt::format("{} = {}\n", key.name, value);
      }
    }
  }
  return result;
}

// The lines of one element that differ from the default element.
std::string unusual_lines(const TableSpec& table, Config& config, std::size_t element) {
  Config defaults;
  if (table.repeated) table.resize(defaults, 1);
  std::string lines;
  for (std::size_t i = 0; i < table.key_count; ++i) {
    const Key& key = table.key(i);
    const std::string value = format_value(key, table.slot(config, element, i));
    const std::string usual = format_value(key, table.slot(defaults, 0, i));
    if (value != usual || key.required) lines += fmt::format("{} = {}\n", key.name, value);
  }
  return lines;
}

bool is_as_by_default(const TableSpec& table, Config& config) {
  Config defaults;
  if (table.size(config) != table.size(defaults)) return false;
  for (std::size_t element = 0; element < table.size(config); ++element) {
    for (std::size_t i = 0; i < table.key_count; ++i) {
      const Key& key = table.key(i);
      if (format_value(key, table.slot(config, element, i)) !=
          format_value(key, table.slot(defaults, element, i))) {
        return false;
      }
    }
  }
  return true;
}

// Tables that have no effect with this kind of workload.
bool is_idle(const TableSpec& table, const Config& config) {
  constexpr std::string_view kPrefix = "workload.";
  if (!table.path.starts_with(kPrefix)) return false;
  const std::string_view of = table.path.substr(kPrefix.size());
  switch (config.workload.kind) {
    case WorkloadKind::kSynthetic:
      return !of.starts_with("synthetic");
    case WorkloadKind::kTrace:
      return of != "primary" && of != "foreign";
    case WorkloadKind::kRegistry:
      return of != "registry";
  }
  return false;
}

// For repeated tables: whether default elements are omitted.
enum class Elements { kUnusual, kAll };

std::string brief_text(Config& config, Elements elements) {
  std::string result;
  for (const TableSpec* const table : all_tables()) {
    const bool stated = elements == Elements::kAll && table->repeated;
    if (!stated && is_as_by_default(*table, config)) continue;
    for (std::size_t element = 0; element < table->size(config); ++element) {
      result += result.empty() ? "" : "\n";
      result += table->repeated ? fmt::format("[[{}]]\n", table->path)
                                : fmt::format("[{}]\n", table->path);
      result += unusual_lines(*table, config, element);
    }
  }
  return result;
}

// "key = value" of each key that some element omits because it has the default value.
std::vector<std::string> usual_values(const TableSpec& table, Config& config) {
  Config defaults;
  if (table.repeated) table.resize(defaults, 1);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < table.key_count; ++i) {
    const Key& key = table.key(i);
    const std::string usual = format_value(key, table.slot(defaults, 0, i));
    bool left_out = false;
    for (std::size_t element = 0; element < table.size(config); ++element) {
      left_out = left_out || format_value(key, table.slot(config, element, i)) == usual;
    }
    if (left_out && !key.required) values.push_back(fmt::format("{} = {}", key.name, usual));
  }
  return values;
}

// The lines of [defaults] for a table: an inline table of TOML stands on one line.
std::string default_lines(const TableSpec& table, const std::vector<std::string>& values) {
  constexpr std::size_t kWidth = 100;
  const std::string name =
      table.path.find('.') == std::string_view::npos ? std::string{table.path} : quote(table.path);
  const std::string line = fmt::format("{} = {{ {} }}\n", name, fmt::join(values, ", "));
  if (line.size() <= kWidth) return line;
  std::string lines = fmt::format("{} = [\n", name);
  std::string row;
  for (const std::string& value : values) {
    constexpr std::size_t kFrame = std::string_view("  { ,  },").size();
    if (!row.empty() && row.size() + value.size() + kFrame > kWidth) {
      lines += fmt::format("  {{ {} }},\n", row);
      row.clear();
    }
    row += (row.empty() ? "" : ", ") + value;
  }
  return lines + fmt::format("  {{ {} }},\n]\n", row);
}

}  // namespace

std::string to_brief_toml(const Config& config) {
  Config copy = config;
  return brief_text(copy, Elements::kUnusual);
}

std::string to_lasting_toml(const Config& config) {
  Config copy = config;
  std::string result = brief_text(copy, Elements::kAll);
  result +=
      "\n# Default values at the time of writing, pinned so that later versions run the same.\n"
      "[defaults]\n";
  for (const TableSpec* const table : all_tables()) {
    if (is_idle(*table, config)) continue;
    const std::vector<std::string> values = usual_values(*table, copy);
    if (!values.empty()) result += default_lines(*table, values);
  }
  return result;
}

std::string to_toml(const Config& config) {
  Config copy = config;  // slots are mutable; rendering does not change anything
  return render(copy, Paths::kNamed);
}

std::vector<KeyValue> key_values(const Config& config) {
  Config copy = config;
  std::vector<KeyValue> all;
  for (const TableSpec* const table : all_tables()) {
    for (std::size_t element = 0; element < table->size(copy); ++element) {
      const std::string place =
          table->repeated ? fmt::format("{}.{}", table->path, element) : std::string{table->path};
      for (std::size_t i = 0; i < table->key_count; ++i) {
        const Key& key = table->key(i);
        all.push_back({fmt::format("{}.{}", place, key.name),
                       without_quotes(format_value(key, table->slot(copy, element, i)))});
      }
    }
  }
  return all;
}

std::uint64_t config_hash(const Config& config) {
  Config copy = config;
  std::string text = render(copy, Paths::kOmitted);
  text += fmt::format("\n# {:016x} {:016x}\n", config.workload.primary.digest,
                      config.workload.foreign.digest);
  for (const auto& each : config.workload.synthetic.rates) {
    text += fmt::format("# {} {}\n", each.at.time_since_epoch().count(), each.factor);
  }
  return photon::hash_bytes(std::as_bytes(std::span(text)));
}

}  // namespace photonsim::scenarios
