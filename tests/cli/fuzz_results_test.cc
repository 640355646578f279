// fuzz --out: a campaign that was stopped in any way resumes, and its report is the same.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <thread>

#include <sys/resource.h>

#include "analysis/results/result_store.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;

namespace {

namespace analysis = photon::analysis;

std::uint64_t saved_runs(const std::string& file) {
  if (!std::filesystem::exists(file)) return 0;
  const auto store = analysis::ResultStore::open(file);
  if (!store) return 0;
  const auto campaigns = store.assume_value().campaigns();
  REQUIRE(campaigns.has_value());
  std::uint64_t runs = 0;
  for (const analysis::StoredCampaign& each : campaigns.assume_value()) runs += each.runs;
  return runs;
}

// At most 20 minutes: the limit only ends hangs.
bool until(const std::function<bool()>& condition) {
  for (int i = 0; i < 120'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

Ran verified(const std::string& file) {
  const Ran ran = run_program({"db", "verify", file});
  CAPTURE(ran.err);
  CHECK(ran.code == 0);
  return ran;
}

constexpr const char* kQuiet = "scenarios/registry/quiet.toml";

}  // namespace

TEST_CASE("J-H4 fuzz: figures of a campaign are the sums over the rows of the results file") {
  // Recomputed from the exported rows, one for each run and figure.
  const Folder folder;
  const std::string file = folder.file("results.db");
  const std::string csv = folder.file("figures.csv");
  const Ran ran = run_program(
      {"fuzz", "--swarm", "--seeds", "21..25", "--shrink", "0", "--out", file, "--json"});
  CAPTURE(ran.err);
  REQUIRE(ran.code == 0);
  REQUIRE(run_program({"export", file, csv}).code == 0);
  std::map<std::string, std::uint64_t> sums;
  std::istringstream rows(text_of(csv));
  static const std::regex row(R"re(\d+,swarm,\d+,([^,]+),count,(\d+))re");
  for (std::string line; std::getline(rows, line);) {
    std::smatch found;
    if (std::regex_match(line, found, row)) sums[found[1].str()] += std::stoull(found[2].str());
  }
  for (const std::string figure : {"generated", "joined", "registry.transactions",
                                   "registry.elections", "network.sent", "faults.effective"}) {
    CAPTURE(figure);
    CHECK(sums[figure] > 0);
    CHECK_THAT(ran.out, Contains("\"" + figure + "\":" + std::to_string(sums[figure]) + ","));
  }
}

TEST_CASE(
    "fuzz --out: after Ctrl-C and kill -9 the report equals that of an uninterrupted campaign",
    "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const Arguments plain{"fuzz", "--swarm", "--seeds", "5..244", "--shrink", "0"};
  const Arguments kept = with(plain, {"--out", file});
  {
    RunningProgram program(kept);
    CHECK(until([&] { return saved_runs(file) > 0; }));
    program.signal(SIGINT);
    const Ran ran = program.wait();
    CHECK(ran.code == 130);
    CHECK_THAT(ran.out, StartsWith("INTERRUPTED after "));
    CHECK_THAT(ran.err, Contains("they are in " + file + ", and the same command does the rest"));
    verified(file);
  }
  const std::uint64_t first = saved_runs(file);
  {
    RunningProgram program(kept, {}, {}, ProcessGroup::its_own);
    CHECK(until([&] { return saved_runs(file) > first; }));
    program.signal_group(SIGKILL);
    CHECK(program.wait().code == 128 + SIGKILL);
    verified(file);
  }
  const std::uint64_t second = saved_runs(file);
  REQUIRE(first < second);
  REQUIRE(second < 240);
  const Ran resumed = run_program(with(kept, {"-j", "2"}));
  CHECK(resumed.code == 0);
  CHECK(resumed.err == file + ": of 240 runs it has " + std::to_string(second) + " already\n");
  const Ran whole = run_program(with(plain, {"-j", "2"}));
  CHECK(without_clock(resumed.out) == without_clock(whole.out));
  CHECK_THAT(without_clock(whole.out), Contains("none failed") && Contains("fewer than one in"));
  CHECK_THAT(verified(file).out, Contains(": whole: 1 campaign of 240 runs, "));
  // Other seeds belong to the same campaign.
  const Ran part = run_program({"fuzz", "--swarm", "--seeds", "240..250", "--out", file});
  CHECK_THAT(part.err, StartsWith(file + ": of 11 runs it has 5 already\n"));
  CHECK_THAT(part.out, StartsWith("11 runs (5 done before) in "));
  CHECK(saved_runs(file) == 246);
}

TEST_CASE("fuzz --out: a stored failed run is reported again; with --fail-fast no run follows it") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const Arguments arguments{
      "fuzz", kQuiet, with_inert_fault(folder), "--seeds", "1..6", "--shrink", "0", "--out", file};
  const Ran first = run_program(arguments);
  CHECK(first.code == 7);
  CHECK_THAT(first.out,
             Contains("3 FAILED") && Contains("seed 4 (exit code 7): this fault had no"));
  const Ran second = run_program(arguments);
  CHECK(second.code == 7);
  CHECK(without_clock(second.out) == without_clock(first.out));
  CHECK(second.err == file + ": of 6 runs it has 6 already\n" + first.err);
  const Arguments anew(arguments.begin(), arguments.end() - 2);
  CHECK(without_clock(run_program(with(arguments, {"--json"})).out) ==
        without_clock(run_program(with(anew, {"--json"})).out));
  CHECK_THAT(second.out, StartsWith("6 runs (6 done before) in "));
  CHECK_THAT(run_program(with(arguments, {"--json"})).out, Contains("\"runs_done_before\":6,"));
  Arguments more = with(arguments, {"--fail-fast"});
  *std::ranges::find(more, "1..6") = "1..20";
  const Ran fast = run_program(more);
  CHECK(fast.code == 7);
  CHECK_THAT(fast.out,
             StartsWith("6 runs of 20 (6 done before) in ") && Contains("ended early, 3 FAILED"));
  CHECK(saved_runs(file) == 6);
}

TEST_CASE("fuzz --out: reports that a new campaign starts in the file, and why") {
  const Folder folder;
  const auto reported = [&](const Arguments& more) {
    return run_program(
               with({"fuzz", kQuiet, "--seeds", "1..1", "--out", folder.file("results.db")}, more))
        .err;
  };
  CHECK(reported({}).empty());
  CHECK(reported({}) == folder.file("results.db") + ": of 1 run it has 1 already\n");
  const std::string begins =
      folder.file("results.db") + ": starts a new campaign: the stored one of quiet ";
  CHECK(reported({"--self-check", "50"}) ==
        begins + "was done with --self-check 5, which is 50 now\n");
  CHECK(reported({"--set", "workload.registry.rate=5"}) == begins + "has other settings\n");
  // A campaign of other scenarios needs no note.
  CHECK_THAT(
      run_program({"fuzz", "--swarm", "--seeds", "1..1", "--out", folder.file("results.db")}).err,
      !Contains("new campaign"));
}

TEST_CASE("fuzz --out: options that change results start another campaign, others do not",
          "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const auto runs_after = [&](const Arguments& arguments) {
    const Ran ran = run_program(with(arguments, {"--out", file}));
    CAPTURE(ran.err);
    CHECK(ran.code == 0);
    return saved_runs(file);
  };
  const Arguments one{"fuzz", kQuiet, "--seeds", "1..4"};
  CHECK(runs_after(one) == 4);
  CHECK(runs_after(with(one, {"-j", "2"})) == 4);
  CHECK(runs_after(with(one, {"--time", "1h", "--github", "--set", "run.seed=77"})) == 4);
  // The same scenario under another name.
  CHECK(runs_after({"fuzz", "./" + std::string(kQuiet), "--seeds", "1..5"}) == 5);
  CHECK(runs_after(with(one, {"--set", "workload.registry.rate=5"})) == 9);
  CHECK(runs_after(with(one, {"--self-check", "100"})) == 13);
  CHECK(runs_after({"fuzz", "--swarm", "--seeds", "1..4"}) == 17);
  CHECK(runs_after({"fuzz", "--swarm", "--tier", "over", "--seeds", "1..4"}) == 21);
  CHECK(runs_after({"run", kQuiet}) == 21);
  CHECK_THAT(verified(file).out, Contains(": whole: 1 run of 1 scenario") &&
                                     Contains(" rows sealed, 5 campaigns of 21 runs, "));
  // With --profile deep all runs are rerun by default.
  const Arguments deep{"fuzz", "--swarm", "--profile", "deep", "--seeds", "1..1"};
  CHECK(runs_after(deep) == 22);
  CHECK(runs_after(with(deep, {"--self-check", "100"})) == 22);
  CHECK(runs_after(with(deep, {"--self-check", "5"})) == 23);
  // Both are exported in the same forms.
  const std::string csv = folder.file("out.csv");
  REQUIRE(run_program({"export", file, csv}).code == 0);
  CHECK_THAT(text_of(csv), StartsWith("run,scenario,seed,") &&
                               Contains(",workload.registry.rate,") &&
                               Contains(",metric,unit,value\n"));
  REQUIRE(run_program({"export", "--runs", file, csv}).code == 0);
  const std::string lines = text_of(csv);
  CHECK(std::ranges::count(lines, '\n') == 25);
  CHECK_THAT(lines, StartsWith("run,study,scenario,seed,") &&
                        Contains(",verdict,ending,exit_code,") &&
                        Contains(",ok,complete,0,,photonsim repro --swarm --seed 3 --tier over,"));
}

TEST_CASE("fuzz --out: a run whose process died is repeated, and the report says so", "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  // Some seconds of work.
  const std::string slow = folder.write("slow.toml", included("scenarios/healthy.toml") +
                                                         "[run]\nduration = \"400s\"\n"
                                                         "[workload.synthetic]\nclicks = 40000\n");
  const Arguments arguments{"fuzz", slow, "--seeds", "1..2", "--shrink", "0", "--out", file};
  const std::string death = "its process died of signal 9 (Killed)";
  {
    RunningProgram program(arguments);
    std::vector<pid_t> workers;
    REQUIRE(until([&] {
      workers = program.children();
      return workers.size() == 1 && used_by(workers.front()) > 10;
    }));
    ::kill(workers.front(), SIGKILL);
    const Ran ran = program.wait();
    CAPTURE(ran.out, ran.err);
    CHECK(ran.code == 70);
    CHECK_THAT(ran.out, StartsWith("2 runs in ") && Contains("1 FAILED") && Contains(death));
  }
  CHECK(saved_runs(file) == 2);
  verified(file);
  CHECK(run_program({"export", "--runs", file, folder.file("runs.csv")}).code == 0);
  CHECK_THAT(text_of(folder.file("runs.csv")), Contains(",1,worker died,died,70," + death + ","));
  // Without time for the rerun the campaign still fails.
  const Ran none = run_program(with(arguments, {"--time", "1ns", "--json"}));
  CHECK(none.code == 70);
  CHECK_THAT(none.out, Contains(death) && Contains("\"died_before\":[]"));
  const Ran again = run_program(with(arguments, {"-j", "2"}));
  CAPTURE(again.out, again.err);
  CHECK(again.code == 0);
  CHECK(again.err == file + ": of 2 runs it has 1 already\n");
  const std::string note = slow + ", seed 1: " + death + " before; the rerun passed";
  CHECK_THAT(again.out, Contains(", none failed (") && Contains("\ndied before\n  " + note + "\n"));
  CHECK(saved_runs(file) == 3);
  verified(file);
  // Later reports keep the note.
  const Ran later = run_program(with(arguments, {"--json"}));
  CHECK(later.code == 0);
  CHECK(later.err == file + ": of 2 runs it has 2 already\n");
  CHECK_THAT(later.out, Contains("\"died_before\":[\"" + note + "\"]"));
}

TEST_CASE("fuzz: seeds have 64 bits in all inputs and outputs", "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const std::string last = "18446744073709551615";
  const Arguments generated{"fuzz",   "--swarm",      "--seeds", "18446744073709551614.." + last,
                            "--json", "--self-check", "100"};
  const Ran plain = run_program(generated);
  CAPTURE(plain.err);
  CHECK(plain.code == 0);
  CHECK_THAT(plain.out, Contains("\"last\":" + last + "}") && Contains("\"runs\":2,"));
  CHECK(run_program(with(generated, {"--out", file})).code == 0);
  const Ran again = run_program(with(generated, {"--out", file}));
  CHECK(again.err == file + ": of 2 runs it has 2 already\n");
  CHECK(without_clock(again.out) == without_clock(plain.out));
  verified(file);
  CHECK(run_program({"export", "--runs", file, folder.file("runs.csv")}).code == 0);
  CHECK_THAT(text_of(folder.file("runs.csv")), Contains(",swarm," + last + ",ok,complete,0,"));
  // The same configuration by its seed and as a scenario file.
  const Ran repro = run_program({"repro", "--swarm", "--seed", last, "--json"});
  CHECK(repro.code == 0);
  CHECK_THAT(repro.out, Contains("\"seed\":" + last + ","));
  const Ran printed = run_program({"swarm", "--seed", last});
  CHECK_THAT(printed.out, Contains("\nseed = \"" + last + "\"\n"));
  const std::string scenario = folder.write("printed.toml", printed.out);
  const std::string trace = folder.file("trace");
  const Ran run = run_program({"run", scenario, "--json", "--out", file, "--trace", trace});
  CHECK(without_measurements(run.out) == without_measurements(repro.out));
  CHECK(run_program({"judge", trace}).code == 0);
  verified(file);
  const Ran guided =
      run_program({"fuzz", "--swarm", "--guided", "--seeds", "18446744073709551600.." + last,
                   "--repros", folder.file("repros"), "--json"});
  CAPTURE(guided.err);
  CHECK(guided.code == 0);
  CHECK_THAT(guided.out, Contains("\"runs\":16,"));
}

TEST_CASE("fuzz --out: a file that cannot be written, or has another use, is refused") {
  const Folder folder;
  const auto refusal = [](const Arguments& arguments, int code) {
    const Ran ran = run_program(arguments);
    CAPTURE(arguments, ran.out);
    CHECK(ran.code == code);
    CHECK(ran.out.empty());
    return ran.err;
  };
  const Arguments one{"fuzz", kQuiet, "--seeds", "1..4"};
  CHECK_THAT(refusal(with(one, {"--out", "/dev/full"}), 8),
             Contains("/dev/full: this is no plain"));
  folder.write("plain", "no folder");
  CHECK_THAT(refusal(with(one, {"--out", folder.file("plain/x.db")}), 8),
             Contains("plain/x.db: it cannot be written"));
  CHECK_THAT(refusal(with(one, {"--out", ""}), 2), Contains("--out") && Contains("empty"));
  CHECK_THAT(refusal(with(one, {"--out", kQuiet}), 2), Contains("one that the runs read"));
  const std::string file = folder.file("x");
  CHECK_THAT(refusal(with(one, {"--out", file, "--junit", file}), 2), Contains("that of --junit"));
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK_THAT(refusal(with(one, {"--out", folder.write("text", "no database")}), 8),
             Contains("it is not a results file"));
  CHECK_THAT(refusal({"export", "--runs", folder.file("none.db"), file}, 2),
             Contains("there is no such file"));
}

TEST_CASE("fuzz --out: a file that may not grow ends the campaign; its content is complete",
          "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const Arguments plain{"fuzz", kQuiet, "--set", "workload.registry.rate=5", "--seeds", "1..150"};
  const Arguments kept = with(plain, {"--out", file});
  rlimit usual{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
  rlimit less = usual;
  less.rlim_cur = 400 * 1024;
  ::setrlimit(RLIMIT_FSIZE, &less);
  const Ran full = run_program(kept);
  ::setrlimit(RLIMIT_FSIZE, &usual);
  CAPTURE(full.out, full.err);
  CHECK(full.code == 8);
  CHECK_THAT(full.err,
             StartsWith("photonsim: error: " + file + ": it cannot be read or written (") &&
                 Contains("the same command does the rest"));
  CHECK(std::ranges::count(full.err, '\n') == 2);
  CHECK_THAT(full.out, StartsWith("ABORTED after "));
  verified(file);
  CHECK(saved_runs(file) < 150);
  const Ran resumed = run_program(kept);
  CHECK(resumed.code == 0);
  CHECK(without_clock(resumed.out) == without_clock(run_program(plain).out));
  CHECK(saved_runs(file) == 150);
}

TEST_CASE("fuzz --out: a damaged campaign is refused, with a remedy") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const Arguments arguments{"fuzz", kQuiet, "--seeds", "1..4", "--out", file};
  REQUIRE(run_program(arguments).code == 0);
  std::string bytes = text_of(file);
  const std::string_view known = "--seed 3";
  const std::size_t place = bytes.find(known);
  REQUIRE(place != std::string::npos);
  bytes[place + known.size() - 1] = '8';
  folder.write("results.db", bytes);
  const Ran refused = run_program(arguments);
  CHECK(refused.code == 8);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, Contains("it is damaged: campaign ") && Contains("DELETE FROM study"));
  const Ran found = run_program({"db", "verify", file});
  CHECK(found.code == 8);
  CHECK_THAT(found.err,
             Contains("a value of its run number 3 is not the one that was saved") &&
                 Contains("take it out, then run it again: sqlite3 " + file + " \"PRAGMA "));
}

}  // namespace photonsim::cli::testing
