// Each verb works.
#include <algorithm>
#include <filesystem>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
namespace fs = std::filesystem;

TEST_CASE("run: only JSON on stdout; the same seed gives the same bytes") {
  const Ran first = run_program(short_run({"--seed", "7", "--json"}));
  INFO(first.err);
  CHECK(first.code == 0);
  CHECK_THAT(first.out, StartsWith("{\"scenario\":\"healthy\",\"seed\":7,\"fingerprint\":\""));
  CHECK_THAT(first.out, Contains("\"joined\":") && Contains("\"violations_total\":0"));
  CHECK(std::ranges::count(first.out, '\n') == 1);
  const Ran again = run_program(short_run({"--seed", "7", "--json"}));
  CHECK(without_measurements(again.out) == without_measurements(first.out));
  const Ran other = run_program(short_run({"--seed", "8", "--json"}));
  CHECK(without_measurements(other.out) != without_measurements(first.out));
}

TEST_CASE("run: text for people names seed, fingerprint and verdict") {
  const Ran ran = run_program(short_run());
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, StartsWith("healthy, seed 1: "));
  CHECK_THAT(ran.out, Contains("simulated in") && Contains("no violation found"));
}

TEST_CASE("judge: a stored trace gives the report of its run, apart from wall time and memory") {
  const Folder folder;
  const std::string trace = folder.file("run.trace");
  SECTION("of a run with faults") {
    const Ran run = run_program(
        {"run", "scenarios/trace_kills.toml", "--seed", "3", "--json", "--trace", trace});
    const Ran judged = run_program({"judge", trace, "--json"});
    INFO(run.err << judged.err);
    CHECK(run.code == 0);
    CHECK(judged.code == 0);
    CHECK(without_measurements(judged.out) == without_environment(without_measurements(run.out)));
    CHECK_THAT(judged.out, !Contains("\"fingerprint\":\"\"") && !Contains("\"configured\":0"));
    const Ran text = run_program({"judge", trace});
    CHECK_THAT(text.out, Contains(" simulated ("));  // the trace does not hold how long it took
  }
  SECTION("of a run with a fault that had no effect, with its exit code") {
    const std::string scenario = folder.write(
        "inert.toml", "include = [\"" + fs::absolute("scenarios/healthy.toml").string() + R"("]
[[faults.crash]]
process = "us-east1/joiner/0"
at = "5s"
restart_after = "5s"
[[faults.crash]]
process = "us-east1/joiner/0"
at = "6s"
restart_after = "1s"
)");
    const Ran run =
        run_program({"run", scenario, "--set", "run.duration=20s", "--set", "run.warm_up=2s",
                     "--set", "workload.synthetic.clicks=50", "--json", "--trace", trace});
    const Ran judged = run_program({"judge", trace, "--json"});
    CHECK(run.code == 7);
    CHECK_THAT(run.err, Contains("this fault had no effect") && Contains("at 6s for 1s"));
    CHECK(judged.code == 7);
    CHECK_THAT(judged.err, Contains("this fault had no effect") && Contains("at 6s for 1s"));
    CHECK(without_measurements(judged.out) == without_environment(without_measurements(run.out)));
  }
}

TEST_CASE("check prints the resolved scenario, and its output is a scenario again") {
  const Folder folder;
  const Ran checked = run_program({"check", "scenarios/healthy.toml", "--set", "joiner.count=3"});
  CHECK(checked.code == 0);
  CHECK_THAT(checked.out, Contains("[joiner]") && Contains("count = 3"));
  const Ran again = run_program({"check", folder.write("resolved.toml", checked.out)});
  INFO(again.err);
  CHECK(again.code == 0);
  CHECK(again.out == checked.out);
}

TEST_CASE("explain: a known key, all keys, an unknown key with a suggestion") {
  const Ran known = run_program({"explain", "registry.lease"});
  CHECK(known.code == 0);
  CHECK_THAT(known.out, Contains("[registry] lease") && Contains("default:"));
  const Ran all = run_program({"explain"});
  CHECK(all.code == 0);
  CHECK_THAT(all.out, Contains("registry.lease\n") && Contains("run.seed\n"));
  const Ran unknown = run_program({"explain", "registry.leese"});
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(unknown.err, EndsWith("error: nothing is named \"registry.leese\"; did you mean "
                                   "\"registry.lease\"?\n"));
}

TEST_CASE("explain: names of reports; an unknown one gets the nearest existing one") {
  const Ran oracle = run_program({"explain", "J-S5"});
  CHECK(oracle.code == 0);
  CHECK_THAT(oracle.out, Contains("one shard for each id") && Contains("Where to look first"));
  CHECK(run_program({"explain", "BC-05"}).code == 0);
  CHECK(run_program({"explain", "L-crash"}).code == 0);
  CHECK(run_program({"explain", "too_old"}).code == 0);
  const Ran mark = run_program({"explain", "paxos.handover.given_up"});
  CHECK_THAT(mark.out, Contains("What happens\n  ") && Contains("core_impl/paxos/"));
  const Ran unknown = run_program({"explain", "L-crsh"});
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(
      unknown.err,
      EndsWith("photonsim: error: nothing is named \"L-crsh\"; did you mean \"L-crash\"?\n"));
  CHECK_THAT(run_program({"explain", "J-S99"}).err,
             EndsWith("photonsim: error: nothing is named \"J-S99\"; did you mean \"J-S9\"?\n"));
  CHECK_THAT(run_program({"explain", "foo"}).err,
             EndsWith("photonsim: error: nothing is named \"foo\"; `photonsim explain` lists all "
                      "keys\n"));
}

TEST_CASE("explain: all marks of the code, with rarity and place; not together with a key") {
  const Ran marks = run_program({"explain", "--marks"});
  CHECK(marks.code == 0);
  CHECK(std::ranges::count(marks.out, '\n') >= 120);
  CHECK_THAT(marks.out, Contains("paxos.recovery.proposes_again ") &&
                            Contains(" core_impl/paxos/replica_master.cc:"));
  CHECK_THAT(marks.out, Contains("\n    The cache is full and evicts its oldest entry.\n"));
  const Ran metrics = run_program({"explain", "metrics"});
  CHECK(metrics.code == 0);
  CHECK_THAT(metrics.out, Contains("\nlatency.total.p99 ") && Contains(" seconds\n") &&
                              Contains("\ncapacity.served_per_second "));
  const Ran both = run_program({"explain", "--marks", "registry.lease"});
  CHECK(both.code == 2);
  CHECK(both.out.empty());
}

TEST_CASE("export: a results file becomes CSV; a missing file is not created") {
  const Folder folder;
  const std::string results = folder.file("runs.db");
  REQUIRE(run_program(short_run({"--out", results})).code == 0);
  const Ran exported = run_program({"export", results, folder.file("runs.csv")});
  CHECK(exported.code == 0);
  CHECK_THAT(text_of(folder.file("runs.csv")),
             StartsWith("run,scenario,seed,metric,unit,value\n") && Contains(",healthy,1,joined,"));
  for (const char* part : {"", "-wal", "-shm", "-journal"}) {
    CAPTURE(part);
    CHECK(run_program({"export", results, results + part}).code == 2);
  }
  CHECK(run_program({"export", results, folder.file("again.csv")}).code == 0);  // still whole
  const Ran missing = run_program({"export", folder.file("none.db"), folder.file("none.csv")});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("none.db: there is no such file"));
  CHECK(folder.names() == std::vector<std::string>{"again.csv", "runs.csv", "runs.db"});
}

TEST_CASE("export: an invalid results file is a usage error") {
  const Folder folder;
  const Ran ran =
      run_program({"export", folder.write("k.json", "{\"a\": 1}"), folder.file("k.csv")});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, Contains("k.json") && !Contains("--out"));  // export has no such option
  CHECK(folder.names() == std::vector<std::string>{"k.json"});
}

TEST_CASE("--version and --help go to stdout; no verb, or an unknown one, is a usage error") {
  const Ran version = run_program({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out,
             Catch::Matches("photonsim [0-9]+\\.[0-9]+\\.[0-9]+ \\(commit [0-9a-z]+, model "
                            "[0-9a-f]{16}, compiler .+\\)\n"));
  const Ran help = run_program({"--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Contains("run") && Contains("judge") && Contains("exit-codes"));
  for (const Arguments& wrong : {Arguments{}, {"fly"}, {"run"}, {"judge"}, {"export", "x"}}) {
    const Ran ran = run_program(wrong);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK_FALSE(ran.err.empty());
  }
}

}  // namespace photonsim::cli::testing
