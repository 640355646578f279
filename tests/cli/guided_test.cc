// fuzz --guided, end to end: it is a campaign like any other, with its sums, limits, requirements,
// results file and reports.
#include <set>

#include "analysis/results/result_store.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::StartsWith;

namespace {

const Arguments kSearch{"fuzz", "--swarm", "--guided", "--shrink", "0"};

Ran searched(const Arguments& arguments, int code) {
  Ran ran = run_program(arguments);
  CAPTURE(arguments, ran.out, ran.err);
  CHECK(ran.code == code);
  return ran;
}

}  // namespace

TEST_CASE("fuzz: --guided refuses a scenario for which no faults can be generated") {
  const auto refused = [](const Arguments& arguments) {
    return searched(with({"fuzz", "--guided", "--events", "1"}, arguments), 2).err;
  };
  CHECK_THAT(refused({"scenarios/trace.toml"}), Contains("its load is a trace; take one with"));
  CHECK_THAT(refused({"scenarios/quickstart.toml", "--set", "run.duration=400ms", "--set",
                      "run.warm_up=0s", "--set", "faults.random=[]", "--set", "faults.outage=[]"}),
             Contains("it is too short; give it a run.duration of two seconds at least"));
}

TEST_CASE("fuzz: --guided refuses options that it would ignore") {
  const auto refused = [](const Arguments& arguments) {
    const Ran ran = searched(arguments, 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  const std::string quiet = "scenarios/registry/quiet.toml";
  CHECK_THAT(refused(with(kSearch, {"--tier", "contract"})),
             Contains("--guided does nothing about --tier contract"));
  CHECK_THAT(refused(with(kSearch, {"--oracle", "J-S6"})),
             Contains("--oracle does nothing without --fail-fast"));
  CHECK_THAT(refused({"fuzz", "--guided", quiet, quiet}), Contains("takes one scenario"));
}

TEST_CASE("fuzz: a guided search has the sums, and all of them are stored with --out", "[sweep]") {
  const Folder folder;
  const std::string file = folder.file("results.db");
  const Arguments stored = with(kSearch, {"--seeds", "7..66", "--out", file, "--json"});
  const Ran ran = searched(stored, 0);
  CHECK_THAT(ran.out, Contains("\"runs_planned\":60,\"corpus\":") && Contains("\"features\":") &&
                          Contains("\"runs\":60,\"failed\":0,") && Contains("\"marks\":{\"") &&
                          Contains("\"fault_kinds\":{\"") && Contains("\"obligations\":{\"") &&
                          Contains("\"scenarios\":[{\"file\":\"swarm\",\"runs\":60,"));
  CHECK_THAT(ran.out, !Contains("\"corpus\":0,") && !Contains("\"features\":0,"));
  namespace analysis = photon::analysis;
  const auto rows = [&] {
    auto store = analysis::ResultStore::open(file);
    REQUIRE(store.has_value());
    std::set<std::uint64_t> numbers;
    std::uint64_t events = 0;
    const auto campaigns = store.assume_value().campaigns();
    REQUIRE(campaigns.has_value());
    for (const analysis::StoredCampaign& each : campaigns.assume_value()) {
      const auto read = store.assume_value().read(each.key, [&](const analysis::RunRecord& run) {
        CHECK(numbers.insert(run.seed).second);
        events += run.events;
      });
      CHECK(read.has_value());
    }
    CHECK(numbers.size() == 60);
    CHECK(*numbers.begin() == 7);
    CHECK(*numbers.rbegin() == 66);
    return events;
  };
  CHECK_THAT(ran.out, Contains("\"cost\":{\"events\":" + std::to_string(rows()) + ","));
  // The same search again needs all its runs, and stores none twice.
  const Ran again = searched(stored, 0);
  CHECK(without_clock(again.out) == without_clock(ran.out));
  CHECK_THAT(again.out, Contains("\"runs_done_before\":0,"));
  rows();
  // A search from another seed is another campaign.
  searched(with(kSearch, {"--seeds", "8..9", "--out", file}), 0);
  const auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  const auto campaigns = store.assume_value().campaigns();
  REQUIRE(campaigns.has_value());
  CHECK(campaigns.assume_value().size() == 2);
}

TEST_CASE("fuzz: --min-runs, required coverage and the gate apply to a guided search", "[sweep]") {
  const Ran few = searched(
      with(kSearch, {"--seeds", "1..60", "--events", "1", "--min-runs", "40", "--json"}), 6);
  CHECK_THAT(few.err, Contains("the campaign is incomplete: 1 of 60 runs have ended, at least 40 "
                               "were asked for; give more --time or --events\n"));
  CHECK_THAT(few.out, Contains("\"end\":\"ended early\",\"exit_code\":6,"));
  // Without --min-runs the limit of events requires none.
  searched(with(kSearch, {"--seeds", "1..60", "--events", "1"}), 0);
  CHECK_THAT(searched(with(kSearch, {"--seeds", "1..2", "--require", "BC-19"}), 7).err,
             Contains("never occurred: BC-19"));
  CHECK_THAT(searched(with(kSearch, {"--seeds", "1..2", "--require-marks=common"}), 7).err,
             Contains(" of the required marks; run more seeds"));
  const Arguments tiny{"fuzz",     "scenarios/registry/quiet.toml",
                       "--set",    "run.duration=2s",
                       "--set",    "run.warm_up=0s",
                       "--set",    "workload.registry.rate=1",
                       "-j",       "2",
                       "--guided", "--shrink",
                       "0",        "--seeds",
                       "1..1500"};
  const Ran sound = searched(tiny, 0);
  CHECK(sound.err.empty());
  // Its configurations depend on each other, so no failure rate follows from them.
  CHECK_THAT(sound.out, Contains("guided search: a corpus of ") && !Contains("% confidence"));
  CHECK_THAT(searched(with(tiny, {"--coverage-gate"}), 7).err,
             Contains("this mark was never reached: joiner.") &&
                 Contains(" requirements for 1500 runs are not met; "));
}

TEST_CASE("fuzz: runs of a guided search that --time cuts off are listed", "[sweep]") {
  const Folder folder;
  const std::string endless = folder.write(
      "endless.toml", included("scenarios/healthy.toml") + "[run]\nduration = \"9000000s\"\n");
  const Ran ran = searched({"fuzz", "--guided", endless, "--seeds", "1..9", "--jobs", "2",
                            "--shrink", "0", "--time", "8s", "--min-runs", "1", "--json"},
                           6);
  CHECK_THAT(ran.out, Contains("\"end\":\"ended early\"") && Contains("\"runs\":0,\"failed\":0") &&
                          Contains("\"cut_off\":[\"" + endless + ", configuration 1\",\"" +
                                   endless + ", configuration 2\"]"));
}

TEST_CASE("fuzz: --guided ends in time and reports failures to CI", "[sweep]") {
  const Folder folder;
  const std::string junit = folder.file("junit.xml");
  const std::string repros = folder.file("repros");
  const std::string mute = never_answered(folder);
  const Arguments guided{"fuzz", "--guided", "--shrink", "0",       "--repros",
                         repros, "--junit",  junit,      "--github"};
  const Ran timed =
      searched(with(guided, {"--swarm", "--seeds", "1..900000000", "--time", "8s", "--json"}), 0);
  CHECK_THAT(timed.out, !Contains("\"runs\":0,\"failed\":"));
  CHECK_THAT(text_of(junit), Contains("<testsuite name=\"photonsim fuzz --guided\" tests=\"") &&
                                 Contains("\" failures=\"0\""));
  CHECK_THAT(timed.err, StartsWith("::notice title=photonsim fuzz --guided::"));
  // Most configurations fail like it, with any further faults; they have one cause.
  const Ran failing = searched(with(guided, {mute, "--seeds", "1..48"}), 4);
  const std::string repro = repros + "/guided-1-1.toml";
  CHECK_THAT(text_of(junit), Contains(" tests=\"1\" failures=\"1\"") &&
                                 Contains(" of 48 runs failed\"") &&
                                 Contains(mute + ", configuration 1 (exit code 4; cause: J-P0") &&
                                 Contains("\nphotonsim repro " + repro + "\n"));
  CHECK_THAT(failing.err,
             Contains("::error file=" + repro + ",title=" + mute + "%2C configuration 1::") &&
                 Contains(" runs fail by this cause; the first: ") &&
                 Contains("%0Aphotonsim repro " + repro) &&
                 Contains(" of 48 runs failed. First failure: " + mute + ", configuration 1: ") &&
                 Contains("\nreplay: photonsim repro " + repro + "\n"));
  CHECK_THAT(failing.out, Contains("1 cause of failure\n") && Contains("  J-P0") &&
                              Contains("; the first: " + mute + ", configuration 1\n"));
  // Its file fails by the same cause.
  CHECK_THAT(searched({"repro", repro}, 4).out, Contains("J-P0"));
}

TEST_CASE("fuzz: files that a guided search cannot write are named", "[sweep]") {
  const Folder folder;
  const std::string mute = never_answered(folder);
  const std::string file = folder.write("file", "");
  const std::string repros = folder.file("repros");
  // If the scenario file cannot be written, the message names no command that would replay it.
  const Ran lost =
      searched({"fuzz", "--guided", mute, "--seeds", "1..4", "--repros", file + "/inside"}, 8);
  CHECK_THAT(lost.err, Contains("/inside/guided-1-1.toml: it cannot be written") &&
                           !Contains("photonsim repro") && !Contains("minimized"));
  CHECK_THAT(lost.out, Contains("photonsim fuzz " + mute + " --guided --seeds 1..1 --shrink 0\n") &&
                           !Contains("photonsim repro"));
  CHECK_THAT(
      searched({"fuzz", "--swarm", "--guided", "--seeds", "1..1", "--junit", "/dev/full"}, 8).err,
      Contains("/dev/full"));
  const Ran full = searched({"fuzz", "--guided", mute, "--seeds", "1..4", "--shrink", "1",
                             "--shrink-time", "1us", "--repros", repros, "--junit", "/dev/full"},
                            8);
  CHECK_THAT(full.err, Contains("minimized: no minimized repro") && Contains("/dev/full"));
  CHECK(full.err.find("/dev/full") == full.err.rfind("/dev/full"));  // reported once
}

TEST_CASE("guided: the report is that of a campaign, for any number of processes", "[sweep]") {
  // More than two batches.
  const Arguments arguments = with(kSearch, {"--seeds", "1..110", "--json", "--self-check", "50"});
  const Ran one = searched(with(arguments, {"--jobs", "1"}), 0);
  const Ran three = searched(with(arguments, {"--jobs", "3"}), 0);
  CHECK(without_clock(one.out) == without_clock(three.out));
  CHECK_THAT(one.out, Contains("\"runs\":110,\"failed\":0,") && Contains("\"corpus\":") &&
                          Contains("\"features\":") && Contains("\"end\":\"complete\"") &&
                          Contains("\"fault_kinds\":{\"") && Contains("\"obligations\":{\"") &&
                          Contains("\"figures\":{") && !Contains("\"registry.transactions\":0,") &&
                          Contains("\"diverged\":0}") && !Contains("\"rerun\":0,"));
  // Without feedback the corpus stays empty.
  CHECK_THAT(searched(with(kSearch, {"--seeds", "1..4", "--json", "--no-feedback"}), 0).out,
             Contains("\"corpus\":0,"));
}

TEST_CASE("guided: a run above its limit of kernel events has failed") {
  const Folder folder;
  const Ran ran = searched(with(kSearch, {"--seeds", "1..2", "--most-events", "2000", "--repros",
                                          folder.file("repros")}),
                           8);
  CHECK_THAT(ran.out, Contains("2 runs in ") && Contains("2 FAILED"));
}

}  // namespace photonsim::cli::testing
