// The schema of scenario files: all tables of keys.
//
// The rows of a table stand in schema_environment.cc, schema_system.cc, schema_experiment.cc,
// schema_faults.cc, schema_operations.cc, or with the descriptor of a kind of fault. Rules that
// join several keys are in config_validate*.cc.
//
// To add a key: a member in config.h and a row.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/schema/key.h"

namespace photonsim::scenarios {

// All tables in the order of the canonical text.
[[nodiscard]] std::span<const TableSpec> environment_tables();
[[nodiscard]] std::span<const TableSpec> system_tables();
[[nodiscard]] std::span<const TableSpec> experiment_tables();
[[nodiscard]] std::span<const TableSpec> fault_tables();
[[nodiscard]] std::span<const TableSpec> operation_tables();
[[nodiscard]] std::span<const TableSpec> rare_tables();
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

}  // namespace photonsim::scenarios
