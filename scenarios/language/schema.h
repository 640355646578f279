// The schema of scenario files: declares every key once.
//
// A key is one row of a table in schema_system.cc, schema_experiment.cc, schema_faults.cc or
// schema_operations.cc: name, member of the Config, kind, range, one line of documentation, source.
// Parsing, validation of a single value, defaults, suggestions, `--set`, `explain` and the
// canonical text all use that row. The default is the value in a default-constructed Config. Rules
// that join several keys are in config_validate*.cc.
//
// To add a key: a member in config.h and a row here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/language/config.h"

namespace photonsim::scenarios {

// The meaning, unit and spelling of a value.
enum class Kind : std::uint8_t {
  kText,      // free text
  kName,      // letters, digits and - _ . @ / only: a datacenter, process, scenario
  kPath,      // a file; in a scenario file relative to that file
  kNames,     // an array of names
  kCount,     // an integer >= 0
  kBytes,     // "64KiB"
  kDuration,  // "100ms"
  kFraction,  // 0.001, "0.1%", "200ppm"
  kReal,      // a plain number
  kBoolean,   // true or false
  kChoice,    // one of some words
};

// Inclusive bounds in the base unit of the kind (nanoseconds, bytes, 1).
struct Range {
  double low{0.0};
  double high{std::numeric_limits<double>::infinity()};
};

// The greatest integer of TOML. A greater count, such as a seed of 64 bits, stands in quotes.
inline constexpr std::uint64_t kMostPlainCount = std::numeric_limits<std::int64_t>::max();

// One key, without its place in memory.
struct Key {
  std::string_view name;  // inside its table
  Kind kind{Kind::kText};
  Range range{};
  std::string_view doc{};     // one or two sentences
  std::string_view source{};  // SPEC or DESIGN reference; "P" fixed by the paper, "M" modelled
  std::span<const std::string_view> choices{};  // kChoice: by enumerator value
  std::string_view absent{};                    // optional durations: the word for "no value"
  bool required{false};                         // in a repeated table: no default
};

// An enumeration member, seen as the number of its enumerator.
struct ChoiceSlot {
  std::uint8_t* value;
};

// The place of a value in the Config.
using Slot = std::variant<std::string*, std::vector<std::string>*, std::uint64_t*, double*, bool*,
                          Duration*, std::optional<Duration>*, ChoiceSlot>;

// One TOML table: a section such as [dispatcher] (always one element), or a repeated one such as
// [[faults.random]].
struct TableSpec {
  std::string_view path;
  bool repeated;
  std::string_view doc;
  std::size_t key_count;
  const Key& (*key)(std::size_t index);
  Slot (*slot)(Config& config, std::size_t element, std::size_t key);
  std::size_t (*size)(const Config& config);
  void (*resize)(Config& config, std::size_t size);
};

// All tables in the order of the canonical text.
[[nodiscard]] std::span<const TableSpec> system_tables();
[[nodiscard]] std::span<const TableSpec> experiment_tables();
[[nodiscard]] std::span<const TableSpec> fault_tables();
[[nodiscard]] std::span<const TableSpec> operation_tables();
[[nodiscard]] const std::vector<const TableSpec*>& all_tables();

// The table of that path, or null.
[[nodiscard]] const TableSpec* find_table(std::string_view path);

struct KeyPlace {
  const TableSpec* table{nullptr};
  std::size_t index{0};
};

// A key by its full name, with or without the element number of a repeated table:
// "registry.shards", "faults.random.target", "faults.random.2.target". Null table if unknown.
[[nodiscard]] KeyPlace find_key(std::string_view full_name);

// "dispatcher.scan_period" and so on, in the order of the schema.
[[nodiscard]] const std::vector<std::string>& all_keys();

// True for the name of a key or of a table.
[[nodiscard]] bool is_known(std::string_view key);

// A renamed key. The old name is refused, and the message gives the new one.
struct RenamedKey {
  std::string_view old_name{};  // "run.undecided"
  std::string_view new_name{};
};
[[nodiscard]] std::span<const RenamedKey> renamed_keys();

// The present name of a key by an old one; empty if the text is no old name.
[[nodiscard]] std::string_view present_name(std::string_view old_name);

// The description of a key: unit, default, range, documentation, source. For a table: its keys. For
// anything else: a sentence that says so, with a suggestion.
[[nodiscard]] std::string explain(std::string_view key);

// "duration", "size", ... and the allowed range in words.
[[nodiscard]] std::string describe_kind(const Key& key);
[[nodiscard]] std::string describe_range(const Key& key);

// A number in the base unit of the key, spelled as in a scenario.
[[nodiscard]] std::string format_bound(const Key& key, double value);

// The value of a slot as TOML: "\"1s\"", "[\"a\"]", "true".
[[nodiscard]] std::string format_value(const Key& key, const Slot& slot);

// A TOML basic string with quotes.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace photonsim::scenarios
