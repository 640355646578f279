#include "analysis/summary.h"

#include <string>

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

TEST_CASE("summary: the JSON object, byte for byte") {
  World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  world.join(1, 1);
  world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));  // a duplicate, to be reported
  world.judge.finish();
  Summary summary;
  summary.scenario = "by \"hand\"";
  summary.seed = 18446744073709551615U;
  summary.fingerprint = "00000000deadbeef";
  summary.events = 42;
  summary.sim_seconds = 0.1;
  summary.wall_seconds = 2.5;
  summary.peak_rss_bytes = 1024;
  summary.faults_configured = 3;
  summarise(world.judge, summary);
  const std::string json = to_json(summary);
  CHECK(json == to_json(summary));
  const std::string head =
      R"({"scenario":"by \"hand\"","seed":18446744073709551615,"fingerprint":"00000000deadbeef",)"
      R"("events":42,"records":47,"sim_seconds":1E-1,"wall_seconds":2.5E0,"peak_rss_bytes":1024,)"
      R"("generated":1,"joinable":1,"joined":1,"duplicates":1,"lost":{"L-crash":0,"L-storage":0,)"
      R"("L-bug":0,"L-crossedN":0,"L-operator":0,"L-input":0,"unclassified":0},)"
      R"("never_joinable":{"unjoinable":0,"skipped":0,"too_old":0,"input_lost":0},)"
      R"("borderline":0,"pending":0,"wasted_joins":0,"latency_seconds":{"count":1,)";
  CHECK(json.substr(0, head.size()) == head);
  CHECK_THAT(json, Catch::Contains(R"("faults":{"configured":3,"effective":0})"));
  CHECK_THAT(json, Catch::Contains(R"("violations":[{"oracle":"J-S1","severity":"safety")"));
  for (const char* stage :
       {"shipping", "scan", "lookup", "dispatch", "event_store", "register", "output", "total"}) {
    CHECK_THAT(json, Catch::Contains("\"" + std::string(stage) + "\":{\"count\":1"));
  }
}

TEST_CASE("summary: the text names what a person looks for") {
  World world;
  world.boot();
  world.generate(1);
  world.judge.finish();
  Summary summary;
  summary.scenario = "quick";
  summary.events = 1234567;
  summarise(world.judge, summary);
  const std::string text = to_text(summary);
  for (const char* part :
       {"quick, seed 0", "1,234,567 events", "pending", "p99.9", "no violation found"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
  CHECK(text.back() == '\n');
  CHECK(text.find('\x1b') == std::string::npos);
  summary.violations_total = 1;
  summary.violations = {{"J-S1", Severity::safety, SimTime{}, NodeId{4}, click_id(1), "twice"}};
  CHECK_THAT(to_text(summary), Catch::Contains("J-S1") && Catch::Contains("node 4, click 100:1@"));
}

}  // namespace photon::analysis::testing
