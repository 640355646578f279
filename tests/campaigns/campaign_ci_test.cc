#include "campaigns/campaign_ci.h"

#include <algorithm>

#include "analysis/reports/verdict.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {

using namespace photon;
using namespace photon::analysis;
namespace {

CampaignSum with_failures(int count) {
  CampaignSum sum({"swarm"});
  for (int seed = 1; seed <= count + 2; ++seed) {
    RunRecord run;
    run.seed = static_cast<std::uint64_t>(seed);
    if (seed <= count) {
      run.exit_code = seed == count ? 3 : 4;
      run.what = "a < b, 50% \"lost\"\nsecond line";
      run.replay = "photonsim repro --swarm --seed " + std::to_string(seed);
    }
    REQUIRE(sum.add(std::move(run)));
  }
  return sum;
}

}  // namespace

TEST_CASE("JUnit: a case for each scenario with its time, and nothing that breaks XML") {
  CampaignSum sum({"a.toml", "b.toml"});
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RunRecord run;
    run.scenario = seed % 2 == 0 ? 1 : 0;
    run.seed = seed;
    run.cpu_microseconds = 250'000;
    if (seed == 4) run.exit_code = 4;
    if (seed == 6) run.exit_code = 3;
    if (run.exit_code != 0) {
      run.what = "a < b, 50% \"lost\"\nsecond line";
      run.replay = "photonsim repro b.toml --seed " + std::to_string(seed);
    }
    REQUIRE(sum.add(std::move(run)));
  }
  CampaignFrame frame;
  frame.wall_seconds = 1.5;
  frame.first_seed = 1;
  frame.last_seed = 10;
  const std::string text = junit(ci_report(sum, {}, frame));
  CHECK_THAT(text,
             Catch::Contains("tests=\"2\" failures=\"1\" errors=\"0\" time=\"1.500\"") &&
                 Catch::Contains("name=\"a.toml\" time=\"0.750\"/>") &&
                 Catch::Contains("name=\"b.toml\" time=\"0.750\">\n    <failure type=\"exit "
                                 "code 3\" message=\"2 of 3 runs failed\">") &&
                 Catch::Contains("b.toml, seed 4 (exit code 4; cause: ") &&
                 Catch::Contains("photonsim repro b.toml --seed 6") &&
                 Catch::Contains("<property name=\"runs that did not take place\" value=\"4\"/>") &&
                 Catch::Contains("a &lt; b, 50% &quot;lost&quot;"));
  CHECK(text.find("a < b") == std::string::npos);
  // Annotations name the scenario.
  CHECK_THAT(github_annotations(ci_report(sum, {}, frame)),
             Catch::Contains("::error file=b.toml,title=b.toml%2C seed 6::"));
}

TEST_CASE("JUnit: generated configurations are grouped by their tier") {
  CampaignSum sum({"swarm"});
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RunRecord run;
    run.seed = seed;
    run.tier = seed == 3 ? RunTier::over : RunTier::within;
    REQUIRE(sum.add(std::move(run)));
  }
  CHECK_THAT(junit(ci_report(sum, {}, {})), Catch::Contains("tests=\"2\" failures=\"0\"") &&
                                                Catch::Contains("name=\"swarm\" time=") &&
                                                Catch::Contains("name=\"swarm, tier over\" time="));
}

TEST_CASE("CI: a minimized failure names the file") {
  CampaignFrame frame;
  frame.repros[{0, 2}] = "out/swarm-2.toml";
  const CiReport report = ci_report(with_failures(2), {}, frame);
  CHECK_THAT(junit(report),
             Catch::Contains("photonsim repro --swarm --seed 1") &&
                 Catch::Contains("photonsim repro --swarm --seed 2\nminimized: out/swarm-2.toml"));
  CHECK_THAT(github_annotations(report),
             Catch::Contains("--seed 1\n") &&
                 Catch::Contains("::error file=out/swarm-2.toml,title=swarm%2C seed 2::") &&
                 Catch::Contains("--seed 2%0Aminimized: out/swarm-2.toml\n"));
  const std::string json = with_failures(2).json(frame);
  CHECK_THAT(json, Catch::Contains("--seed 1\",\"repro\":null}") &&
                       Catch::Contains("--seed 2\",\"repro\":\"out/swarm-2.toml\"}"));
}

TEST_CASE("JUnit: bytes that are not UTF-8 are replaced; a scenario given twice has two names") {
  CampaignSum sum({"a.toml", "a.toml"});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    RunRecord run;
    run.scenario = static_cast<std::uint32_t>(seed - 1);
    run.seed = seed;
    run.exit_code = 3;
    run.what = "caf\xc3\xa9 \xff\xc3 <\x1b>";
    REQUIRE(sum.add(std::move(run)));
  }
  CHECK_THAT(junit(ci_report(sum, {}, {})), Catch::Contains("name=\"a.toml\" time=") &&
                                                Catch::Contains("name=\"a.toml (2)\" time=") &&
                                                Catch::Contains("caf\xc3\xa9 ?? &lt;?&gt;"));
}

TEST_CASE("CI: every annotation names a file") {
  const auto files = [](const std::string& scenario, const std::string& site) {
    CampaignSum sum({scenario});
    RunRecord run;
    run.exit_code = 70;
    run.check_site = site;
    REQUIRE(sum.add(std::move(run)));
    CiFailure of_all{"--min-runs", 6, "incomplete"};
    CiFailure mark{"--require-mark", 7, "never reached"};
    mark.file = "core_impl/paxos/replica.cc";
    return github_annotations(ci_report(sum, {of_all, mark}, {}));
  };
  CHECK_THAT(files("a.toml", ""), Catch::Contains("::error file=a.toml,title=a.toml%2C seed") &&
                                      Catch::Contains("::error file=a.toml,title=--min-runs::"));
  CHECK_THAT(files("swarm", "sim/kernel.cc:12"),
             Catch::Contains("::error file=sim/kernel.cc,title=swarm%2C seed") &&
                 Catch::Contains("::error file=campaigns/swarm/swarm.cc,title=--min-runs::") &&
                 Catch::Contains("::error file=core_impl/paxos/replica.cc,title=--require-mark::"));
}

TEST_CASE("JUnit: the case of a scenario has the same name whatever fails") {
  for (const int failures : {0, 1, 7}) {
    CHECK_THAT(junit(ci_report(with_failures(failures), {}, {})),
               Catch::Contains("name=\"swarm\" time=") && Catch::Contains("tests=\"1\"") &&
                   Catch::Contains("<property name=\"runs without a failure\" value=\"2\"/>"));
  }
}

TEST_CASE("DESIGN-7 verdicts: each has a name and a rank, the worst first") {
  std::vector<std::string_view> names;
  for (const int code : {70, 5, 3, 4, 8, 7, 0}) {
    CHECK(rank_of(code) == names.size());
    names.push_back(verdict_name(code));
  }
  CHECK(names == std::vector<std::string_view>{"check failed", "not deterministic", "safety",
                                               "liveness", "over a limit", "shortfall", "ok"});
  // Exit codes of the program only.
  for (const int code : {2, 6, 130}) {
    CHECK(rank_of(code) == names.size());
    CHECK(verdict_name(code) == "other");
  }
}

TEST_CASE(
    "annotations: the worst first, at most ten, each on one line, then the number of others") {
  const std::string sound = github_annotations(ci_report(with_failures(0), {}, {}));
  CHECK(
      sound ==
      "::notice title=photonsim fuzz::2 runs, 2 without a failure; 0 rerun, 0 of them diverged\n");
  // One line for each cause, not for each run.
  const std::string alike = github_annotations(ci_report(with_failures(11), {}, {}));
  CHECK(std::ranges::count(alike, '\n') == 3);
  CHECK_THAT(alike,
             Catch::StartsWith(
                 "::error file=campaigns/swarm/swarm.cc,title=swarm%2C seed 11::a < b, 50%25") &&
                 Catch::Contains("::error file=campaigns/swarm/swarm.cc,title=swarm%2C seed 1::10 "
                                 "runs fail by this cause; the "
                                 "first: a < b, 50%25"));
  CampaignSum many({"swarm"});
  const std::string letters = "abcdefghijkl";
  for (std::uint64_t seed = 1; seed <= letters.size(); ++seed) {
    RunRecord run;
    run.seed = seed;
    run.exit_code = seed == letters.size() ? 3 : 4;
    OracleFindings finding;
    finding.oracle = "J-P0";
    finding.count = 1;
    finding.first_message = std::string(seed, letters[seed - 1]) + "\nsecond line";
    run.what = finding.first_message;
    run.findings = {finding};
    REQUIRE(many.add(std::move(run)));
  }
  const std::string text = github_annotations(ci_report(many, {}, {}));
  CHECK(std::ranges::count(text, '\n') == 12);
  CHECK_THAT(text,
             Catch::StartsWith("::error file=campaigns/swarm/swarm.cc,title=swarm%2C seed 12::l") &&
                 Catch::Contains("%0Asecond line") && Catch::Contains("and 2 more failures"));
}

TEST_CASE("CI: an unmet requirement on all runs is a failure like those of runs") {
  const std::vector<CiFailure> obligations{
      {"coverage: mark a.b", 7, "this mark was never reached: a.b", "mend the swarm"}};
  const CiReport none = ci_report(with_failures(0), obligations, {});
  CHECK_THAT(junit(none), Catch::Contains("tests=\"2\" failures=\"1\"") &&
                              Catch::Contains("name=\"swarm\" time=") &&
                              Catch::Contains("name=\"coverage: mark a.b\">\n    <failure type="
                                              "\"exit code 7\" message=\"this mark was never "
                                              "reached: a.b\">mend the swarm</failure>"));
  CHECK_THAT(github_annotations(none),
             Catch::StartsWith("::error file=campaigns/swarm/swarm.cc,title=coverage%3A mark "
                               "a.b::this mark was never reached: "
                               "a.b%0Amend the swarm\n"));
  // Worse failures come first.
  const std::string both = github_annotations(ci_report(with_failures(1), obligations, {}));
  CHECK(both.find("seed 1::") < both.find("coverage%3A"));
}

TEST_CASE("CI: reports the number of reruns, and of those that diverged") {
  CampaignSum sum({"swarm"});
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    RunRecord run;
    run.seed = seed;
    if (seed <= 3) run.determinism = seed == 2 ? Determinism::diverged : Determinism::same;
    run.exit_code = seed == 2 ? 5 : 0;
    REQUIRE(sum.add(std::move(run)));
  }
  const CiReport report = ci_report(sum, {}, {});
  CHECK(report.determinism.same == 2);
  CHECK(report.determinism.diverged == 1);
  CHECK_THAT(junit(report),
             Catch::Contains("<property name=\"runs rerun\" value=\"3\"/>") &&
                 Catch::Contains("<property name=\"of them diverged\" value=\"1\"/>"));
  CHECK_THAT(github_annotations(report),
             Catch::Contains("5 runs, 4 without a failure; 3 rerun, 1 of them diverged"));
}

}  // namespace photonsim::campaigns
