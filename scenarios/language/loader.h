// Loads files and `--set key=value` into a Config, or a list of all errors.
//
// Never throws and never crashes on any input. Reads only the named files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/config/config.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

// Either a valid Config, perhaps with warnings, or at least one Diagnostic.
class LoadResult {
 public:
  explicit LoadResult(Config config, std::vector<Diagnostic> warnings = {})
      : content_{std::move(config)}, warnings_{std::move(warnings)} {}
  explicit LoadResult(std::vector<Diagnostic> problems) : content_{std::move(problems)} {}

  [[nodiscard]] bool ok() const { return std::holds_alternative<Config>(content_); }
  explicit operator bool() const { return ok(); }
  // Only if ok().
  [[nodiscard]] const Config& config() const { return std::get<Config>(content_); }
  // Only if not ok(). In the order of the text; `format` prints them.
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const {
    return std::get<std::vector<Diagnostic>>(content_);
  }
  // Valid values that are probably a mistake (config_warnings.h). Only if ok().
  [[nodiscard]] const std::vector<Diagnostic>& warnings() const { return warnings_; }

 private:
  std::variant<Config, std::vector<Diagnostic>> content_;
  std::vector<Diagnostic> warnings_{};
};

// Reads a scenario file, which must state at least one key, then its includes, and then the
// overrides in order ("registry.shards=8").
//
// An override may omit quotes; an array of names may be a,b,c; an element of a repeated table is
// named by its number from 0: "faults.random.0.mean_interval=10s". `faults.random=[]` removes
// them all. File names in overrides are relative to the working directory, those in a scenario
// file to that file.
[[nodiscard]] LoadResult load(const std::filesystem::path& path,
                              std::span<const std::string> overrides = {});

// The same for a text in memory (a result file's copy, a test). `name` appears in diagnostics;
// includes and files are relative to it as to a path.
[[nodiscard]] LoadResult load_text(std::string_view text, const std::filesystem::path& name,
                                   std::span<const std::string> overrides = {});

// Canonical text: every key with its value. load_text(to_toml(c)) returns c, bit by bit, for each c
// that load returned. File names in it are absolute.
[[nodiscard]] std::string to_toml(const Config& config);

// The same without default values: short. load_text returns the same config.
[[nodiscard]] std::string to_brief_toml(const Config& config);

// The same with a last part, [defaults], that states the present defaults of the other keys:
// load_text returns the same config in a program with other defaults, as long as it has these keys.
// Omits keys of other kinds of workload.
[[nodiscard]] std::string to_lasting_toml(const Config& config);

// Every key by the name that --set takes ("faults.outage.0.at") with its value, in the order of the
// canonical text; texts and quantities without quotes.
struct KeyValue {
  std::string name{};
  std::string value{};
};
[[nodiscard]] std::vector<KeyValue> key_values(const Config& config);

// Hash of the canonical text, seed included, with the contents of trace files in place of their
// names. Equal on all machines.
[[nodiscard]] std::uint64_t config_hash(const Config& config);

}  // namespace photonsim::scenarios
