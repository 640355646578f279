// [defaults]: values that a scenario gives to keys that nothing states, in place of the program's
// own defaults. A file that shows a failure states them all, so that it means the same when the
// program has other ones (`to_lasting_toml`).
//
//   [defaults]
//   disk = { write_rate = "200MiB", read_median = "200us" }
//   "faults.crash" = [{ restart_after = "5s" }, { lose_disk = false }]
//
// Each name is that of a table of the schema, with one table or several, which unite; or its parts
// are those of tables in each other, [defaults.registry.routing]. Those of a repeated table hold
// for each of its elements. What any file or `--set` states goes before.
#pragma once

#include <map>
#include <string>

#include "scenarios/language/diagnostic.h"
#include "scenarios/language/loader_document.h"

namespace photonsim::scenarios {

class StatedDefaults {
 public:
  // Those of one file; they go before those of files that were taken earlier.
  void take(Value stated, Report& report);

  // Into the tree, where it says nothing.
  void fill(Value& tree) const;

 private:
  void take_named(const std::string& path, Value stated, Place place, Report& report);
  void take_table(const std::string& path, Value table, Report& report);

  std::map<std::string, Value, std::less<>> tables_{};  // by their path in the schema
};

}  // namespace photonsim::scenarios
