// A user's own log: his ids in all that the program says, and joined pairs.
#include <filesystem>
#include <string>

#include <boost/json.hpp>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

using Catch::Contains;

// Clicks are lost here: replies are, and tokens do not protect registrations.
Arguments lossy(Arguments more) {
  Arguments arguments{"run",   "scenarios/trace_kills.toml",
                      "--set", "joiner.tokens=false",
                      "--set", "network.loss=5%",
                      "--set", "joiner.registry_timeout=300ms"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_CASE("own log: reports, judge and trace name events as the log does") {
  const Folder folder;
  const std::string trace = folder.file("run.trace");
  const Ran ran = run_program(lossy({"--trace", trace}));
  CAPTURE(ran.out, ran.err);
  // Clicks and queries are numbered alike, so a name says which it is.
  CHECK_THAT(ran.out, Contains("  L-reply  click foreign:29 of 1750000057553\n"));
  const Ran judged = run_program({"judge", trace});
  CHECK_THAT(judged.out, Contains("  L-reply  click foreign:29 of 1750000057553\n"));
  const std::string page = folder.file("page.html");
  const Ran both = run_program({"trace", trace, "--event", "29", "--html", page});
  CHECK(both.code == 2);
  CHECK_THAT(both.err, Contains("--event primary:29 or --event foreign:29"));
  const Ran none = run_program({"trace", trace, "--event", "no such row", "--html", page});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("no row of the log has this id"));
  CHECK(run_program({"trace", trace, "--event", "foreign:29", "--html", page}).code == 0);
  const std::string html = text_of(page);
  CHECK_THAT(html, Contains("\"foreign:29\"") && !Contains("\"foreign:30\""));
}

TEST_CASE("own log: ids that are no UTF-8 are escaped, in JSON and in the results file") {
  const Folder folder;
  std::string clicks = text_of("scenarios/traces/small_clicks.csv");
  for (std::size_t at = 0; (at = clicks.find('\n', at)) != std::string::npos;) {
    if (++at < clicks.size()) clicks.insert(at, "\xe9");
  }
  const std::string log = folder.write("clicks.csv", clicks);
  const std::string results = folder.file("results.db");
  const Ran ran = run_program(
      lossy({"--json", "--out", results, "--set",
             "workload.primary.file=" +
                 std::filesystem::absolute("scenarios/traces/small_queries.csv").string(),
             "--set", "workload.foreign.file=" + log}));
  const auto losses = boost::json::parse(ran.out).at("losses").as_array();
  REQUIRE_FALSE(losses.empty());
  CHECK_THAT(std::string(losses.front().at("click").as_string()), Catch::StartsWith("\\xe9"));
  CHECK(run_program({"db", "verify", results}).code == 0);
}

TEST_CASE(
    "own log: an id with a line break is exported as it is, and found so and as reports show it") {
  const Folder folder;
  const std::string clicks = text_of("scenarios/traces/small_clicks.csv");
  const std::size_t head = clicks.find('\n') + 1, end = clicks.find(',', head);
  const std::string log =
      folder.write("clicks.csv", clicks.substr(0, head) + "\"a\nb\"" + clicks.substr(end));
  const std::string results = folder.file("results.db"), trace = folder.file("run.trace");
  run_program({"run", "scenarios/trace.toml", "--trace", trace, "--out", results, "--set",
               "workload.primary.file=" +
                   std::filesystem::absolute("scenarios/traces/small_queries.csv").string(),
               "--set", "workload.foreign.file=" + log});
  REQUIRE(run_program({"export", results, "--joined", folder.file("pairs.csv")}).code == 0);
  CHECK_THAT(text_of(folder.file("pairs.csv")), Contains("\n1,\"a\nb\",") && !Contains("\\x"));
  for (const char* id : {"a\\x0ab", "a\nb"}) {
    const Ran shown =
        run_program({"trace", trace, "--event", id, "--html", folder.file("page.html")});
    INFO(shown.err);
    CHECK(shown.code == 0);
  }
}

TEST_CASE("own log: a trace whose log has changed keeps the run's ids, and says why") {
  const Folder folder;
  for (const char* name : {"small_queries.csv", "small_clicks.csv"}) {
    std::filesystem::copy_file(std::filesystem::path("scenarios/traces") / name, folder.file(name));
  }
  const std::string trace = folder.file("run.trace");
  run_program(
      lossy({"--trace", trace, "--set", "workload.primary.file=" + folder.file("small_queries.csv"),
             "--set", "workload.foreign.file=" + folder.file("small_clicks.csv")}));
  REQUIRE(std::filesystem::exists(trace));
  CHECK_THAT(run_program({"judge", trace}).out, Contains("click foreign:29 of"));
  std::filesystem::resize_file(folder.file("small_clicks.csv"), 200);
  const Ran judged = run_program({"judge", trace});
  CHECK_THAT(judged.err, Contains("events keep the ids of the run") && Contains("has changed"));
  CHECK_THAT(judged.out, Contains("  L-reply  click 5:") || Contains("  L-reply  click 6:") ||
                             Contains("  L-reply  click 7:") || Contains("  L-reply  click 8:"));
}

TEST_CASE("own log: check reads the data and says what it holds beside the resolved scenario") {
  const Ran checked = run_program({"check", "scenarios/trace.toml"});
  CHECK(checked.code == 0);
  CHECK(checked.out.starts_with("["));
  CHECK(checked.err ==
        "log\n"
        "  primaries  60 rows in 1 file, from 1750000009375 to 1750000541873 (ms, stated)\n"
        "  foreigns   400 rows in 1 file, from 1750000016006 to 1750000581483 (ms, stated)\n"
        "             5 with an empty key, 0 with an unknown key\n"
        "  lasts      9 min 32 s\n");

  const Folder folder;
  folder.write("q.csv", "query_id,t_ms\nq1,2013-06-22T08:30:00.5Z\n");
  folder.write("a.csv", "click_id,query_id,t_ms\nc1,q1,2013-06-25 08:30\n");
  folder.write("b.csv", "click_id,query_id,t_ms\nc2,none,2013-06-24 08:30\n");
  const std::string own = folder.write(
      "own.toml", "include = [\"" + std::filesystem::absolute("scenarios/trace.toml").string() +
                      "\"]\n[workload]\nprimary = { file = \"q.csv\", unit = \"auto\" }\n"
                      "foreign = { file = [\"a.csv\", \"b.csv\"], unit = \"iso8601\" }\n");
  const Ran read = run_program({"check", own, "--set", "workload.foreign.dangling=allow"});
  CHECK(read.code == 0);
  CHECK_THAT(read.err, Contains("1 row in 1 file, from 2013-06-22T08:30:00.5Z to "
                                "2013-06-22T08:30:00.5Z (iso8601, recognised)"));
  CHECK_THAT(read.err, Contains("2 rows in 2 files, from 2013-06-24T08:30:00Z to "
                                "2013-06-25T08:30:00Z (iso8601, stated)"));
  CHECK_THAT(read.err, Contains("0 with an empty key, 1 with an unknown key"));
  CHECK_THAT(read.err, Contains("lasts      3.0 d"));
  const Ran faults = run_program({"check", own});
  CHECK(faults.code == 2);
  CHECK(faults.out.empty());
  CHECK_THAT(faults.err, Contains("b.csv:2: the primary 'none' does not exist"));
}

TEST_CASE("own log: each verb warns of what the log makes useless, once, ids escaped") {
  const Folder folder;
  std::string queries = "query_id,t_ms\n";
  for (int i = 0; i < 30; ++i) queries += "q" + std::to_string(i) + "," + std::to_string(i) + "\n";
  const std::string primary =
      "workload.primary.file=" + folder.write("q.csv", queries + "\x1b[2J,170000\n");
  const std::string foreign =
      "workload.foreign.file=" + folder.write("c.csv", "click_id,query_id,t_ms\nc1,q1,2\n");
  const std::string study = folder.write(
      "study.toml",
      "base = \"" + std::filesystem::absolute("scenarios/trace.toml").string() +
          "\"\n[set]\n\"workload.primary.file\" = \"" + folder.file("q.csv") +
          "\"\n\"workload.foreign.file\" = \"" + folder.file("c.csv") +
          "\"\n[grid]\n\"registry.shards\" = [1, 2]\n[replications]\nmin = 2\nmax = 2\n");
  const std::string warning = "photonsim: warning: " + folder.file("q.csv") + ":32: the row '";
  const std::vector<std::vector<std::string>> commands{
      {"check", "scenarios/trace.toml", "--set", primary, "--set", foreign},
      {"run", "scenarios/trace.toml", "--set", primary, "--set", foreign},
      {"fuzz", "scenarios/trace.toml", "--set", primary, "--set", foreign, "--seeds", "1..2"},
      {"plan", study},
      {"sweep", study}};
  for (const auto& command : commands) {
    const Ran ran = run_program(command);
    CAPTURE(command.front(), ran.err);
    CHECK_THAT(ran.err, Contains(warning));
    CHECK(ran.err.find(warning) == ran.err.rfind(warning));
    CHECK_THAT(ran.err, Contains("' of 170000 lies 2 min 50 s after all others"));
    CHECK(ran.err.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("own log: a study over a log that cannot be read does not begin") {
  const Folder folder;
  const std::string study = folder.write(
      "study.toml", "base = \"" + std::filesystem::absolute("scenarios/trace.toml").string() +
                        "\"\n[set]\n\"workload.foreign.file\" = \"" +
                        folder.write("c.csv", "click_id,query_id,t_ms\nc1,none,2\n") +
                        "\"\n[grid]\n\"registry.shards\" = [1, 2]\n");
  const std::vector<std::vector<std::string>> commands{
      {"plan", study}, {"sweep", study, "--out", folder.file("out.sqlite")}};
  for (const auto& command : commands) {
    const Ran ran = run_program(command);
    CAPTURE(command.front(), ran.err);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Contains("c.csv:2: the primary 'none' does not exist"));
    CHECK_FALSE(std::filesystem::exists(folder.file("out.sqlite")));
  }
}

}  // namespace photonsim::cli::testing
