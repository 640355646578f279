// Failures of a campaign by their cause.
#include "campaigns/triage.h"

#include <sstream>
#include <string>
#include <vector>

#include "campaigns/campaign.h"
#include "campaigns/campaign_ci.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {

using namespace photon;
using namespace photon::analysis;
using photon::analysis::Severity;
namespace {

RunRecord failed_run(std::uint64_t seed, int exit_code, const std::string& oracle,
                     const std::string& message, const std::string& process = {}) {
  RunRecord run;
  run.seed = seed;
  run.exit_code = exit_code;
  OracleFindings finding;
  finding.oracle = oracle;
  finding.severity = exit_code == 3 ? Severity::safety : Severity::liveness;
  finding.count = 1;
  finding.first_message = message;
  finding.process = process;
  run.findings = {finding};
  run.what = "1 violation: " + oracle + ", " + message;
  return run;
}

}  // namespace

TEST_CASE("triage: numbers, ids and names of processes do not distinguish causes") {
  const std::string joiner = "us-east1/joiner/0";
  const std::string message = "click 7 joined 2 times by us-east1/joiner/0 at 3 s";
  const FailureCause one = cause_of(failed_run(1, 3, "J-S1", message, joiner));
  const FailureCause other = cause_of(failed_run(
      2, 3, "J-S1", "click 99 joined 3 times by dublin/joiner/4 at 71 s", "dublin/joiner/4"));
  CHECK(one == other);
  CHECK(one.text() == "J-S1 (joiner): click # joined # times by # at # s");
  CHECK(one != cause_of(failed_run(3, 3, "J-S2", message, joiner)));
  CHECK(one != cause_of(failed_run(3, 3, "J-S1", message, "us-east1/verifier/0")));
  CHECK(one != cause_of(failed_run(3, 3, "J-S1", message)));
  CHECK(one != cause_of(failed_run(3, 3, "J-S1", "click 7 was lost", joiner)));
}

TEST_CASE("triage: the number of ids in a row does not distinguish causes") {
  const FailureCause two = cause_of(failed_run(1, 4, "J-P0", "open are 7, 9 in all"));
  CHECK(two == cause_of(failed_run(2, 4, "J-P0", "open are 1, 2, 3, 4 in all")));
  CHECK(two.text() == "J-P0: open are # in all");
  CHECK(two != cause_of(failed_run(2, 4, "J-P0", "open are 7, then 9 in all")));
}

TEST_CASE("triage: the deciding finding is a failing one, safety before liveness") {
  RunRecord run = failed_run(1, 3, "J-P0", "stuck");
  run.findings.front().severity = Severity::liveness;
  OracleFindings safety = run.findings.front();
  safety.oracle = "J-S5";
  safety.severity = Severity::safety;
  run.findings.push_back(safety);
  CHECK(cause_of(run).found_by == "J-S5");
  run.findings.back().standing = Standing::exempt;
  CHECK(cause_of(run).found_by == "J-P0");
}

TEST_CASE("triage: a failure without an oracle's finding has a cause too") {
  RunRecord run;
  run.exit_code = 70;
  run.end = RunEnd::check_failed;
  run.what = "a check of the code failed: core/a.cc:31: check failed at 3 s, event 7";
  run.check_site = "core/a.cc:31";
  run.check_message = "an index is (at most) its size (size() > 0)";
  CHECK(cause_of(run).text() ==
        "check (core/a.cc:31): an index is (at most) its size (size() > 0)");
  run.end = RunEnd::exception;
  run.what = "internal error: map::at, element 3";
  CHECK(cause_of(run).text() == "exception: internal error: map::at, element #");
  run.end = RunEnd::died;
  run.what = "its process died of signal 9 (Killed)";
  CHECK(cause_of(run).text() == "process: its process died of signal 9 (Killed)");
  RunRecord over;
  over.exit_code = 8;
  over.end = RunEnd::over_memory;
  over.what = "the run was given up: it needs more memory than the 200MiB";
  CHECK(cause_of(over).text() == "limit: memory");
  over.end = RunEnd::over_events;
  CHECK(cause_of(over).text() == "limit: kernel events");
  over.end = RunEnd::over_time;
  CHECK(cause_of(over).text() == "limit: wall time");
  RunRecord diverged;
  diverged.exit_code = 5;
  diverged.determinism = Determinism::diverged;
  CHECK(cause_of(diverged).text() == "determinism");
  RunRecord inert;
  inert.exit_code = 7;
  inert.what = "this fault had no effect: crash 3";
  CHECK(cause_of(inert).text() == "shortfall: this fault had no effect: crash #");
}

TEST_CASE("triage: causes are counted, the worst first, and one run of each comes first") {
  CampaignSum sum({"swarm"});
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    RunRecord run;
    run.seed = seed;
    if (seed <= 5) run = failed_run(seed, 4, "J-P0", "stuck");
    if (seed == 6 || seed == 7) run = failed_run(seed, 4, "J-P1", "stuck");
    if (seed == 8) run = failed_run(seed, 3, "J-S1", "twice");
    REQUIRE(sum.add(std::move(run)));
  }
  const std::vector<FailureGroup> groups = failure_groups(sum);
  REQUIRE(groups.size() == 3);
  CHECK(groups[0].cause.found_by == "J-S1");
  CHECK(groups[0].exit_code == 3);
  CHECK(groups[1].cause.found_by == "J-P0");
  CHECK(groups[1].runs.size() == 5);
  CHECK(groups[2].runs.size() == 2);
  std::vector<std::uint64_t> seeds;
  for (const RunRecord* run : each_cause_first(groups)) seeds.push_back(run->seed);
  CHECK(seeds == std::vector<std::uint64_t>{8, 1, 6, 2, 7, 3, 4, 5});
  const std::string text = sum.text({});
  CHECK_THAT(text, Catch::Contains("3 causes of failure") &&
                       Catch::Contains("5  J-P0: stuck; the first: swarm, seed 1\n"));
  CHECK_THAT(sum.json({}), Catch::Contains("\"causes\":[{\"found_by\":\"J-S1\"") &&
                               Catch::Contains("\"runs\":5,\"first\":{\"scenario\":\"swarm\","
                                               "\"seed\":1,"));
}

TEST_CASE("triage: text and CI state the rule of an oracle, once under its first cause") {
  CampaignSum sum({"swarm"});
  REQUIRE(sum.add(failed_run(1, 3, "J-S1", "twice")));
  REQUIRE(sum.add(failed_run(2, 3, "J-S1", "three times a day")));
  // A sentence that names another oracle, and a failure that no oracle found.
  REQUIRE(sum.add(failed_run(3, 4, "J-P0", "stuck, as after J-S5")));
  RunRecord died;
  died.seed = 4;
  died.exit_code = 70;
  died.end = RunEnd::died;
  died.what = "its process died of signal 6, J-S2";
  REQUIRE(sum.add(std::move(died)));
  const std::string text = sum.text({});
  const auto count = [](const std::string& in, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = in.find(part); at != std::string::npos; at = in.find(part, at + 1)) {
      ++times;
    }
    return times;
  };
  CHECK(count(text, "The rule (") == 2);
  CHECK(count(text, "photonsim explain J-S1") == 1);
  CHECK(count(text, "photonsim explain J-P0") == 1);
  std::istringstream lines(text.substr(0, text.find("\nfailed\n")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("            ")) CHECK(line.size() <= 80);
  }
  const CiReport report = ci_report(sum, {}, {});
  REQUIRE(report.causes.size() == 4);
  for (const CiFailure& each : report.causes) {
    const bool by_oracle = each.title != "swarm, seed 4";
    CHECK(each.oracle.empty() == !by_oracle);
    if (each.title == "swarm, seed 3") CHECK(each.oracle == "J-P0");
  }
  const std::string annotations = github_annotations(report);
  CHECK(count(annotations, "The rule (") == 3);  // each annotation stands alone
}

TEST_CASE("a report states the number of runs that did not take place, and which were cut off") {
  CampaignFrame frame;
  frame.first_seed = 1;
  frame.last_seed = 4;
  frame.end = CampaignFrame::End::ended_early;
  frame.cut_off = {"a.toml, seed 2"};
  const CampaignSum none({"a.toml"});
  CHECK_THAT(
      none.text(frame),
      Catch::Contains("4 runs did not take place\n  a.toml, seed 2: cut off, as the time was "
                      "over; it counts as not run\n"));
  CampaignSum all({"a.toml"});
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RunRecord run;
    run.seed = seed;
    REQUIRE(all.add(std::move(run)));
  }
  CHECK_THAT(all.text(frame), !Catch::Contains("did not take place"));
}

}  // namespace photonsim::campaigns
