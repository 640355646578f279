#include "scenarios/language/loader.h"

#include <string>

#include "scenarios/faults/partition.h"
#include "tests/scenarios/language/support.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
using namespace photonsim::scenarios::testing;

TEST_CASE("a study in place of a scenario is named as such, and nothing else is said") {
  const LoadResult loaded = load("scenarios/studies/registry.toml");
  REQUIRE_FALSE(loaded.ok());
  REQUIRE(loaded.diagnostics().size() == 1);
  CHECK(loaded.diagnostics()[0].message == "this is a study, not a scenario");
  CHECK(loaded.diagnostics()[0].hint.find("photonsim plan") != std::string::npos);
}

TEST_CASE("a scenario file that states nothing is refused, whatever the overrides") {
  const TemporaryFolder folder;
  const std::vector<std::string> set{"run.seed=2"};
  for (const char* text : {"", "\n# to do\n"}) {
    const LoadResult loaded = load(folder.write("empty.toml", text), set);
    REQUIRE_FALSE(loaded);
    CHECK(has(loaded.diagnostics(), {"this scenario states nothing", 0, 0, "include"}));
  }
  CHECK(load(folder.write("named.toml", "[scenario]\nname = \"n\"\n")));
}

TEST_CASE("values of every kind arrive") {
  const Config c = must_load(R"(
[scenario]
name = "all_kinds"
tier = "over"
[run]
duration = "2h"
quiesce_limit = "90s"
seed = 42
[topology]
pipelines = ["us-west1"]
[network]
loss = "0.1%"
duplication = 0.25
reordering = 1
[clocks]
drift = "100ppm"
[registry]
max_batch_bytes = "64KiB"
[dispatcher]
backoff_factor = 3
pre_lookup = false
[[faults.partition]]
from = ["east"]
to = ["west", "us-central1"]
at = "1min"
for = "10s"
direction = "one_way"
)");
  CHECK(c.scenario.tier == Tier::kOver);
  CHECK(c.run.duration == 2h);
  CHECK(c.run.quiesce_limit == 90s);
  CHECK(c.run.seed == 42);
  CHECK(c.topology.pipelines == std::vector<std::string>{"us-west1"});
  CHECK(c.network.loss == 0.001);
  CHECK(c.network.duplication == 0.25);
  CHECK(c.network.reordering == 1.0);
  CHECK(c.clocks.drift == 0.0001);
  CHECK(c.registry.max_batch_bytes == 65'536);
  CHECK(c.dispatcher.backoff_factor == 3.0);
  CHECK_FALSE(c.dispatcher.pre_lookup);
  REQUIRE(c.faults.of<PartitionFault>().size() == 1);
  CHECK(c.faults.of<PartitionFault>()[0].to == std::vector<std::string>{"west", "us-central1"});
  CHECK(c.faults.of<PartitionFault>()[0].direction == PartitionDirection::kOneWay);
}

TEST_CASE("a count above the greatest integer of TOML stands in quotes, and only such a one") {
  const auto with_seed = [](const std::string& seed) {
    return "[scenario]\nname = \"x\"\n[run]\nseed = " + seed + "\n";
  };
  for (const std::uint64_t seed :
       {9223372036854775807U, 9223372036854775808U, 18446744073709551615U}) {
    const std::string digits = std::to_string(seed);
    const bool plain = seed == 9223372036854775807U;
    const Config config = must_load(with_seed(plain ? digits : "\"" + digits + "\""));
    CHECK(config.run.seed == seed);
    CHECK(must_load(with_seed("1"), {"run.seed=" + digits}).run.seed == seed);
    CHECK(must_load(to_toml(config)).run.seed == seed);
  }
  CHECK(has(must_fail(with_seed("9223372036854775808")),
            {.message = "not representable", .line = 4, .hint = "stands in double quotes: seed"}));
  for (const char* wrong :
       {"\"7\"", "\"18446744073709551616\"", "\"9223372036854775808 \"", "\"\""}) {
    CHECK(has(must_fail(with_seed(wrong)), {.message = "run.seed", .line = 4}));
  }
}

TEST_CASE("unknown keys are errors with a suggestion, at the key") {
  const auto problems = must_fail("[dispatcher]\nscan_perod = \"1s\"\n[registri]\nshards = 1\n");
  CHECK(has(problems, {"unknown key \"dispatcher.scan_perod\"", 2, 1, "dispatcher.scan_period"}));
  CHECK(has(problems, {"unknown key \"registri\"", 3, 2, "registry"}));
  CHECK(has(must_fail("shards = 4\n"), {"unknown key \"shards\"", 1, 1, "registry.shards"}));
  CHECK(has(must_fail("[zzzzzzzzzz]\n"), {"unknown key", 1, 2, "explain"}));
  CHECK(has(must_fail("[faults]\nmeteor = 1\n"),
            {"unknown key \"faults.meteor\"", 2, 1, "`photonsim explain faults` lists its keys"}));
  // The section of an unknown key is no suggestion; for a table, only tables are.
  CHECK(has(must_fail("[shipping]\nfoo = 1\n"),
            {"unknown key \"shipping.foo\"", 2, 1, "`photonsim explain shipping` lists its keys"}));
  CHECK(has(must_fail("[[crash]]\nat = \"1s\"\n"),
            {"unknown key \"crash\"", 1, 3, "did you mean \"faults.crash\"?"}));
  CHECK(has(must_fail("[[faults.crash]]\nwhen = 1\nprocess = \"us-east1/joiner/0\"\nat = \"1s\"\n"),
            {"unknown key \"faults.crash.0.when\"", 2, 1,
             "`photonsim explain faults.crash` lists its keys"}));
}

TEST_CASE("a value of the wrong type or without its unit is an error at the value") {
  struct Case {
    std::string_view text;
    std::string_view message;
    std::uint32_t column;
  };
  const Case cases[] = {
      {"run.duration = 5", "run.duration needs a unit", 16},
      {"run.duration = \"5\"", "has no unit", 16},
      {"run.duration = \"5 parsec\"", "unknown unit", 16},
      {"run.duration = \"-5s\"", "must not be negative", 16},
      {"run.duration = \"0s\"", "out of range", 16},
      {"run.duration = true", "must be a string", 16},
      {"run.seed = -1", "must not be negative", 12},
      {"run.seed = 1.5", "must be an integer", 12},
      {"run.seed = \"1\"", "must be an integer", 12},
      {"network.loss = 1.5", "out of range", 16},
      {"network.loss = nan", "finite", 16},
      {"network.loss = inf", "finite", 16},
      {"network.loss = \"120%\"", "out of range", 16},
      {"network.loss = \"a lot\"", "not a number", 16},
      {"registry.shards = 0", "registry.shards = 0 is out of range", 19},
      {"registry.max_batch_bytes = 4096", "needs a unit", 28},
      {"registry.max_batch_bytes = \"1B\"", "out of range", 28},
      {"registry.replicas = \"us-east1\"", "must be an array", 21},
      {"registry.replicas = [1, 2, 3]", "must hold names", 22},
      {"registry.replicas = [\"\", \"a\", \"b\"]", "must not be empty", 22},
      {"dispatcher.backoff_factor = \"2\"", "must be a number", 29},
      {"dispatcher.pre_lookup = \"yes\"", "must be true or false", 25},
      {"workload.kind = \"syntetic\"", "cannot be \"syntetic\"", 17},
      {"workload.kind = 1", "must be a string", 17},
      {"scenario.name = \"two words\"", "not a name", 17},
      {"scenario.name = 1979-05-27", "a date or time", 17},
      {"registry = 4", "registry is a table", 12},
      {"faults = []", "faults is a table", 10},
      {"faults.random = 1", "is a list of tables", 17},
      {"faults.random = [1]", "must be a table", 18},
      {"include = \"a.toml\"", "must be an array", 11},
      {"include = [1]", "must hold file names", 12},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(has(must_fail(c.text), {c.message, 1, c.column}));
  }
}

TEST_CASE("an element of a list must state what has no default") {
  const auto problems = must_fail("[[faults.outage]]\ndatacenter = \"us-east1\"\n");
  CHECK(problems.size() == 2);
  CHECK(has(problems, {"does not state \"at\"", 1}));
  CHECK(has(problems, {"does not state \"for\"", 1}));
}

TEST_CASE("all errors are reported at once, in the order of the text") {
  const auto problems = must_fail(
      "[run]\nseed = \"x\"\nwarm_up = \"1h\"\nduration = \"1min\"\n"
      "[registry]\nshards = 0\nreplicas = [\"us-east1\", \"us-east4\", \"us-west1\"]\n"
      "[joyner]\n");
  CHECK(problems.size() == 5);
  CHECK(has(problems, {"run.seed", 2}));
  CHECK(has(problems, {"leaves no time", 3}));
  CHECK(has(problems, {"registry.shards", 6}));
  CHECK(has(problems, {"B-05", 7}));
  CHECK(has(problems, {"joyner", 8}));
  for (std::size_t i = 1; i < problems.size(); ++i) {
    CHECK(problems[i - 1].line < problems[i].line);
  }
}

TEST_CASE("rules that use a value in error are not reported") {
  CHECK(must_fail("[registry]\nlease = \"3 s s\"\nelection_timeout = \"1s\"\n").size() == 1);
  CHECK(must_fail("[topology]\npiplines = [\"nowhere\"]\n").size() == 1);
  CHECK(must_fail("[[topology.datacenter]]\nnam = \"a\"\nregion = \"b\"\n").size() == 2);
}

TEST_CASE("a syntax error has its place and ends in one diagnostic") {
  const auto problems = must_fail("[run]\nduration = 5s\n");
  REQUIRE(problems.size() == 1);
  CHECK(has(problems, {"syntax", 2, 0, "double quotes"}));
  CHECK(problems[0].source_line == "duration = 5s");
  CHECK(has(must_fail("[run]\n[run]\n"), {"syntax", 2}));
  CHECK(has(must_fail("a = \"\xFF\"\n"), {"syntax", 1}));
  CHECK(has(must_fail("a = \"x\n"), {"syntax", 1}));
}

TEST_CASE("the hint of a syntax error fits the error") {
  const auto hints = [](std::string_view text, std::string_view hint) {
    CAPTURE(text);
    const auto problems = must_fail(text);
    CHECK(problems.size() == 1);
    CHECK(has(problems, {"", 0, 0, hint}));
  };
  hints("[run]\nseed = 1\nseed = 2\n", "this key stands twice in its table");
  hints("[run]\nseed = 1\n[topology]\n[run]\nwarm_up = \"1s\"\n", "[name] stands once in a file");
  for (const std::string_view yaml :
       {"run:\n  seed: 1\n", "---\nrun:\n  seed: 1\n", "[run]\nseed: 1\n", "- a\n- b\n"}) {
    hints(yaml, "this looks like YAML");
  }
  hints("{\"run\": {\"seed\": 1}}\n", "this looks like JSON");
  hints("[run]\nseed 1\n", "a line is key = value");
  hints("[run]\nduration = 10s\n", "stand in double quotes");
  for (const std::string_view mixed : {"[faults.crash]\nat = \"1s\"\n[[faults.crash]]\n",
                                       "[[faults.crash]]\nat = \"1s\"\n[faults.crash]\n"}) {
    hints(mixed, "[name] is one table and [[name]] one of several");
  }
  hints("[[registry]]\nshards = 2\n", "there is one registry: write [registry], not [[registry]]");
  hints("[faults.crash]\nat = \"1s\"\n", "write [[faults.crash]], not [faults.crash]");
  hints("[[run.duration]]\n", "it is a key, not a heading: write duration = ...");
  hints("[run.duration]\n", "it is a key, not a heading: write duration = ...");
}

TEST_CASE("invalid files") {
  CHECK(has(load("/nowhere/x.toml").diagnostics(), {"no such file"}));
  CHECK(has(load("/").diagnostics(), {"directory"}));
  CHECK(has(load("").diagnostics(), {"no such file"}));
  CHECK(has(load("/dev/zero").diagnostics(), {"larger than 1 MiB"}));
  const TemporaryFolder directory;
  CHECK(has(load(directory.write("zero.toml", std::string_view{"a = 1\n\0", 7})).diagnostics(),
            {"not a text file", 2}));
}

TEST_CASE("text nested without end is refused, not parsed") {
  const auto repeat = [](std::string_view what, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
      text += what;
    }
    return text;
  };
  CHECK(has(must_fail("a = " + repeat("[", 100'000)), {"too deeply", 1}));
  CHECK(has(must_fail("a = " + repeat("{b=", 100'000)), {"too deeply", 1}));
  CHECK(has(must_fail(repeat("a.", 100'000) + "a = 1"), {"too deeply", 1}));
  CHECK(has(must_fail("[" + repeat("a.", 100'000) + "a]"), {"too deeply", 1}));
  CHECK(has(must_fail("x = 1\na = " + repeat("[\n", 100'000)), {"too deeply"}));
  CHECK(has(must_fail(repeat("\"a\" . ", 100'000)), {"too deeply", 1}));
  // Dots and brackets in strings and comments are text.
  const std::string many = repeat(".[{", 1000);
  CHECK(must_load("# " + many + "\n[scenario]\ndescription = \"" + many + "\\\"" + many + "\"\n")
            .scenario.description.size() == 6001);
  CHECK(must_load("[scenario]\ndescription = '''\n'" + many + "\n" + many + "'''\n")
            .scenario.description.size() == 6002);
}
