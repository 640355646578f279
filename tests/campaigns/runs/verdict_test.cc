// Which verdict a run gets, and which of several is the worst.
#include "campaigns/runs/verdict.h"

#include "analysis/results/result_store.h"
#include "campaigns/runs/exit_codes.h"
#include "campaigns/runs/run_spec.h"
#include "campaigns/runs/shell_words.h"
#include "scenarios/language/schema.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns::testing {

using photon::analysis::Severity;
using photon::analysis::Summary;

namespace {

Summary with_violations(std::uint64_t safety, std::uint64_t liveness) {
  Summary summary;
  summary.safety_violations = safety;
  summary.violations_total = safety + liveness;
  if (safety + liveness == 0) return summary;
  summary.violations.push_back({"J-S1", Severity::safety, {}, photon::kNoNode, {}, "joined twice"});
  return summary;
}

}  // namespace

TEST_CASE("verdicts: a failed check, then safety, liveness, a fault without effect") {
  scenarios::RunOutcome outcome;
  CHECK(verdict_of(outcome) == kOk);
  CHECK(failure_line(outcome).empty());
  outcome.summary.inert_faults = {{"faults.crash", "crash a"}, {"faults.crash", "crash b"}};
  CHECK(verdict_of(outcome) == kInertFault);
  CHECK_THAT(failure_line(outcome),
             Catch::Matchers::StartsWith("2 faults had no effect: crash a, crash b; move"));
  CHECK_THAT(failure_line(outcome),
             Catch::Matchers::Contains("move them, remove them (--set faults.crash=[]), or accept "
                                       "them (--set faults.inert=allow)"));
  // Of several kinds: each list that states one is named, once.
  outcome.summary.inert_faults = {{"faults.crash", "crash a"},
                                  {"faults.outage", "outage b"},
                                  {"operations.kill_master", "crash the master"},
                                  {"faults.crash", "host_crash c"}};
  CHECK_THAT(
      failure_line(outcome),
      Catch::Matchers::Contains("crash the master, and 1 more; move them, remove them (--set "
                                "faults.crash=[], --set faults.outage=[], --set "
                                "operations.kill_master=[]), or accept them"));
  outcome.summary.inert_faults.resize(2);
  outcome.summary.violations_total = 1;
  CHECK(verdict_of(outcome) == kLivenessViolation);
  outcome.summary.safety_violations = 1;
  CHECK(verdict_of(outcome) == kSafetyViolation);
  outcome.failed_check = scenarios::FailedCheck{.site = "a.cc:3", .text = "a.cc:3: check failed"};
  CHECK(verdict_of(outcome) == kInternal);
  // What its faults would still have done is unknown.
  CHECK(failure_line(outcome) == "a check of the code failed: a.cc:3: check failed");
  outcome.interrupted = true;
  CHECK(verdict_of(outcome) == kInterrupted);
}

namespace {

// With this number of findings of J-S1 and of J-P0.
scenarios::RunOutcome judged(scenarios::Expectations expectations, std::uint64_t safety,
                             std::uint64_t liveness) {
  scenarios::RunOutcome outcome;
  outcome.expectations = std::move(expectations);
  outcome.summary = with_violations(safety, liveness);
  outcome.summary.violations_by_rule = {{"J-P0", liveness}, {"J-S1", safety}};
  return outcome;
}

}  // namespace

TEST_CASE("DESIGN-6 verdicts: what the tier of the scenario requires") {
  using scenarios::Expectations;
  using scenarios::Tier;
  const Expectations over{Tier::kOver, {}, {}, {}};
  CHECK(verdict_of(judged(over, 1, 1)) == kSafetyViolation);
  CHECK(verdict_of(judged(over, 0, 1)) == kLivenessViolation);
  CHECK(verdict_of(judged(over, 0, 0)) == kOk);
  // What a fault has destroyed for good.
  const Expectations exempting{Tier::kOver, {}, {}, {"J-P0"}};
  CHECK(verdict_of(judged(exempting, 0, 2)) == kOk);
  CHECK(verdict_of(judged(exempting, 1, 2)) == kSafetyViolation);
  scenarios::RunOutcome both = judged(exempting, 0, 2);
  both.summary.violations_by_rule.emplace_back("J-P4", 1);
  both.summary.violations_total += 1;
  CHECK(verdict_of(both) == kLivenessViolation);
}

TEST_CASE(
    "J-H3 verdicts: a broken assumption must be detected by the named oracles, and only by them") {
  using Catch::Matchers::Contains;
  using scenarios::Expectations;
  using scenarios::Tier;
  const Expectations twice{Tier::kContract, "output_returns", {"J-S1", "J-S3"}, {}};
  CHECK(verdict_of(judged(twice, 1, 0)) == kOk);
  CHECK(verdict_of(judged(twice, 1, 1)) == kOk);
  CHECK_THAT(damage_line(judged(twice, 1, 0)),
             Contains("(output_returns) was detected by J-S1: 1 violation: J-S1, joined twice"));
  // A run that does not drain is no detection.
  for (const std::uint64_t liveness : {0U, 1U}) {
    CAPTURE(liveness);
    const scenarios::RunOutcome missed = judged(twice, 0, liveness);
    CHECK(verdict_of(missed) == kInertFault);
    CHECK(damage_line(missed).empty());
    CHECK_THAT(failure_line(missed), Contains("no damage was detected by J-S1 or J-S3"));
  }
  CHECK_THAT(failure_line(judged(twice, 0, 1)), Contains("; others did: J-P0"));
  // Where the damage stops all progress, no wrong answer is allowed.
  const Expectations silent{Tier::kContract, "majority_lost", {"J-P0"}, {}};
  CHECK(verdict_of(judged(silent, 0, 1)) == kOk);
  CHECK(verdict_of(judged(silent, 1, 1)) == kSafetyViolation);
  CHECK(verdict_of(judged(silent, 0, 0)) == kInertFault);
  // A failed check of the code is no intended damage.
  scenarios::RunOutcome failed = judged(twice, 1, 0);
  failed.failed_check = scenarios::FailedCheck{.site = "a.cc:3", .text = "a.cc:3: check failed"};
  CHECK(verdict_of(failed) == kInternal);
  failed.failed_check.reset();
  failed.over_limit = "more kernel events than it may";
  CHECK(verdict_of(failed) == kEnvironment);
  CHECK_THAT(failure_line(failed), Catch::Matchers::StartsWith("more kernel events than it may; "));
}

TEST_CASE("verdicts: the record of a run has its tier, and what each finding means in it") {
  using namespace photon::analysis;
  scenarios::RunOutcome outcome;
  CHECK(record_of(outcome).tier == RunTier::within);
  CHECK_FALSE(record_of(outcome).damage_detected);
  outcome.expectations = {scenarios::Tier::kContract, "output_returns", {"J-S1"}, {}};
  outcome.summary = with_violations(2, 1);
  outcome.summary.violations_by_rule = {{"J-P0", 1}, {"J-S1", 2}, {"J-S2", 0}};
  outcome.fault_effects = {{"clock.step", ProtocolState::quiet, 3}};
  RunRecord record = record_of(outcome);
  CHECK(record.exit_code == kOk);
  CHECK(record.what.empty());  // the damage that it needs is no failure
  CHECK(record.tier == RunTier::contract);
  CHECK(record.broken_assumption == "output_returns");
  CHECK(record.damage_detected);
  CHECK(record.fault_effects == outcome.fault_effects);
  CHECK(record.metric("violations") == 3);
  REQUIRE(record.findings.size() == 2);
  CHECK(record.findings[0].oracle == "J-P0");
  CHECK(record.findings[0].standing == Standing::failing);
  CHECK(record.findings[1].count == 2);
  CHECK(record.findings[1].standing == Standing::expected);
  CHECK(record.findings[1].first_message == outcome.summary.violations.front().message);
  outcome.expectations = {scenarios::Tier::kOver, "", {}, {"J-P0"}};
  record = record_of(outcome);
  CHECK(record.exit_code == kSafetyViolation);
  CHECK(record.findings[0].standing == Standing::exempt);
  CHECK(record.findings[1].standing == Standing::failing);
  CHECK_FALSE(record.damage_detected);
  // After a failed check of the code the rest of the outcome does not count.
  outcome.failed_check =
      scenarios::FailedCheck{"a.cc:3", "it is there (found)", "us-east1/joiner/0", "a.cc:3: all"};
  record = record_of(outcome);
  CHECK(record.end == RunEnd::check_failed);
  CHECK(record.check_site == "a.cc:3");
  CHECK(record.check_message == "it is there (found)");
  CHECK(record.check_process == "us-east1/joiner/0");
  CHECK(record.exit_code == kInternal);
  CHECK(record.metrics.empty());
  CHECK(record.findings.empty());
  outcome.failed_check.reset();
  outcome.over_limit = "more kernel events than it may";
  record = record_of(outcome);
  CHECK(record.end == RunEnd::over_events);
  CHECK(record.exit_code == kEnvironment);
  CHECK(record.check_site.empty());
  CHECK(record.metrics.empty());
}

TEST_CASE("a worker's answer is read as it was sent, or refused") {
  RunResult sent;
  sent.record.seed = 18446744073709551615U;
  sent.record.scenario = 3;
  sent.record.exit_code = kSafetyViolation;
  sent.record.what = "two\nlines\tand a zero";
  sent.record.what += '\0';
  sent.record.marks = {{"a.b", 18446744073709551615U}};
  sent.refused = true;
  sent.probe = photon::Bytes(3, std::byte{7});
  sent.seen.emplace().summary = "{}";
  photon::Bytes bytes = encode_result(sent);
  const auto read = decode_result(bytes);
  REQUIRE(read);
  CHECK(read->record == sent.record);
  CHECK(read->refused);
  CHECK(read->probe == sent.probe);
  REQUIRE(read->seen);
  CHECK(read->seen->summary == "{}");
  bytes.push_back(std::byte{0});
  CHECK_FALSE(decode_result(bytes));
  for (std::size_t size = 0; size + 1 < bytes.size(); ++size) {
    CHECK_FALSE(decode_result(
        photon::Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("DESIGN-6 verdicts: inert faults are reported with a remedy") {
  using Catch::Matchers::Contains;
  using Catch::Matchers::EndsWith;
  Summary summary;
  summary.inert_faults = {{"faults.crash", "crash registry/0@us-west2 at 3 s"},
                          {"network.loss", "network.loss = 0.001 of 200000 messages"}};
  const std::vector<std::string> texts = shortfalls(summary);
  REQUIRE(texts.size() == 2);
  CHECK_THAT(texts[0], EndsWith("; move it, remove it (--set faults.crash=[]), or accept it "
                                "(--set faults.inert=allow)"));
  CHECK_THAT(texts[1], Contains("--set network.loss=0)") && Contains("send more messages") &&
                           !Contains("KIND"));
}

TEST_CASE("verdicts: the worse of two does not depend on their order") {
  const std::vector<int> worst_first{
      kInternal, kNotDeterministic, kSafetyViolation, kLivenessViolation, kEnvironment, kInertFault,
      kOk};
  for (std::size_t i = 0; i < worst_first.size(); ++i) {
    for (std::size_t j = i; j < worst_first.size(); ++j) {
      CHECK(worse_of(worst_first[i], worst_first[j]) == worst_first[i]);
      CHECK(worse_of(worst_first[j], worst_first[i]) == worst_first[i]);
    }
  }
  // A value outside the enumeration must not pass for "ok".
  const photon::testing::ChecksThrow throwing;
  CHECK_THROWS_AS(worse_of(kOk, kUsage), photon::testing::CheckFailed);
  CHECK_THROWS_AS(worse_of(kInterrupted, kInternal), photon::testing::CheckFailed);
}

TEST_CASE("verdicts: violations are counted, and the first one is described") {
  CHECK(violations_line(with_violations(0, 0)).empty());
  CHECK(violations_line(with_violations(1, 0)) == "1 violation: J-S1, joined twice");
  CHECK(violations_line(with_violations(2, 3)) == "5 violations; the first: J-S1, joined twice");
}

TEST_CASE("the replay line is what a shell reads back") {
  CHECK(replay_line("a.toml", {}, 3) == "photonsim repro a.toml --seed 3");
  CHECK(replay_line("a b.toml", {"run.duration=20s", "faults.outage=[]"}, 18446744073709551615U) ==
        "photonsim repro 'a b.toml' --set run.duration=20s --set 'faults.outage=[]' --seed "
        "18446744073709551615");
  CHECK(replay_line("it's.toml", {}, 0) == "photonsim repro \"it's.toml\" --seed 0");
  CHECK(shell_word("it's $5") == "'it'\\''s $5'");
  CHECK(shell_word("") == "''");
}

TEST_CASE("a statement for a results file is a command that a shell reads back") {
  using photon::analysis::FileError;
  CHECK(error_text({"a.db", "it is damaged", "move it away", ""}) ==
        "a.db: it is damaged; move it away");
  const std::string sql = photon::analysis::removal_of_campaign("k'1");
  CHECK(sql.ends_with(" WHERE key = 'k''1'"));
  CHECK(error_text({"my runs.db", "it is damaged", "take it out", sql}) ==
        "my runs.db: it is damaged; take it out: sqlite3 'my runs.db' \"" + sql + "\"");
}

}  // namespace photonsim::campaigns::testing
