// report and diff as a user calls them: files, exit codes, and what is refused.
#include <filesystem>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;

// A results file with short runs of these seeds.
std::string results_of(const Folder& folder, const std::string& name, const Arguments& seeds,
                       const Arguments& more = {}) {
  const std::string file = folder.file(name);
  for (const std::string& seed : seeds) {
    Arguments arguments = short_run({"--seed", seed, "--out", file});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run_program(arguments);
    INFO(ran.err);
    REQUIRE(ran.code == 0);
  }
  return file;
}

}  // namespace

TEST_CASE("report: a page and Markdown of a results file; the same file gives the same bytes") {
  const Folder folder;
  const std::string results = results_of(folder, "r.sqlite", {"1", "2"});
  const std::string page = folder.file("r.html");
  const Ran ran = run_program({"report", results, "-o", page, "--md", "-"});
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, StartsWith("**r\\.sqlite: 2 runs, 0 failed**"));
  const std::string text = text_of(page);
  CHECK_THAT(text, StartsWith("<!DOCTYPE html>") && Contains("id=\"data\""));
  REQUIRE(run_program({"report", results, "-o", page}).code == 0);
  CHECK(text_of(page) == text);
}

TEST_CASE("report: a gate that a run misses stands in its JSON, in the page and in Markdown") {
  const Folder folder;
  const std::string results = folder.file("r.sqlite");
  const Ran ran = run_program(
      short_run({"--out", results, "--json", "--expect", "joined < 1", "--expect", "lost < 1"}));
  CHECK(ran.code == 1);
  CHECK_THAT(ran.err, Contains("--expect `joined < 1` is not met"));
  CHECK_THAT(ran.out, Contains(R"("missed_gates":["`joined < 1` is not met: joined is )") &&
                          Contains(R"("verdict":"gate_missed","exit_code":1,)") &&
                          !Contains("lost < 1"));
  const std::string page = folder.file("r.html");
  const Ran report = run_program({"report", results, "-o", page, "--md", "-"});
  CHECK(report.code == 0);
  CHECK_THAT(report.out, Contains("0 failed, 1 requirement not met**") &&
                             Contains("\n* --expect \\`joined &lt; 1\\` is not met"));
  CHECK_THAT(text_of(page), Contains("`joined \\u003c 1` is not met: joined is "));
}

TEST_CASE("report: without a target, without runs, into the results file or a full disk") {
  const Folder folder;
  const std::string results = results_of(folder, "r.sqlite", {"1"});
  const Ran none = run_program({"report", results});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("--md -"));
  const Ran itself = run_program({"report", results, "-o", results});
  CHECK(itself.code == 2);
  CHECK_THAT(itself.err, Contains("part of the results file"));
  CHECK(run_program({"report", folder.file("nowhere.sqlite"), "--md", "-"}).code == 2);
  const Ran full = run_program({"report", results, "-o", "/dev/full"});
  CHECK(full.code == 8);
  CHECK_THAT(full.err, Contains("/dev/full"));
  CHECK(run_program({"db", "verify", results}).code == 0);
}

TEST_CASE("export: a folder of tables and notebooks, never over the results file") {
  const Folder folder;
  const std::string results = results_of(folder, "runs.csv", {"1"});
  const std::string home = std::filesystem::path(results).parent_path().string();
  const Ran over = run_program({"export", results, "--csv", home});
  CHECK(over.code == 2);
  CHECK_THAT(over.err, Contains("runs.csv: this is part of the results file"));
  CHECK(run_program({"db", "verify", results}).code == 0);
  const std::string tables = folder.file("tables"), books = folder.file("books");
  const Ran ran = run_program({"export", results, "--csv", tables, "--notebooks", books});
  INFO(ran.err);
  CHECK(ran.code == 0);
  CHECK_THAT(ran.err, Contains("tables/runs.csv: 1 row\n") && Contains("7 notebooks"));
  CHECK_THAT(text_of(books + "/overview.ipynb"), Contains("../tables"));
  // A disk that is full leaves what was there.
  const std::string before = text_of(tables + "/metrics.csv");
  CHECK(run_program({"export", results, "--csv", "/dev/full/tables"}).code == 8);
  CHECK(text_of(tables + "/metrics.csv") == before);
  CHECK(run_program({"export", results, "--notebooks", books}).code == 2);
}

TEST_CASE("diff: 0 for the same runs, 1 where a gate fails, 2 for what cannot be compared") {
  const Folder folder;
  const std::string before = results_of(folder, "a.sqlite", {"1", "2", "3"});
  const std::string same = results_of(folder, "b.sqlite", {"1", "2", "3"});
  const std::string after =
      results_of(folder, "c.sqlite", {"1", "2", "3"}, {"--set", "dispatcher.pre_lookup=false"});
  const Ran equal = run_program({"diff", before, same});
  CHECK(equal.code == 0);
  CHECK_THAT(equal.out, StartsWith("identical"));
  const Ran changed = run_program({"diff", before, after});
  CHECK(changed.code == 0);  // nothing was asked
  CHECK_THAT(changed.out, Contains("wasted_joins"));
  const std::string gates = folder.write("gates.toml", "[more]\n\"wasted_joins\" = \"50%\"\n");
  CHECK(run_program({"diff", before, same, "--gate", gates}).code == 0);
  const Ran gated = run_program({"diff", before, after, "--gate", gates});
  CHECK(gated.code == 1);
  CHECK_THAT(gated.out, Contains("FAILS: at most 50% more of wasted_joins"));
  CHECK(run_program({"diff", after, before, "--gate", gates}).code == 0);
  const Ran json = run_program({"diff", before, after, "--json", "--gate", gates});
  CHECK(json.code == 1);
  CHECK_THAT(json.out, Contains("\"fails\":true") && Contains("\"metric\":\"wasted_joins\""));
  const Ran bad = run_program({"diff", before, after, "--gate", folder.write("x.toml", "a = 1\n")});
  CHECK(bad.code == 2);
  CHECK_THAT(bad.err, Contains("x.toml:1:"));
  CHECK(run_program({"diff", before, folder.file("nowhere.sqlite")}).code == 2);
}

TEST_CASE("diff --first-divergence: traces of one seed, and where two part") {
  const Folder folder;
  const std::string one = folder.file("1.trace"), same = folder.file("2.trace"),
                    other = folder.file("3.trace");
  REQUIRE(run_program(short_run({"--trace", one})).code == 0);
  REQUIRE(run_program(short_run({"--trace", same})).code == 0);
  REQUIRE(run_program(short_run({"--seed", "2", "--trace", other})).code == 0);
  const Ran equal = run_program({"diff", "--first-divergence", one, same});
  CHECK(equal.code == 0);
  CHECK_THAT(equal.out, StartsWith("identical: "));
  const Ran apart = run_program({"diff", "--first-divergence", one, other});
  CHECK(apart.code == 1);
  CHECK_THAT(apart.out, StartsWith("the traces part at record "));
  CHECK_THAT(apart.err, Contains("seed 1") && Contains("seed 2"));
}

}  // namespace photonsim::cli::testing
