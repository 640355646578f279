// The commands fuzz, repro and swarm, end to end: few seeds, every option.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <set>

#include "analysis/results/result_store.h"
#include "campaigns/runs/clocks.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

namespace {

// A run of it takes less than a millisecond.
const Arguments kTiny{
    "fuzz",  "scenarios/registry/quiet.toml", "--set", "run.duration=1s", "--set", "run.warm_up=0s",
    "--set", "workload.registry.rate=1"};

std::string fingerprint_in(const std::string& json) {
  static const std::regex member(R"re("fingerprint":"([0-9a-f]{16})")re");
  std::smatch found;
  return std::regex_search(json, found, member) ? found[1].str() : std::string();
}

Ran expect(const Arguments& arguments, int code) {
  Ran ran = run_program(arguments);
  CAPTURE(arguments, ran.out, ran.err);
  CHECK(ran.code == code);
  return ran;
}

}  // namespace

TEST_CASE("fuzz: generated configurations; the report does not depend on the number of processes",
          "[sweep]") {
  const Arguments generated{"fuzz", "--swarm", "--seeds", "3..14", "--self-check", "100"};
  const Ran text = expect(generated, 0);
  CHECK(text.err.empty());
  CHECK_THAT(text.out,
             StartsWith("12 runs in ") && Contains(", none failed (swarm, seeds 3..14)\n") &&
                 Contains("\nkind of fault ") && Contains("\nmarks of the code\n") &&
                 EndsWith("No failure in 12 runs: of runs generated like these, fewer than "
                          "one in 4 fail, with 95 % confidence.\n"));
  const Ran json = expect(with(generated, {"--json"}), 0);
  CHECK(without_clock(json.out) ==
        without_clock(expect(with(generated, {"--json", "-j", "3"}), 0).out));
  CHECK_THAT(
      json.out,
      StartsWith("{\"seeds\":{\"first\":3,\"last\":14},\"overrides\":[],") &&
          Contains("\"end\":\"complete\",\"exit_code\":0,") &&
          Contains(
              "\"runs_planned\":12,\"runs\":12,\"failed\":0,\"not_stationary\":0,\"scenarios\":[{"
              "\"file\":\"swarm\",\"runs\":12,\"failed\":0}]") &&
          Contains("\"fault_kinds\":{\"") && Contains("\"marks\":{\"") &&
          Contains("\"corner_cases\":{\"BC-01\":") && Contains("\"cost\":{\"events\":") &&
          Contains(
              "\"determinism\":{\"rerun\":12,\"diverged\":0},\"missed_gates\":[],\"cut_off\":[],"
              "\"died_before\":[],") &&
          EndsWith("\"failures\":[],\"causes\":[]}\n"));
}

TEST_CASE("fuzz: wrong options, and options without effect, are refused") {
  const auto refusal = [](const Arguments& arguments) {
    const Ran ran = expect(arguments, 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  const std::string quiet = "scenarios/registry/quiet.toml";
  CHECK_THAT(refusal({"fuzz"}), Contains("needs scenario files, or --swarm"));
  CHECK_THAT(refusal({"fuzz", "--swarm", quiet}),
             Contains("--swarm generates the configurations: give no "));
  CHECK_THAT(refusal({"fuzz", "--swarm", "--set", "run.seed=3"}),
             Contains("--swarm generates the configurations: give no --set"));
  CHECK_THAT(refusal({"fuzz", quiet, "--tier", "over"}), Contains("--tier requires --swarm"));
  CHECK_THAT(refusal({"fuzz", quiet, "--profile", "deep"}), Contains("--profile requires --swarm"));
  CHECK_THAT(refusal({"fuzz", "--swarm", "--tier", "beyond"}),
             Contains("--tier: 'beyond' is no tier; one of within, over, contract"));
  CHECK_THAT(refusal({"fuzz", quiet, "--self-check", "101"}), Contains("--self-check"));
  for (const char* time : {"0s", "-1s", "soon"}) {
    CHECK_THAT(refusal({"fuzz", quiet, std::string("--time=") + time}), Contains("--time"));
  }
  CHECK_THAT(refusal({"fuzz", quiet, "--jobs", "0"}), Contains("--jobs"));
  CHECK_THAT(refusal({"fuzz", quiet, "--most-events", "9"}), Contains("requires --swarm"));
  for (const char* size : {"none", "4"}) {
    CHECK_THAT(refusal({"fuzz", quiet, "--memory", size}), Contains("is no size; write 4GiB"));
  }
  CHECK_THAT(refusal({"fuzz", quiet, "--memory", "20MiB"}),
             Contains("'20MiB' is too small; the minimum is 64MiB"));
  CHECK_THAT(refusal({"campaign", quiet}), Contains("no command 'campaign'"));
  CHECK_THAT(refusal({"fuzz", quiet, "--min-runs", "500"}),
             Contains("--min-runs 500: the campaign has only 100 runs"));
  CHECK_THAT(refusal({"fuzz", "--swarm", "--guided", "--fail-fast", "--oracle", "J-S66"}),
             Contains("no such oracle; did you mean J-S6? they are J-S1, "));
}

TEST_CASE("fuzz: --fail-fast and --time start no more runs, and the report states it") {
  const Folder folder;
  const Ran fast = expect({"fuzz", never_answered(folder), "--seeds", "1..5000", "--fail-fast",
                           "--shrink", "0", "--json"},
                          4);
  CHECK_THAT(fast.out, Contains("\"end\":\"ended early\",\"exit_code\":4,"));
  CHECK_THAT(fast.out, !Contains("\"runs\":5000,") && !Contains("\"failed\":0,"));
  const Ran timed = expect(with(kTiny, {"--seeds", "1..900000000", "--time", "8s"}), 0);
  CHECK_THAT(timed.out,
             Contains(" runs of 900,000,000 in ") && Contains(", ended early, none failed ("));
}

TEST_CASE("fuzz: it ends within ten seconds of --time, and a run that is cut off is run again",
          "[sweep]") {
  const Folder folder;
  const std::string endless = folder.write(
      "endless.toml", included("scenarios/healthy.toml") + "[run]\nduration = \"9000000s\"\n");
  const std::string file = folder.file("results.db");
  const Arguments campaign{"fuzz", kTiny[1],   endless, "--seeds", "1..4", "--out",
                           file,   "--shrink", "0",     "--jobs",  "2",    "--json"};
  const auto began = campaigns::WallClock::now();
  const Ran ran = expect(with(campaign, {"--time", "8s"}), 7);           // a scenario was never run
  CHECK(campaigns::WallClock::now() - began < std::chrono::minutes(2));  // not hours
  CHECK_THAT(ran.out,
             Contains("\"end\":\"ended early\"") && Contains("\"runs\":2,\"failed\":0") &&
                 Contains("\"cut_off\":[\"" + endless + ", seed 2\",\"" + endless + ", seed 4\"]"));
  // They are in no results file; if they are required, their absence is a failure.
  const Ran missing = expect(with(campaign, {"--time", "1ns", "--min-runs", "3"}), 6);
  CHECK_THAT(missing.err, Contains("of 4 runs it has 2 already") &&
                              Contains("incomplete: 2 of 4 runs have ended, at least 3 were asked "
                                       "for; the same command does the rest"));
}

TEST_CASE("fuzz: --junit and --github name each failure, its reason and its replay", "[sweep]") {
  const Folder folder;
  const std::string mute = never_answered(folder);
  const std::string junit = folder.file("new/junit.xml");
  const Arguments arguments{"fuzz",    mute,      "scenarios/registry/quiet.toml",
                            "--seeds", "1..23",   "--shrink",
                            "0",       "--junit", junit,
                            "--github"};
  const Ran ran = expect(arguments, 4);
  const std::string xml = text_of(junit);
  CHECK_THAT(xml, StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "
                             "name=\"photonsim fuzz\" tests=\"2\" failures=\"1\" errors=\"0\"") &&
                      Contains("name=\"scenarios/registry/quiet.toml\" time=\"") &&
                      Contains("name=\"" + mute + "\" time=\"") &&
                      Contains("message=\"12 of 12 runs failed\"") &&
                      Contains("<failure type=\"exit code 4\"") &&
                      Contains(mute + ", seed 23 (exit code 4; cause: J-P0") &&
                      Contains("\nphotonsim repro " + mute + " --seed 23") &&
                      EndsWith("</testsuite>\n"));
  CHECK_THAT(ran.err, Contains("::error file=" + mute + ",title=" + mute + "%2C seed 1::") &&
                          Contains(" runs fail by this cause; the first: "));
  CHECK_THAT(ran.out, Contains(" of failure\n") && Contains("  J-P0") &&
                          Contains("; the first: " + mute + ", seed 1\n"));
  const Ran sound = expect(with(kTiny, {"--seeds", "1..2", "--junit", junit, "--github"}), 0);
  CHECK_THAT(text_of(junit), Contains("tests=\"1\" failures=\"0\""));
  CHECK(
      sound.err ==
      "::notice title=photonsim fuzz::2 runs, 2 without a failure; 0 rerun, 0 of them diverged\n");
  CHECK_THAT(expect(with(kTiny, {"--seeds", "1..2", "--junit", "/dev/full"}), 8).err,
             Contains("/dev/full"));
  // A file that cannot be written is refused before the first run.
  const Ran none = expect(with(kTiny, {"--seeds", "1..2", "--junit", junit + "/inside.xml"}), 8);
  CHECK_THAT(none.err, Contains(junit + "/inside.xml"));
  CHECK(none.out.empty());
}

TEST_CASE("fuzz: --junit and --github report unmet requirements and reruns", "[sweep]") {
  const Folder folder;
  const std::string junit = folder.file("junit.xml");
  const auto reported = [&](const Arguments& required) {
    return expect(with(with(kTiny, {"--seeds", "1..1500", "-j", "2", "--self-check", "1", "--junit",
                                    junit, "--github"}),
                       required),
                  7);
  };
  const std::string mark = "coverage: mark joiner.request.copy";
  const Ran gate = reported({"--coverage-gate"});
  std::string xml = text_of(junit);
  CHECK_THAT(xml, Contains("<property name=\"runs without a failure\" value=\"1500\"/>") &&
                      Contains("name=\"" + mark + "\">\n    <failure type=\"exit code 7\"") &&
                      Contains("message=\"this mark was never reached: joiner.request.copy ") &&
                      Contains("--no-coverage-gate lets it pass</failure>") &&
                      Contains("<property name=\"of them diverged\" value=\"0\"/>") &&
                      !Contains("<property name=\"runs rerun\" value=\"0\"/>"));
  CHECK_THAT(gate.err, Contains("::error file=core_impl/") &&
                           Contains(",title=coverage%3A mark ") && Contains(" more failures\n") &&
                           Contains("::notice title=photonsim fuzz::1,500 runs, 1,500 without a"));
  reported({"--require", "BC-19"});
  xml = text_of(junit);
  CHECK_THAT(xml,
             Contains("name=\"--require BC-19\"") &&
                 Contains("message=\"this corner case never occurred: BC-19\">run more seeds"));
  reported({"--require-marks=common"});
  CHECK_THAT(text_of(junit), Contains("name=\"--require-marks joiner.request.copy\""));
}

TEST_CASE("DESIGN-6 fuzz: the coverage gate applies to generated runs, or on request", "[sweep]") {
  const Arguments many = with(kTiny, {"--seeds", "1..1500", "-j", "2", "--self-check", "0"});
  CHECK(expect(many, 0).err.empty());
  const Ran ran = expect(with(many, {"--coverage-gate"}), 7);
  CHECK_THAT(ran.err, Contains("  this mark was never reached: joiner.request.copy ") &&
                          Contains(" requirements for 1500 runs are not met; "
                                   "--no-coverage-gate lets it pass\n"));
  CHECK(expect(with(many, {"--no-coverage-gate"}), 0).err.empty());
  // Too few runs for any requirement.
  CHECK(expect({"fuzz", "--swarm", "--seeds", "1..2", "--coverage-gate"}, 0).err.empty());
}

TEST_CASE("fuzz: corner cases and marks can be required of generated configurations too") {
  const Arguments generated{"fuzz", "--swarm", "--seeds", "1..3"};
  const Ran corner = expect(with(generated, {"--require", "BC-19"}), 7);
  CHECK(corner.err ==
        "photonsim: error: never occurred: BC-19; run more seeds, or scenarios that show them\n");
  CHECK_THAT(expect(with(generated, {"--require-marks=common"}), 7).err,
             Contains(" of the required marks; run more seeds"));
}

TEST_CASE("repro: replays a run of fuzz; swarm prints its scenario", "[sweep]") {
  const Folder folder;
  namespace analysis = photon::analysis;
  for (const Arguments& options :
       {Arguments{}, Arguments{"--tier", "over"}, Arguments{"--tier", "contract"}}) {
    CAPTURE(options);
    const std::string file = folder.file("results" + std::to_string(options.size()) +
                                         (options.empty() ? "" : options.back()));
    expect(with({"fuzz", "--swarm", "--seeds", "7..9", "--out", file}, options), 0);
    auto store = analysis::ResultStore::open(file);
    REQUIRE(store.has_value());
    const auto campaigns = store.assume_value().campaigns();
    REQUIRE(campaigns.has_value());
    REQUIRE(campaigns.assume_value().size() == 1);
    std::set<std::string> fingerprints;
    const auto read = store.assume_value().read(
        campaigns.assume_value().front().key, [&](const analysis::RunRecord& run) {
          const Arguments seed{"--seed", std::to_string(run.seed)};
          const Ran again = expect(with(with({"repro", "--swarm", "--json"}, seed), options), 0);
          CHECK(fingerprint_in(again.out) == run.fingerprint);
          const Ran printed = expect(with(with({"swarm"}, seed), options), 0);
          const std::string scenario = folder.write("printed.toml", printed.out);
          CHECK(expect({"check", scenario}, 0).out == printed.out);
          const Ran same = expect({"run", scenario, "--json"}, 0);
          CHECK(without_measurements(same.out) == without_measurements(again.out));
          fingerprints.insert(run.fingerprint);
        });
    CHECK(read.has_value());
    CHECK(fingerprints.size() == 3);
  }
}

TEST_CASE("repro: writes the trace of the run; without a scenario or --swarm it is refused") {
  const Folder folder;
  const std::string trace = folder.file("trace");
  const Ran ran = expect({"repro", "--swarm", "--seed", "4", "--trace", trace, "--json"}, 0);
  const Ran judged = expect({"judge", trace, "--json"}, 0);
  CHECK(fingerprint_in(judged.out) == fingerprint_in(ran.out));
  CHECK_THAT(expect({"repro"}, 2).err, Contains("needs a scenario file, or --swarm"));
  const std::string quiet = "scenarios/registry/quiet.toml";
  CHECK_THAT(expect({"repro", "--swarm", "--set", "run.seed=4"}, 2).err,
             Contains("--swarm generates the configurations: give no "));
  CHECK_THAT(expect({"repro", quiet, "--swarm"}, 2).err,
             Contains("--swarm generates the configurations: give no "));
  CHECK_THAT(expect({"repro", quiet, "--tier", "over"}, 2).err,
             Contains("--tier requires --swarm"));
  CHECK_THAT(expect({"repro", "--swarm", "--seed", "-1"}, 2).err, Contains("not a seed"));
  CHECK_THAT(expect({"repro", folder.file("none.toml")}, 2).err, Contains("none.toml"));
}

TEST_CASE("repro: a scenario with overrides and seed, as the replay line of a failed run states") {
  const Folder folder;
  const Arguments run{never_answered(folder), "--set", "workload.registry.rate=4", "--seed", "8"};
  const Ran once = expect(with({"run", "--json"}, run), 4);
  const Ran again = expect(with({"repro", "--json"}, run), 4);
  CHECK(without_measurements(again.out) == without_measurements(once.out));
  CHECK_THAT(once.err, EndsWith("replay: photonsim repro " + run.front() +
                                " --set workload.registry.rate=4 --seed 8\n"));
  // A run whose rerun is identical keeps its verdict.
  const Ran twice = expect(with({"repro", "--twice", "--json"}, run), 4);
  CHECK(without_measurements(twice.out) == without_measurements(once.out));
  CHECK_THAT(twice.err, !Contains("diverged") && EndsWith(" --seed 8 --twice\n"));
  expect({"repro", "--swarm", "--seed", "3", "--twice"}, 0);
}

TEST_CASE("fuzz: a run above its limit of kernel events has failed, and repro replays it") {
  const Arguments limited{"--swarm", "--most-events", "2000"};
  const Ran ran =
      expect(with({"fuzz", "--seeds", "4..5", "--self-check", "100", "--shrink", "0"}, limited), 8);
  CHECK_THAT(ran.out, Contains("2 runs in ") && Contains("2 FAILED") &&
                          Contains("run.most_events: the run was given up (it took more kernel "
                                   "events than it may): 2001 until ") &&
                          Contains("--most-events 20010; otherwise") &&
                          Contains("photonsim repro --swarm --seed 5 --most-events 2000\n"));
  const Ran again = expect(with({"repro", "--seed", "5"}, limited), 8);
  CHECK_THAT(again.err, Contains("more kernel events than it may): 2001 until "));
  const Folder folder;
  const std::string results = folder.file("results.db");
  const Ran unkept = expect({"run", kTiny[1], "--set", "run.most_events=10", "--out", results}, 8);
  CHECK_THAT(unkept.err, Contains("--out " + results + ": the run did not end, so nothing"));
  CHECK_THAT(expect(with({"swarm", "--seed", "5"}, {"--most-events", "2000"}), 0).out,
             Contains("\nmost_events = 2000\n"));
}

TEST_CASE("swarm: a configuration depends on seed, profile and tier only") {
  const auto printed = [](const Arguments& options) {
    return expect(with({"swarm"}, options), 0).out;
  };
  const std::string first = printed({"--seed", "5"});
  CHECK(printed({"--seed", "5"}) == first);
  CHECK(printed({"--seed", "5", "--profile", "fast"}) == first);
  const std::set<std::string> others{first, printed({}),
                                     printed({"--seed", "5", "--profile", "deep"}),
                                     printed({"--seed", "5", "--tier", "contract"})};
  CHECK(others.size() == 4);
  CHECK_THAT(printed({"--tier", "contract"}), Contains("\ntier = \"contract\"\n"));
  CHECK_THAT(expect({"swarm", "--seed", "five"}, 2).err, Contains("not a seed"));
  CHECK(run_program({"swarm"}, "/dev/full").code == 8);
}

}  // namespace photonsim::cli::testing
