// [defaults]: values for keys that nothing states, in place of the program's own defaults.
// A minimized repro states them all, so that it keeps its meaning when the program's
// defaults change (`to_lasting_toml`).
//
//   [defaults]
//   disk = { write_rate = "200MiB", read_median = "200us" }
//   "faults.crash" = [{ restart_after = "5s" }, { lose_disk = false }]
//
// Each name is that of a table of the schema, with one table or several, which are merged; or its
// parts name nested tables, [defaults.registry.routing]. Those of a repeated table apply to each of
// its elements. Values in any file or `--set` take precedence.
#pragma once

#include <map>
#include <string>

#include "scenarios/language/loader_document.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::scenarios {

class StatedDefaults {
 public:
  // Takes the defaults of one file, which override those of files taken earlier.
  void take(Value stated, Report& report);

  // Adds them to the tree where it states no value.
  void fill(Value& tree) const;

 private:
  void take_named(const std::string& path, Value stated, Place place, Report& report);
  void take_table(const std::string& path, Value table, Report& report);

  std::map<std::string, Value, std::less<>> tables_{};  // by their path in the schema
};

}  // namespace photonsim::scenarios
