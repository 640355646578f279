// Rows of the schema: [faults]. The rows of each table of faults are in scenarios/faults/.

#include <array>
#include <vector>

#include "scenarios/faults/all_faults.h"
#include "scenarios/schema/schema_builder.h"

namespace photonsim::scenarios {
namespace {

using namespace schema;  // the notation of rows

constexpr std::array<std::string_view, 2> kInert{"fail", "allow"};
constexpr std::array kFaultsRows{
    row<&Faults::inert>({"inert",
                         Kind::kChoice,
                         {},
                         "Whether a fault that is written down and had no effect fails the run.",
                         "DESIGN 6",
                         kInert}),
};

}  // namespace

std::span<const TableSpec> fault_tables() {
  static const std::vector<TableSpec> kTables = [] {
    std::vector<TableSpec> tables{
        section<kFaultsRows, &Config::faults>("faults", "The faults of a run.")};
    for (const FaultTable* const table : kAllFaults) tables.push_back(table->schema);
    return tables;
  }();
  return kTables;
}

}  // namespace photonsim::scenarios
