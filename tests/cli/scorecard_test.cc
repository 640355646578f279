// scorecard, as readers of a results file use it.
#include <filesystem>
#include <regex>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

namespace json = boost::json;
using Catch::Contains;

std::string quiet_scenario() {
  return std::filesystem::absolute("scenarios/registry/quiet.toml").string();
}

}  // namespace

TEST_CASE("scorecard: the claims of all studies of a file, of those of one name the last",
          "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("paper.sqlite");
  for (const char* study : {"tokens", "commit_latency"}) {
    const std::string path = fmt::format("scenarios/paper/{}.toml", study);
    REQUIRE(run_program({"sweep", path, "--jobs", "2", "--out", file}).code == 0);
  }
  const Ran text = run_program({"scorecard", file});
  CHECK(text.code == 0);
  CHECK_THAT(text.out,
             Catch::StartsWith(
                 "10 claims of 2 studies (commit_latency, tokens): 9 reproduced, 1 refused\n") &&
                 Contains("G-17/with") && Contains("G-03/us-east4"));
  const Ran ran = run_program({"scorecard", file, "--json"});
  CHECK(ran.code == 0);
  const json::array claims = json::parse(ran.out).as_array();
  REQUIRE(claims.size() == 10);
  CHECK(claims.front().at("id") == "G-03/us-central1");
  CHECK(claims.back().at("id") == "G-17/without");
  for (const json::value& each : claims) {
    CAPTURE(json::serialize(each));
    const bool refused = each.at("level") == "X";
    CHECK(each.at("verdict") == (refused ? "refused" : "reproduced"));
    CHECK((refused || each.at("n") == 20));
    CHECK((refused || each.at("low").is_double()));
    CHECK_FALSE(each.at("study").as_string().empty());
  }
  // Another study of the same name and other points: its claim is missed, and the file says so.
  const std::string other = folder.write(
      "tokens.toml",
      "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
          "\"\n[set]\n\"run.duration\" = \"12s\"\n[replications]\nmin = 3\n[[claim]]\nid = "
          "\"T-1\"\n"
          "level = \"E\"\nsays = \"none\"\nsource = \"a test\"\nfigure = \"load.operations\"\n"
          "band = {to = 0}\n");
  REQUIRE(run_program({"sweep", other, "--jobs", "2", "--out", file}).code == 0);
  const Ran missed = run_program({"scorecard", file});
  CHECK(missed.code == 1);
  CHECK_THAT(missed.out,
             Catch::StartsWith(
                 "6 claims of 2 studies (commit_latency, tokens): 5 reproduced, 1 missed\n"));
  // A results file without a study, and none at all.
  const std::string runs = folder.file("runs.sqlite");
  REQUIRE(run_program(
              {"run", "scenarios/registry/quiet.toml", "--set", "run.duration=6s", "--out", runs})
              .code == 0);
  const Ran nothing = run_program({"scorecard", runs});
  CHECK(nothing.code == 2);
  CHECK_THAT(nothing.err, Contains("it has no study"));
  CHECK(run_program({"scorecard", folder.file("none.sqlite")}).code == 2);
  // A study without claims is no pass.
  const std::string without = folder.file("without.sqlite");
  const std::string plain = folder.write(
      "plain.toml", "base = \"" + quiet_scenario() +
                        "\"\n[set]\n\"run.duration\" = \"12s\"\n[replications]\nmin = 2\n");
  REQUIRE(run_program({"sweep", plain, "--out", without}).code == 0);
  const Ran none = run_program({"scorecard", without});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("state no claims"));
  const Ran charts = run_program({"sweep", plain, "--charts"});
  CHECK(charts.code == 2);
  CHECK_THAT(charts.err, Contains("has no chart and no claim"));
}

TEST_CASE("scorecard: open inputs, with what they are set to and what they move", "[sweep]") {
  const Folder folder;
  const std::string results = folder.file("open.sqlite");
  const std::string study = folder.write("open.toml", "base = \"" + quiet_scenario() + R"("
[set]
"run.duration" = "12s"
[sample]
design = "morris"
trajectories = 4
[sample.over]
"workload.registry.rate" = {from = 50, to = 200, scale = "log"}
"registry.max_batch_operations" = {from = 100, to = 400}
[replications]
min = 1
[answer]
metrics = ["load.mean_batch"]
[[claim]]
id = "T-2"
level = "X"
says = "a"
source = "b"
reason = "c"
)");
  REQUIRE(run_program({"sweep", study, "--out", results}).code == 0);
  const Ran ran = run_program({"scorecard", results});
  CHECK(ran.code == 0);
  // The batch holds what arrives during a commit of 34 ms, 2.85 at 79/s and 7.0 at 200/s: these are
  // the second and the last of four levels, two thirds of the range apart. No batch is as large as
  // its limit.
  const std::size_t rate = ran.out.find("workload.registry.rate");
  const std::size_t limit = ran.out.find("registry.max_batch_operations");
  INFO(ran.out);
  REQUIRE(limit != std::string::npos);
  CHECK(rate < limit);
  const std::regex moved("workload.registry.rate +1(\\.0)? +50 +200 +([0-9.]+) \\+- ");
  std::smatch found;
  REQUIRE(std::regex_search(ran.out, found, moved));
  CHECK(std::stod(found[2]) == Approx((7.0 - 2.85) * 3 / 2).epsilon(0.05));
  CHECK(std::regex_search(ran.out, std::regex("max_batch_operations +4096 +100 +400 +0")));
}

}  // namespace photonsim::cli::testing
