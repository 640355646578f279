#include "scenarios/faults/outage.h"
#include "scenarios/faults/process.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

TEST_CASE("overrides need no quotes and the last one wins") {
  const Config c = must_load(
      "[registry]\nshards = 1\n",
      {"registry.shards=8", " dispatcher.scan_period = 250ms ", "network.loss=0.5%",
       "network.duplication=0.25", "dispatcher.pre_lookup=false", "dispatcher.backoff_factor=1.5",
       "registry.max_batch_bytes=64KiB", "scenario.name=\"quoted\"", "scenario.tier=over",
       "topology.pipelines=us-east1, us-west2", "run.quiesce_limit=auto", "registry.shards=16",
       "scenario.description=a = b, and [more]"});
  CHECK(c.registry.shards == 16);
  CHECK(c.dispatcher.scan_period == 250ms);
  CHECK(c.network.loss == 0.005);
  CHECK(c.network.duplication == 0.25);
  CHECK_FALSE(c.dispatcher.pre_lookup);
  CHECK(c.dispatcher.backoff_factor == 1.5);
  CHECK(c.registry.max_batch_bytes == 65'536);
  CHECK(c.scenario.name == "quoted");
  CHECK(c.scenario.tier == Tier::kOver);
  CHECK(c.topology.pipelines == std::vector<std::string>{"us-east1", "us-west2"});
  CHECK(c.scenario.description == "a = b, and [more]");
  CHECK(must_load("", {"topology.pipelines=[\"us-east1\"]"}).topology.pipelines.size() == 1);
}

TEST_CASE("overrides reach elements of lists and remove whole lists") {
  const std::string text =
      "[[faults.crash]]\nprocess = \"us-east1/joiner/0\"\nat = \"1min\"\n"
      "[[faults.crash]]\nprocess = \"us-east1/joiner/1\"\nat = \"2min\"\n";
  const Config c = must_load(text, {"faults.crash.1.at=3min"});
  CHECK(c.faults.of<CrashFault>()[0].at == 1min);
  CHECK(c.faults.of<CrashFault>()[1].at == 3min);
  CHECK(must_load(text, {"faults.crash=[]"}).faults.of<CrashFault>().empty());
  const Config outage = must_load(
      text, {"faults.outage=[{datacenter = \"us-east1\", at = \"1min\", for = \"1min\"}]"});
  CHECK(outage.faults.of<OutageFault>().size() == 1);
  CHECK(has(must_fail(text, {"faults.crash.2.at=3min"}), {"element \"2\" of a list of 2", 1, 1}));
  CHECK(has(must_fail(text, {"faults.crash.x.at=3min"}), {"element \"x\"", 1, 1}));
}

TEST_CASE("errors of overrides have their own place") {
  const auto problems = must_fail(
      "", {"registry.shards=4", "registry.shard=4", "run.duration=5", "registry.max_queue=many",
           "no equals", "=5", "a..b=1", "include=[\"x\"]", "registry.shards.x=1"});
  CHECK(has(problems, {"unknown key \"registry.shard\"", 1, 1, "registry.shards"}));
  CHECK(has(problems, {"has no unit", 1, 14}));
  CHECK(has(problems, {"must be an integer", 1, 20}));
  CHECK(has(problems, {"must look like key=value", 1, 1}));
  CHECK(has(problems, {"not the name of a key", 1, 1}));
  CHECK(has(problems, {"include cannot be set", 1, 1}));
  CHECK(has(must_fail("", {"scenario.description=\xFF"}), {"not text", 1, 22}));
  CHECK(has(must_fail("", {"workload.primary.file=a\nb"}), {"not text", 1, 23}));
  bool third = false;
  for (const Diagnostic& problem : problems) {
    third = third ||
            (problem.file == "--set run.duration=5" && problem.source_line == "run.duration=5");
  }
  CHECK(third);
}

TEST_CASE("an override is its own place in a message, and is cut where it is long") {
  CHECK(format(must_fail("", {"registry.shard=4"})) ==
        "--set registry.shard=4: error: unknown key \"registry.shard\"\n"
        "      = did you mean \"registry.shards\"?\n1 error\n");
  const auto problems = must_fail("", {"scenario.name=" + std::string(1000, '!')});
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().file.size() < 140);
  CHECK(problems.front().file.ends_with("!..."));
}

TEST_CASE("a rule over a key of the file and one of --set blames --set") {
  const std::string file = "[registry]\nlease = \"1s\"\nelection_timeout = \"2s\"\n";
  const auto problems = must_fail(file, {"registry.election_timeout=900ms"});
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().file == "--set registry.election_timeout=900ms");
  // Without --set it is the first key of the rule.
  const auto of_file = must_fail("[registry]\nlease = \"1s\"\nelection_timeout = \"900ms\"\n");
  CHECK(has(of_file, {"registry.lease = 1s must be smaller", 2, 9}));
}

TEST_CASE("files in overrides are relative to the working directory") {
  const std::vector<std::string> set{"workload.kind=trace",
                                     "workload.primary.file=scenarios/traces/small_queries.csv",
                                     "workload.foreign.file=./scenarios/traces/small_clicks.csv"};
  const Config c = must_load("", set);
  const auto expected = std::filesystem::current_path() / "scenarios/traces/small_queries.csv";
  CHECK(c.workload.primary.files == std::vector<std::string>{expected.string()});
  CHECK(c.workload.foreign.digest != 0);
}

TEST_CASE("an override names one file, or a list of files") {
  const TemporaryFolder folder;
  const std::string first = folder.write("a.csv", "click_id,query_id,t_ms\n");
  const std::string second = folder.write("b, c.csv", "click_id,query_id,t_ms\n");
  const auto files = [](const std::string& value) {
    return must_load("", {"workload.kind=trace",
                          "workload.primary.file=scenarios/traces/small_queries.csv",
                          "workload.foreign.file=" + value})
        .workload.foreign.files;
  };
  using Names = std::vector<std::string>;
  CHECK(files("[\"" + first + "\", \"" + second + "\"]") == Names{first, second});
  CHECK(files(second) == Names{second});  // a comma is part of the name
}
