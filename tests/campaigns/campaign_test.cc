// What a campaign adds up, independent of the order in which its runs end.
#include "campaigns/campaign.h"

#include <algorithm>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "analysis/corner_cases/corner_case.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {

using namespace photon;
using namespace photon::analysis;

using Catch::Contains;

namespace {

RunRecord of_pipelines() {
  Summary summary;
  summary.generated = 5;
  summary.joined = 4;
  summary.lost = {{"L-crash", 1}};
  return run_record_of(summary, {});
}

// A registry alone, with BC-01 three times, or not at all.
RunRecord of_registry(std::uint64_t first_corner) {
  Summary summary;
  summary.load.operations = 10;
  summary.load.answered = 7;
  summary.load.codes = {{"exists", 7}};
  for (const CornerRow& row : corner_rows()) summary.corner_cases.emplace_back(row.name, 0);
  summary.corner_cases.front().second = first_corner;
  return run_record_of(summary, {});
}

RunRecord run_of(std::uint32_t scenario, std::uint64_t seed, RunRecord run, int exit_code = 0) {
  run.scenario = scenario;
  run.seed = seed;
  run.exit_code = exit_code;
  run.what = exit_code == 0 ? "" : "bad";
  run.replay = "replay it";
  return run;
}

}  // namespace

TEST_CASE("campaign: records that do not fit the others are refused, and change nothing") {
  CampaignSum sum({"a", "b"});
  RunRecord fewer = of_registry(1);
  fewer.corner_cases.pop_back();
  RunRecord renamed = of_registry(1);
  renamed.corner_cases.back().name = "BC-99";
  RunRecord unknown_mark = of_pipelines();
  unknown_mark.marks = {{"no.such.mark", 1}};
  for (const RunRecord& wrong : {fewer, renamed, unknown_mark}) {
    CHECK_FALSE(sum.add(run_of(0, 1, wrong)));
  }
  CHECK_FALSE(sum.add(run_of(2, 1, of_pipelines())));
  CHECK(sum.runs() == 0);
  CHECK(sum.text({}) == CampaignSum({"a", "b"}).text({}));
  CHECK(sum.add(run_of(0, 1, of_pipelines())));
  CHECK(sum.add(run_of(1, 2, of_registry(0))));
  RunRecord broken;
  broken.end = RunEnd::check_failed;
  CHECK(sum.add(run_of(1, 3, broken, 70)));
  CHECK(sum.runs() == 3);
  CHECK(sum.failed() == 1);
  RunRecord other_unit = of_pipelines();
  other_unit.metrics.front().unit = Unit::bytes;
  CHECK_FALSE(sum.add(run_of(0, 4, other_unit)));
}

TEST_CASE("campaign: latencies of a scenario's runs are merged, exactly and stage by stage") {
  LatencyHistogram all;
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LatencyHistogram own;
    for (std::int64_t i = 1; i <= 60; ++i) {
      const Duration value(static_cast<std::int64_t>(seed) * i * 1'000'000);
      own.add(value);
      all.add(value);
    }
    RunRecord run = of_pipelines();
    run.histograms = {{"stages.total", own.to_bytes()}};
    runs.push_back(run_of(0, seed, run));
  }
  CampaignSum sum({"a.toml", "b.toml"});
  for (const RunRecord& run : runs) REQUIRE(sum.add(run));
  CHECK(sum.latencies().by_scenario().size() == 1);
  CHECK(sum.latencies().by_scenario().at(0).at("stages.total") == all);

  // 1,200 values: 12 lie above p99, and 1.2 above p99.9.
  const std::string json = sum.json({});
  const double p99 = static_cast<double>(all.percentile(0.99).count()) / 1e9;
  CHECK_THAT(json, Contains(R"("latency_seconds":{"a.toml":{"stages.total":{"count":1200)"));
  CHECK_THAT(json, Contains(R"("p999":null)"));
  const auto object = boost::json::parse(json).at("latency_seconds").at("a.toml");
  CHECK(object.at("stages.total").at("p99").to_number<double>() == p99);
  CHECK_THAT(sum.text({}), Contains("20 runs of a.toml") && Contains("stages.total") &&
                               Contains("fewer than 10 values"));
}

TEST_CASE("campaign: latencies of different configurations are not merged") {
  LatencyHistogram own;
  for (int i = 0; i < 100; ++i) own.add(Duration(1'000'000));
  RunRecord run = of_pipelines();
  run.histograms = {{"stages.total", own.to_bytes()}};
  CampaignSum sum({"swarm"}, CampaignSum::Pooling::none);
  REQUIRE(sum.add(run_of(0, 1, run)));
  CHECK(sum.latencies().empty());
  CHECK_THAT(sum.text({}), !Contains("stages.total"));
}

TEST_CASE("campaign: figures are aggregated each in its own way, percentiles not at all") {
  CampaignSum sum({"a"});
  for (const double slowest : {0.5, 2.0, 1.0}) {
    Summary summary;
    summary.generated = 2;
    summary.latency = {.count = 2, .mean = 0.1, .p99 = slowest, .min = slowest / 4, .max = slowest};
    RunRecord run = run_record_of(summary, {});
    run.seed = static_cast<std::uint64_t>(slowest * 10);
    CHECK(sum.add(run));
  }
  const auto& metrics = sum.metrics();
  CHECK(metrics.at("generated").value == 6);
  CHECK(metrics.at("latency_seconds.count").value == 6);
  CHECK(metrics.at("latency_seconds.min").value == 0.125);
  CHECK(metrics.at("latency_seconds.max").value == 2);
  CHECK(metrics.at("latency_seconds.max").runs == 3);
  CHECK(metrics.at("latency_seconds.max").unit == Unit::seconds);
  CHECK(metrics.count("latency_seconds.p99") == 0);
  CHECK(metrics.count("stages.lookup.count") == 0);
}

TEST_CASE("campaign: clicks and operations are summed, each where present") {
  CampaignSum sum({"a", "b"});
  CHECK(sum.add(run_of(0, 1, of_pipelines())));
  CHECK(sum.add(run_of(0, 2, of_pipelines())));
  CHECK_THAT(sum.text({}), Contains("clicks\n") && Contains("(L-crash 2)") && !Contains("load\n"));
  CHECK(sum.add(run_of(1, 3, of_registry(3))));
  const std::string json = sum.json({});
  for (const std::string figure :
       {R"("generated":10,)", R"("joined":8,)", R"("lost":2,)", R"("lost.L-crash":2,)",
        R"("load.operations":10,)", R"("load.answered":7,)", R"("load.codes.exists":7)"}) {
    CHECK_THAT(json, Contains(figure));
  }
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

TEST_CASE("J-H4 campaign: the obligations of each oracle, and in how many runs it had some") {
  CampaignSum sum({"a"});
  CHECK_THAT(sum.text({}), !Contains("checks\n"));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    RunRecord run = run_of(0, seed, of_pipelines());
    run.obligations = {{"J-P3", 0}, {"J-P6", seed == 2 ? 0 : 600 * seed}};
    CHECK(sum.add(std::move(run)));
  }
  CHECK_THAT(sum.text({}), Contains("oracle        in runs            checks\n") &&
                               Contains("  J-P3              0                 0\n") &&
                               Contains("  J-P6              2             2,400\n"));
  CHECK_THAT(sum.json({}), Contains(R"("obligations":{"J-P3":{"runs":0,"obligations":0},)"
                                    R"("J-P6":{"runs":2,"obligations":2400}})"));
}

TEST_CASE("campaign: failures are in order of scenario and seed; the text shows ten of each") {
  CampaignSum up({"a", "b"});
  CampaignSum down({"a", "b"});
  for (std::uint64_t i = 0; i < 26; ++i) {
    const auto run = [](std::uint64_t seed) {
      return run_of(static_cast<std::uint32_t>(seed % 2), seed, of_pipelines(), seed == 25 ? 3 : 4);
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

TEST_CASE("campaign: a table of the kinds of faults and the states in which they took effect") {
  CampaignSum sum({"a"});
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    RunRecord run = run_of(0, seed, of_pipelines());
    run.fault_effects = {{"crash", ProtocolState::electing, 700},
                         {"loss", ProtocolState::quiet, seed}};
    run.fault_kinds = {{"crash", 700}, {"loss", seed}, {"stall", 0}};
    CHECK(sum.add(std::move(run)));
  }
  const std::string text = sum.text({});
  // In the order of the protocols; states that never occurred are listed as well.
  CHECK_THAT(text, Contains("kind of fault, while            electing  committing    snapshot"));
  CHECK_THAT(text, Contains("  crash                            1,400           0           0"));
  CHECK_THAT(text, Contains("restarting       quiet\n") && Contains("           0           3\n"));
  CHECK_THAT(text, Contains("  stall                                0           0           0"));
  const std::string json = sum.json({});
  CHECK_THAT(json, Contains(R"("states":{"crash":{"electing":1400,"committing":0,)"));
  CHECK_THAT(json, Contains(R"("quiet":3},"stall":{"electing":0,)") && Contains(R"("quiet":0}},)"));
}

TEST_CASE(
    "DESIGN-6 campaign: broken assumptions by the oracles that detected them, and exemptions") {
  CampaignSum sum({"a"});
  const auto add = [&](std::uint64_t seed, RunTier tier, std::vector<OracleFindings> findings) {
    RunRecord run = run_of(0, seed, of_pipelines());
    run.tier = tier;
    if (tier == RunTier::contract) run.broken_assumption = "output_returns";
    run.damage_detected = tier == RunTier::contract && !findings.empty();
    run.findings = std::move(findings);
    CHECK(sum.add(std::move(run)));
  };
  add(1, RunTier::within, {});
  CHECK_THAT(sum.json({}), !Contains("runs_by_tier"));
  add(2, RunTier::contract,
      {{"J-P0", Severity::liveness, Standing::failing, 1},
       {"J-S1", Severity::safety, Standing::expected, 2}});
  add(3, RunTier::contract, {});
  add(4, RunTier::over, {{"D-08", Severity::liveness, Standing::exempt, 5}});
  CHECK_THAT(sum.json({}), Contains(R"("runs_by_tier":{"contract":2,"over":1},"exempt":{"D-08":1},)"
                                    R"("broken_assumptions":{"output_returns":{"configurations":2,)"
                                    R"("detected":1,"by":{"J-S1":1},"besides":{"J-P0":1}}})"));
  CHECK_THAT(sum.text({}), Contains("over tolerance: 1 run, exempt: D-08 in 1\n") &&
                               Contains("J-S1 1") && Contains("J-P0 1\n"));
}

TEST_CASE("campaign: the first line says how it ended; without runs it is the only line") {
  const CampaignSum none({"a.toml"});
  CampaignFrame frame;
  frame.first_seed = 4;
  frame.last_seed = 9;
  frame.wall_seconds = 2;
  frame.end = CampaignFrame::End::interrupted;
  CHECK(none.text(frame) ==
        "INTERRUPTED after 0 runs of 6 in 2.00 s, none failed (a.toml, seeds 4..9)\n");
  frame.end = CampaignFrame::End::error;
  CHECK_THAT(none.text(frame), Catch::StartsWith("ABORTED after 0 runs of 6,"));
  CHECK_THAT(none.json(frame), Contains(R"("end":"error")") && Contains(R"("runs_planned":6)"));
}

}  // namespace photonsim::campaigns
