// fuzz --guided, end to end: a campaign like any other, whose runs a search chooses.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;

namespace {

Ran expect_of_search(const Arguments& arguments, int code) {
  Ran ran = run_program(arguments);
  CAPTURE(arguments, ran.out, ran.err);
  CHECK(ran.code == code);
  return ran;
}

Arguments search(const std::string& seeds, const Arguments& more = {}) {
  return with({"fuzz", "--swarm", "--guided", "--shrink", "0", "--seeds", seeds}, more);
}

// The fields of a line of CSV without quotes.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

// A column of a CSV file, sorted.
std::multiset<std::string> column_of(const std::string& csv, const std::string& name) {
  std::istringstream text(csv);
  std::string line;
  std::getline(text, line);
  const std::vector<std::string> head = fields_of(line);
  const auto column = static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
  REQUIRE(column < head.size());
  std::multiset<std::string> values;
  while (std::getline(text, line)) values.insert(fields_of(line).at(column));
  return values;
}

}  // namespace

TEST_CASE("guided: a scenario for which no faults can be generated is refused") {
  const auto refused = [](const Arguments& arguments) {
    return expect_of_search(with({"fuzz", "--guided", "--events", "1"}, arguments), 2).err;
  };
  CHECK_THAT(refused({"scenarios/trace.toml"}), Contains("its load is a trace; take one with"));
  CHECK_THAT(refused({"scenarios/quickstart.toml", "--set", "run.duration=400ms", "--set",
                      "run.warm_up=0s", "--set", "faults.random=[]", "--set", "faults.outage=[]"}),
             Contains("it is too short; give it a run.duration of two seconds at least"));
}

TEST_CASE("guided: options that do not fit a search are refused") {
  CHECK_THAT(expect_of_search(search("1..2", {"--tier", "contract"}), 2).err,
             Contains("--guided does nothing about --tier contract; leave it out"));
  CHECK_THAT(expect_of_search(search("1..2", {"--oracle", "J-S6"}), 2).err,
             Contains("--oracle does nothing without --fail-fast"));
  const std::string quiet = "scenarios/registry/quiet.toml";
  CHECK_THAT(expect_of_search({"fuzz", "--guided", quiet, quiet}, 2).err,
             Contains("takes one scenario"));
}

TEST_CASE("guided: the report is that of a campaign, for any number of processes", "[sweep]") {
  // More than two batches.
  const Arguments arguments = search("1..110", {"--json", "--self-check", "50"});
  const Ran one = expect_of_search(with(arguments, {"--jobs", "1"}), 0);
  const Ran three = expect_of_search(with(arguments, {"--jobs", "3"}), 0);
  CHECK(without_clock(one.out) == without_clock(three.out));
  CHECK_THAT(one.out, Contains("\"runs\":110,\"failed\":0,") && Contains("\"corpus\":") &&
                          Contains("\"features\":") && Contains("\"end\":\"complete\"") &&
                          Contains("\"fault_kinds\":{\"") && Contains("\"obligations\":{\"") &&
                          Contains("\"figures\":{") && !Contains("\"registry.transactions\":0,") &&
                          Contains("\"diverged\":0}") && !Contains("\"rerun\":0,"));
  // Without feedback the corpus stays empty.
  CHECK_THAT(expect_of_search(search("1..4", {"--json", "--no-feedback"}), 0).out,
             Contains("\"corpus\":0,"));
}

TEST_CASE("guided: --out has a row for each configuration, with its own fingerprint", "[sweep]") {
  const Folder folder;
  const auto stored = [&](const std::string& name, const char* jobs) {
    const std::string file = folder.file(name + ".db");
    const std::string csv = folder.file(name + ".csv");
    expect_of_search(search("101..112", {"--out", file, "--jobs", jobs}), 0);
    CHECK_THAT(expect_of_search({"db", "verify", file}, 0).out, Contains("1 campaign of 12 runs"));
    expect_of_search({"export", "--runs", file, csv}, 0);
    return text_of(csv);
  };
  const std::string one = stored("one", "1");
  const std::string three = stored("three", "3");
  const std::multiset<std::string> fingerprints = column_of(one, "fingerprint");
  CHECK(fingerprints.size() == 12);
  CHECK(std::set<std::string>(fingerprints.begin(), fingerprints.end()).size() == 12);
  CHECK(column_of(three, "fingerprint") == fingerprints);
  const std::multiset<std::string> seeds = column_of(one, "seed");
  CHECK(*seeds.begin() == "101");
  CHECK(*seeds.rbegin() == "112");
}

TEST_CASE("guided: failures are grouped by cause, and each has its file and its replay",
          "[sweep]") {
  const Folder folder;
  const std::string mute = never_answered(folder);
  const std::string junit = folder.file("junit.xml");
  const std::string repros = folder.file("repros");
  const Arguments guided{"fuzz",     "--guided", mute,      "--shrink", "0",
                         "--repros", repros,     "--junit", junit,      "--github"};
  // Most configurations fail like the scenario, with any further faults.
  const Ran ran = expect_of_search(with(guided, {"--seeds", "1..24", "--verbose"}), 4);
  CHECK_THAT(ran.out, Contains("24 runs in ") && Contains("of failure\n") && Contains("J-P0: ") &&
                          Contains("guided search: a corpus of "));
  const std::string repro = repros + "/guided-1-1.toml";
  CHECK(std::filesystem::exists(repro));
  CHECK_THAT(ran.err, Contains("failed") &&
                          Contains("First failure: " + mute + ", configuration 1: ") &&
                          Contains("\nreplay: photonsim repro " + repro + "\n"));
  CHECK_THAT(text_of(junit), Contains(" tests=\"1\" failures=\"1\"") &&
                                 Contains("configuration 1 (exit code 4") &&
                                 Contains("photonsim repro " + repro));
  CHECK_THAT(expect_of_search({"repro", repro}, 4).out, Contains("J-P0"));
}

TEST_CASE("guided: a failed configuration that cannot be written ends the campaign with 8") {
  const Folder folder;
  const std::string file = folder.write("file", "");
  const Ran ran = expect_of_search({"fuzz", "--guided", never_answered(folder), "--seeds", "1..4",
                                    "--shrink", "0", "--repros", file + "/inside"},
                                   8);
  CHECK_THAT(ran.err, Contains(file + "/inside") && !Contains("photonsim repro"));
  CHECK_THAT(ran.out, StartsWith("ABORTED after "));
}

TEST_CASE("guided: --time, --min-runs and --events limit the search, and the report says so",
          "[sweep]") {
  const Ran timed =
      expect_of_search(search("1..900000000", {"--time", "300ms", "--json", "--github"}), 0);
  CHECK_THAT(timed.out, !Contains("\"runs\":0,\"failed\":0,\"scenarios\"") &&
                            Contains("\"end\":\"ended early\""));
  const Ran few = expect_of_search(search("1..900000000", {"--time", "1ns", "--min-runs", "9"}), 6);
  CHECK_THAT(few.err, Contains("incomplete: 0 of 900000000 runs have ended, at least 9 were asked "
                               "for; give more --time or --events"));
  const Ran limited = expect_of_search(search("1..96", {"--events", "1", "--json"}), 0);
  CHECK_THAT(limited.out, Contains("\"runs\":1,") && Contains("\"end\":\"ended early\""));
  // A configuration that the deadline ends is listed as not run.
  const Folder folder;
  const std::string endless = folder.write(
      "endless.toml", included("scenarios/healthy.toml") + "[run]\nduration = \"9000000s\"\n");
  const Ran cut = expect_of_search({"fuzz", "--guided", endless, "--seeds", "5..9", "--shrink", "0",
                                    "--jobs", "2", "--time", "1s", "--json"},
                                   7);  // the scenario was never run
  CHECK_THAT(cut.out, Contains("\"runs\":0,") &&
                          Contains("\"cut_off\":[\"" + endless + ", configuration 5\",\""));
}

TEST_CASE("guided: requirements hold on request only", "[sweep]") {
  const Ran free = expect_of_search(search("1..3"), 0);
  CHECK(free.err.empty());
  CHECK(expect_of_search(search("1..3", {"--require", "BC-19"}), 7).err ==
        "photonsim: error: never occurred: BC-19; run more seeds, or scenarios that show them\n");
  CHECK_THAT(expect_of_search(search("1..3", {"--require-marks=common"}), 7).err,
             Contains(" of the required marks; run more seeds"));
}

TEST_CASE("guided: a JUnit file that cannot be written is reported once") {
  const Folder folder;
  CHECK_THAT(expect_of_search(search("1..1", {"--junit", "/dev/full"}), 8).err,
             Contains("/dev/full"));
  const Ran full = expect_of_search(
      {"fuzz", "--guided", never_answered(folder), "--seeds", "1..2", "--shrink", "1",
       "--shrink-time", "1us", "--repros", folder.file("repros"), "--junit", "/dev/full"},
      8);
  CHECK_THAT(full.err, Contains("minimized: no minimized repro") && Contains("/dev/full"));
  CHECK(full.err.find("/dev/full") == full.err.rfind("/dev/full"));
}

TEST_CASE("guided: a run above its limit of kernel events has failed") {
  const Folder folder;
  const Ran ran = expect_of_search(
      search("1..2", {"--most-events", "2000", "--repros", folder.file("repros")}), 70);
  CHECK_THAT(ran.out, Contains("2 runs in ") && Contains("2 FAILED"));
}

}  // namespace photonsim::cli::testing
