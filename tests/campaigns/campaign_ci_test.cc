#include "campaigns/campaign_ci.h"

#include <algorithm>

#include "analysis/reports/verdict.h"
#include "tests/support/catch.h"

namespace photon::analysis {
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

TEST_CASE("JUnit: a case for each failure, one for the rest, and nothing that breaks XML") {
  CampaignFrame frame;
  frame.wall_seconds = 1.5;
  const std::string text = junit(ci_report(with_failures(2), {}, frame));
  CHECK_THAT(text, Catch::Contains("tests=\"3\" failures=\"2\" errors=\"0\" time=\"1.500\"") &&
                       Catch::Contains("name=\"runs without a failure\"") &&
                       Catch::Contains("a &lt; b, 50% &quot;lost&quot;"));
  CHECK(text.find("a < b") == std::string::npos);
}

TEST_CASE("CI: a failure that was made small names the file") {
  CampaignFrame frame;
  frame.stories[{0, 2}] = "out/swarm-2.toml";
  const CiReport report = ci_report(with_failures(2), {}, frame);
  CHECK_THAT(junit(report),
             Catch::Contains(">photonsim repro --swarm --seed 1</failure>") &&
                 Catch::Contains(
                     ">photonsim repro --swarm --seed 2\nmade small: out/swarm-2.toml</failure>"));
  CHECK_THAT(github_annotations(report),
             Catch::Contains("--seed 1\n") &&
                 Catch::Contains("--seed 2%0Amade small: out/swarm-2.toml\n"));
  const std::string json = with_failures(2).json(frame);
  CHECK_THAT(json, Catch::Contains("--seed 1\",\"story\":null}") &&
                       Catch::Contains("--seed 2\",\"story\":\"out/swarm-2.toml\"}"));
}

TEST_CASE("JUnit: the case of the runs that did not fail has the same name whatever their number") {
  for (const int failures : {0, 1, 7}) {
    CHECK_THAT(junit(ci_report(with_failures(failures), {}, {})),
               Catch::Contains("name=\"runs without a failure\"/>") &&
                   Catch::Contains("<property name=\"runs without a failure\" value=\"2\"/>"));
  }
}

TEST_CASE("DESIGN-7 verdicts: each has a name, and a rank by how bad it is") {
  std::vector<std::string_view> names;
  for (const int code : {70, 5, 3, 4, 7, 0}) {
    CHECK(rank_of(code) == names.size());
    names.push_back(verdict_name(code));
  }
  CHECK(names == std::vector<std::string_view>{"check failed", "not deterministic", "safety",
                                               "liveness", "shortfall", "ok"});
  // Of the program, and of no run.
  for (const int code : {2, 8, 130}) {
    CHECK(rank_of(code) == names.size());
    CHECK(verdict_name(code) == "other");
  }
}

TEST_CASE("annotations: the worst first, at most ten, each on one line, and how many more") {
  const std::string sound = github_annotations(ci_report(with_failures(0), {}, {}));
  CHECK(sound ==
        "::notice title=photonsim fuzz::2 runs, 2 without a failure; 0 done twice, 0 of them not "
        "the same\n");
  CHECK_THAT(github_annotations(ci_report(with_failures(11), {}, {})),
             Catch::Contains("and 1 more failure\n"));
  const std::string text = github_annotations(ci_report(with_failures(12), {}, {}));
  CHECK(std::ranges::count(text, '\n') == 12);
  CHECK_THAT(text, Catch::StartsWith("::error title=swarm%2C seed 12::a < b, 50%25") &&
                       Catch::Contains("%0Asecond line") && Catch::Contains("and 2 more failures"));
}

TEST_CASE("CI: what all runs together fell short of is a failure like those of runs") {
  const std::vector<CiFailure> demands{
      {"coverage: mark a.b", 7, "this mark was never reached: a.b", "mend the swarm"}};
  const CiReport none = ci_report(with_failures(0), demands, {});
  CHECK_THAT(junit(none), Catch::Contains("tests=\"2\" failures=\"1\"") &&
                              Catch::Contains("name=\"runs without a failure\"") &&
                              Catch::Contains("name=\"coverage: mark a.b\">\n    <failure type="
                                              "\"exit code 7\" message=\"this mark was never "
                                              "reached: a.b\">mend the swarm</failure>"));
  CHECK_THAT(github_annotations(none),
             Catch::StartsWith("::error title=coverage%3A mark a.b::this mark was never reached: "
                               "a.b%0Amend the swarm\n"));
  // Behind what is worse.
  const std::string both = github_annotations(ci_report(with_failures(1), demands, {}));
  CHECK(both.find("seed 1::") < both.find("coverage%3A"));
}

TEST_CASE("CI: how many runs were done twice, and how many of them were not the same") {
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
             Catch::Contains("<property name=\"runs done twice\" value=\"3\"/>") &&
                 Catch::Contains("<property name=\"of them not the same\" value=\"1\"/>"));
  CHECK_THAT(github_annotations(report),
             Catch::Contains("5 runs, 4 without a failure; 3 done twice, 1 of them not the same"));
}

}  // namespace photon::analysis
