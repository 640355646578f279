// A key of a scenario, and a table of keys.
//
// A key is one row of a table: name, member of the Config, kind, range, one line of documentation,
// source. Parsing, validation of a single value, defaults, suggestions, `--set`, `explain` and the
// canonical text all use that row. The default is the value in a default-constructed Config.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/config/config.h"

namespace photonsim::scenarios {

// The meaning, unit and spelling of a value.
enum class Kind : std::uint8_t {
  kText,      // free text
  kName,      // letters, digits and - _ . @ / only: a datacenter, process, scenario
  kPath,      // a file; in a scenario file relative to that file
  kPaths,     // one file or an array of files, as kPath
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
