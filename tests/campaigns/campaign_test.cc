// What a campaign adds up, whatever the order in which its runs end.
#include "campaigns/campaign.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/corner_cases/corner_case.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using Catch::Contains;

namespace {

using Numbers = std::vector<std::uint64_t>;

Numbers numbers_of(const Summary& summary) {
  Numbers numbers;
  for (const auto& [name, count] : campaign_counts(summary)) numbers.push_back(count);
  return numbers;
}

Numbers of_pipelines() {
  Summary summary;
  summary.generated = 5;
  summary.joined = 4;
  summary.lost = {{"L-crash", 1}};
  return numbers_of(summary);
}

// A registry alone, with BC-01 three times, or not at all.
Numbers of_registry(std::uint64_t first_corner) {
  Summary summary;
  summary.load.operations = 10;
  summary.load.answered = 7;
  summary.load.codes = {{"exists", 7}};
  for (const CornerRow& row : corner_rows()) summary.corner_cases.emplace_back(row.name, 0);
  summary.corner_cases.front().second = first_corner;
  return numbers_of(summary);
}

CampaignRun run_of(std::size_t scenario, std::uint64_t seed, Numbers counts, int exit_code = 0) {
  return {scenario,    seed, std::move(counts), exit_code, exit_code == 0 ? "" : "bad",
          "replay it", {}};
}

}  // namespace

TEST_CASE("campaign: counts that are not those of a run are refused, and change nothing") {
  CampaignSum sum({"a", "b"});
  for (Numbers wrong : {Numbers{1}, Numbers{1, 2, 3},
                        [] {
                          Numbers longer = of_registry(1);
                          longer.push_back(1);
                          return longer;
                        }(),
                        [] {
                          Numbers shorter = of_pipelines();
                          shorter.pop_back();
                          return shorter;
                        }()}) {
    CAPTURE(wrong.size());
    CHECK_FALSE(sum.add(run_of(0, 1, wrong)));
  }
  CHECK_FALSE(sum.add(run_of(2, 1, of_pipelines())));
  CHECK(sum.runs() == 0);
  CHECK(sum.text({}) == CampaignSum({"a", "b"}).text({}));
  CHECK(sum.add(run_of(0, 1, of_pipelines())));
  CHECK(sum.add(run_of(1, 2, of_registry(0))));
  CHECK(sum.add(run_of(1, 3, {}, 70)));  // came to no end
  CHECK(sum.runs() == 3);
  CHECK(sum.failed() == 1);
}

TEST_CASE("campaign: clicks and operations are summed, each where there are some") {
  CampaignSum sum({"a", "b"});
  CHECK(sum.add(run_of(0, 1, of_pipelines())));
  CHECK(sum.add(run_of(0, 2, of_pipelines())));
  CHECK_THAT(sum.text({}), Contains("clicks\n") && Contains("(L-crash 2)") && !Contains("load\n"));
  CHECK(sum.add(run_of(1, 3, of_registry(3))));
  CHECK_THAT(sum.json({}), Contains(R"("generated":10,"joined":8,)") && Contains(R"("lost":2,)") &&
                               Contains(R"("L-crash":2,)") &&
                               Contains(R"("operations":10,"answered":7,)") &&
                               Contains(R"("exists":7,)"));
  CHECK_THAT(sum.text({}), Contains("load\n") && Contains("(exists 7)"));
}

TEST_CASE("J-H4 campaign: corner cases are missing, present, or not counted at all") {
  CampaignSum sum({"a", "b"});
  CHECK(sum.add(run_of(0, 1, of_pipelines())));
  CHECK_FALSE(sum.missing());
  CHECK_THAT(sum.json({}), Contains(R"("corner_cases":null)"));
  CHECK(sum.add(run_of(1, 2, of_registry(0))));
  REQUIRE(sum.missing());
  CHECK(sum.missing()->size() == kCorners);
  CHECK_THAT(sum.text({}), Contains("never occurred") && !Contains("counts when"));
  CHECK(sum.add(run_of(1, 4, of_registry(3))));
  CHECK(sum.add(run_of(1, 6, of_registry(2))));
  REQUIRE(sum.missing());
  CHECK(sum.missing()->size() == kCorners - 1);
  CHECK(std::ranges::count(*sum.missing(), corner_rows().front().name) == 0);
  CHECK_THAT(sum.json({}),
             Contains(R"("runs_that_count_corner_cases":3,"corner_cases":{"BC-01":5,)") &&
                 Contains(R"("runs_with_corner_case":{"BC-01":2,)") &&
                 Contains(R"("never_occurred":["BC-02",)"));
  CHECK_THAT(sum.text({}), Contains("Counted in 3 of the runs.\n") && !Contains("\n  BC-02 "));
}

TEST_CASE("J-H4 campaign: how often each oracle demanded something, and in how many runs") {
  CampaignSum sum({"a"});
  CHECK_THAT(sum.text({}), !Contains("demands"));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CampaignRun run = run_of(0, seed, of_pipelines());
    run.groups["demands"] = {{"J-P3", 0}, {"J-P6", seed == 2 ? 0 : 600 * seed}};
    CHECK(sum.add(std::move(run)));
  }
  CHECK_THAT(sum.text({}), Contains("oracle        in runs           demands\n") &&
                               Contains("  J-P3              0                 0\n") &&
                               Contains("  J-P6              2             2,400\n"));
  CHECK_THAT(sum.json({}), Contains(R"("demands":{"J-P3":{"runs":0,"demands":0},)"
                                    R"("J-P6":{"runs":2,"demands":2400}})"));
}

TEST_CASE("campaign: failures are in order of scenario and seed; the text shows ten of each") {
  CampaignSum up({"a", "b"});
  CampaignSum down({"a", "b"});
  for (std::uint64_t i = 0; i < 26; ++i) {
    const auto run = [](std::uint64_t seed) {
      return run_of(seed % 2, seed, of_pipelines(), seed == 25 ? 3 : 4);
    };
    CHECK(up.add(run(i)));
    CHECK(down.add(run(25 - i)));
  }
  CHECK(up.json({}) == down.json({}));
  CHECK(up.text({}) == down.text({}));
  CHECK(up.failed() == 26);
  REQUIRE(down.first_failure() != nullptr);
  CHECK(down.first_failure()->scenario == 0);
  CHECK(down.first_failure()->seed == 0);
  const std::string text = up.text({});
  CHECK_THAT(text, Contains("a, seed 18 (exit code 4): bad\n      replay it\n") &&
                       !Contains("a, seed 20 ") && Contains("... and 3 more of a;"));
  CHECK_THAT(text, Contains("b, seed 19 ") && !Contains("b, seed 21 ") &&
                       Contains("... and 3 more of b;"));
  CHECK_THAT(up.json({}), Contains(R"({"scenario":"b","seed":25,"exit_code":3,"what":"bad",)"));
}

TEST_CASE(
    "campaign: a table says which kinds of faults struck in which states, and what never did") {
  CampaignSum sum({"a"});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    CampaignRun run = run_of(0, seed, of_pipelines());
    run.groups["states"] = {{"crash|electing", 700}, {"loss|quiet", seed}};
    run.groups["fault_kinds"] = {{"crash", 700}, {"loss", seed}, {"stall", 0}};
    CHECK(sum.add(std::move(run)));
  }
  const std::string text = sum.text({});
  // In the order of the protocols, and what never was stands there as well.
  CHECK_THAT(text, Contains("kind of fault, while            electing  committing    snapshot"));
  CHECK_THAT(text, Contains("  crash                            1,400           0           0"));
  CHECK_THAT(text, Contains("restarting       quiet\n") && Contains("           0           3\n"));
  CHECK_THAT(text, Contains("  stall                                0           0           0"));
  const std::string json = sum.json({});
  CHECK_THAT(json, Contains(R"("states":{"crash|electing":1400,"crash|committing":0,)"));
  CHECK_THAT(json, Contains(R"("loss|quiet":3,)") && Contains(R"("stall|quiet":0})"));
}

TEST_CASE("campaign: the first line says how it ended; without runs there is no other") {
  const CampaignSum none({"a.toml"});
  CampaignFrame frame;
  frame.first_seed = 4;
  frame.last_seed = 9;
  frame.wall_seconds = 2;
  frame.end = CampaignFrame::End::interrupted;
  CHECK(none.text(frame) ==
        "INTERRUPTED after 0 runs of 6 in 2.00 s, none failed (a.toml, seeds 4..9)\n");
  frame.end = CampaignFrame::End::error;
  CHECK_THAT(none.text(frame), Catch::StartsWith("BROKEN OFF after 0 runs of 6,"));
  CHECK_THAT(none.json(frame), Contains(R"("end":"error")") && Contains(R"("runs_planned":6)"));
}

}  // namespace photon::analysis::testing
