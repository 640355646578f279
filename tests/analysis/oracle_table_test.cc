// The table of oracles and their interface.
#include "analysis/oracles/oracle_table.h"

#include <set>
#include <string>

#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

TEST_CASE("DESIGN-6 oracle table: each name once, each with at least one oracle, in this order") {
  const World world;
  std::set<std::string_view> names;
  auto oracle = world.judge.oracles().begin();
  for (const OracleRow& row : oracle_rows()) {
    INFO(row.name);
    CHECK(names.insert(row.name).second);
    CHECK(find_oracle(row.name) == &row);
    REQUIRE(oracle != world.judge.oracles().end());
    CHECK((*oracle)->name() == row.name);
    while (oracle != world.judge.oracles().end() && (*oracle)->name() == row.name) ++oracle;
  }
  CHECK(oracle == world.judge.oracles().end());
  CHECK(names.size() == 38);
  CHECK(find_oracle("J-S17") == nullptr);
}

TEST_CASE("DESIGN-6 obligations: counted where they arise, not for each record") {
  World world;
  prepare(world);
  const auto none = [&](std::string_view name) { return world.judge.obligations(name) == 0; };
  CHECK(world.judge.obligations("J-S16") == 1);  // the click that was generated
  CHECK(none("J-S1"));
  CHECK(none("J-S3"));
  CHECK(none("J-S13"));

  // A request, and an answer that is not definitive.
  world.ask_lookup(kDispatcher, kReplica1, 1);
  CHECK(none("J-S4"));
  CHECK(none("J-S13"));
}

TEST_CASE("DESIGN-6 obligations: liveness has none in a run that was not healed") {
  World world;
  prepare(world);
  world.judge.finish();
  CHECK(world.judge.obligations("J.2") == 1);
  for (const OracleRow& row : oracle_rows()) {
    INFO(row.name);
    if (row.severity == Severity::liveness) CHECK(world.judge.obligations(row.name) == 0);
  }
}

}  // namespace
}  // namespace photon::analysis::testing
