#include "analysis/campaign_ci.h"

#include <algorithm>

#include "analysis/verdict.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

CampaignSum with_failures(int count) {
  CampaignSum sum({"swarm"});
  for (int seed = 1; seed <= count + 2; ++seed) {
    CampaignRun run;
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
  const std::string text = junit(with_failures(2), {});
  CHECK_THAT(text, Catch::Contains("tests=\"3\" failures=\"2\"") &&
                       Catch::Contains("2 runs without a failure") &&
                       Catch::Contains("a &lt; b, 50% &quot;lost&quot;"));
  CHECK(text.find("a < b") == std::string::npos);
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
  CHECK(github_annotations(with_failures(0)).empty());
  const std::string text = github_annotations(with_failures(12));
  CHECK(std::ranges::count(text, '\n') == 11);
  CHECK_THAT(text, Catch::StartsWith("::error title=swarm%2C seed 12::a < b, 50%25") &&
                       Catch::Contains("%0Asecond line") && Catch::Contains("and 2 more failures"));
}

}  // namespace photon::analysis
