#include "analysis/reports/summary.h"

#include <algorithm>
#include <string>

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

TEST_CASE("summary: the JSON object, byte for byte") {
  World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  world.join(1, 1);
  world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));  // a duplicate, to be reported
  world.judge.finish();
  Summary summary;
  summary.scenario = "by \"hand\"";
  summary.seed = 18446744073709551615U;
  summary.fingerprint = "00000000deadbeef";
  summary.model_version = "m1";
  summary.config_hash = "c1";
  summary.overrides = {"a=1"};
  summary.exit_code = 3;
  summary.inert_faults = {{"faults.outage", "outage b"}};
  summary.fault_kinds = {{"process_crash", 2}};
  summary.operations = {"reshard c"};
  summary.unexpected_ends = {"reshard c"};
  summary.events = 42;
  summary.sim_seconds = 0.1;
  summary.wall_seconds = 2.5;
  summary.peak_rss_bytes = 1024;
  summary.faults_configured = 3;
  summarise(world.judge, summary);
  CHECK(summary.violations_by_rule == Counts{{"J-S1", 1}});
  const std::string json = to_json(summary);
  CHECK(json == to_json(summary));
  const std::string head =
      R"({"scenario":"by \"hand\"","seed":18446744073709551615,"fingerprint":"00000000deadbeef",)"
      R"("model_version":"m1","config_hash":"c1","overrides":["a=1"],)"
      R"("missed_gates":[],"verdict":"safety",)"
      R"("exit_code":3,"events":42,"records":47,"sim_seconds":1E-1,"wall_seconds":2.5E0,)"
      R"("peak_rss_bytes":1024,)"
      R"("generated":1,"joinable":1,"joined":1,"duplicates":1,"output_copies":0,)"
      R"("lost":{"L-crash":0,"L-storage":0,)"
      R"("L-bug":0,"L-crossedN":0,"L-operator":0,"L-input":0,"L-reply":0,)"
      R"("L-indeterminate":0,"unclassified":0},)"
      R"("never_joinable":{"unjoinable":0,"skipped":0,"too_old":0,"input_lost":0},)"
      R"("unjoinable":{"empty_key":0,"unknown_key":0,"query_late":0},)"
      R"("borderline":0,"pending":0,"losses":[],"wasted_joins":0,"latency_seconds":{"count":1,)";
  CHECK(json.substr(0, head.size()) == head);
  CHECK_THAT(json,
             Catch::Contains(R"("effective":0,"effective_by_kind":{"process_crash":2},)"
                             R"("without_effect":["outage b"]},"operations":["reshard c"],)"));
  CHECK_THAT(json, Catch::Contains(R"("operations_not_as_expected":["reshard c"],)"));
  CHECK_THAT(json, Catch::Contains(R"("waste":{"wasted_joins_per_joined":0E0,"reads_per_click":)"));
  CHECK_THAT(json, Catch::Contains(R"("violations":[{"oracle":"J-S1","severity":"safety")"));
  CHECK_THAT(json, Catch::Contains(R"("process":"process 11","event":)"));
  for (const char* stage :
       {"shipping", "scan", "lookup", "dispatch", "event_store", "register", "output", "total"}) {
    CHECK_THAT(json, Catch::Contains("\"" + std::string(stage) + "\":{\"count\":1"));
  }
}

TEST_CASE("J.2 summary: each lost click has its evidence") {
  World world;
  world.boot();
  world.generate(1);
  world.ship_all(1);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{1, token}});
  world.crash(kJoiner);
  const std::string crashed = describe(world.now);
  world.quiesce();
  world.judge.finish();
  Summary summary;
  summarise(world.judge, summary);
  REQUIRE(summary.losses.size() == 1);
  const Loss& loss = summary.losses[0];
  const std::string click = describe(click_id(1));
  const std::string json = to_json(summary);
  CHECK_THAT(json,
             Catch::Contains(R"("losses":[{"click":")" + click +
                             R"(","class":"L-crash","token":"11.41.1","registered_seconds":)"));
  CHECK_THAT(json, Catch::Contains(R"("process":"process 11","life":1,"crashed_seconds":)"));
  CHECK_THAT(json, Catch::Contains(R"("evidence":")" + loss.evidence + "\""));
  std::string sentence = to_text(summary);
  const auto begin = sentence.find("\nlost clicks\n  L-crash  click " + click + "\n      ");
  REQUIRE(begin != std::string::npos);
  // The evidence goes over several lines.
  for (auto at = sentence.find("\n      "); at != std::string::npos;
       at = sentence.find("\n      ")) {
    sentence.replace(at, 7, " ");
  }
  CHECK_THAT(sentence, Catch::Contains(click + " " + loss.evidence + "\n"));
  CHECK_THAT(sentence, Catch::Contains("that life crashed at " + crashed));

  // Never registered: no token, no process, no crash.
  summary.losses = {Loss{click_id(1), LossClass::unclassified, {}, {}, {}, {}, kNever, "why"}};
  CHECK_THAT(to_json(summary), Catch::Contains(R"({"click":")" + click +
                                               R"(","class":"unclassified","evidence":"why"})"));
}

TEST_CASE("J.2 summary: the text shows two losses of each class, whatever their order") {
  Summary summary;
  summary.lost = {{"L-crash", 1}, {"L-storage", 40}};
  for (std::uint32_t i = 0; i < 40; ++i) {
    summary.losses.push_back({click_id(i), LossClass::storage, {}, {}, {}, {}, kNever, "gone"});
  }
  summary.losses.push_back({click_id(40), LossClass::crash, {}, {}, {}, {}, kNever, "died"});
  CHECK_THAT(to_text(summary),
             Catch::Contains("\nlost clicks (3 of 41; --json lists all)\n  L-crash  click " +
                             describe(click_id(40)) + "\n      died\n  L-storage  click " +
                             describe(click_id(0)) + "\n      gone\n  L-storage  click " +
                             describe(click_id(1)) + "\n      gone\n\n"));
}

TEST_CASE("summary: work is stated per click, and unknown figures are null") {
  Summary summary;
  CHECK_THAT(to_json(summary), Catch::Contains(R"("wall_seconds":null,"peak_rss_bytes":null)"));
  CHECK_THAT(to_json(summary), Catch::Contains(R"("wasted_joins_per_joined":null)"));
  summary.generated = 200;
  summary.joined = 100;
  summary.wasted_joins = 25;
  summary.work = {400, 250, 300, 60};
  summary.registry.lookups = 500;
  summary.registry.insert_attempts = 125;
  CHECK_THAT(
      to_json(summary),
      Catch::Contains(R"("waste":{"wasted_joins_per_joined":2.5E-1,"reads_per_click":2E0,)"
                      R"("registry_lookups_per_click":2.5E0,"insert_attempts_per_click":6.25E-1,)"
                      R"("join_requests_per_click":1.25E0,"query_lookups_per_click":1.5E0,)"
                      R"("log_share_of_query_lookups":2E-1})"));
  CHECK_THAT(to_text(summary), Catch::Contains("25.00 % of the joined") &&
                                   Catch::Contains("2.00 reads, 2.50 registry look-ups") &&
                                   Catch::Contains("(20.0 % of them in the logs, found or not)"));
}

TEST_CASE("summary: times have three digits, or minutes and hours") {
  const auto spoken = [](double seconds) {
    Summary summary;
    summary.sim_seconds = seconds;
    const std::string text = to_text(summary);
    const std::string_view before = "seed 0: ";
    const std::size_t at = text.find(before) + before.size();
    return text.substr(at, text.find(" simulated") - at);
  };
  CHECK(spoken(0) == "0 s");
  CHECK(spoken(45e-6) == "45.0 us");
  CHECK(spoken(0.00099949) == "999 us");
  CHECK(spoken(0.0009996) == "1.00 ms");
  CHECK(spoken(0.9996) == "1.00 s");
  CHECK(spoken(4.966) == "4.97 s");
  CHECK(spoken(9.996) == "10.0 s");
  CHECK(spoken(99.96) == "100 s");
  CHECK(spoken(119.4) == "119 s");
  CHECK(spoken(119.6) == "2 min 00 s");
  CHECK(spoken(1218) == "20 min 18 s");
  CHECK(spoken(3599.6) == "1 h 00 min");
  CHECK(spoken(12300) == "3 h 25 min");
}

TEST_CASE("summary: the headline separates safety from liveness, and states what did not drain") {
  Summary summary;
  summary.pending = 2000;
  summary.violations_total = 2500;
  summary.stuck = 2500;
  CHECK_THAT(to_text(summary),
             Catch::Contains("\nLIVENESS VIOLATED, 2,500 times: not quiescent at the end, 2,000 "
                             "clicks pending, 500 retries of finished ones pending\n"));
  summary.violations_total = 2503;
  summary.safety_violations = 3;
  CHECK_THAT(to_text(summary), Catch::Contains("\nSAFETY VIOLATED, 3 times; LIVENESS VIOLATED"));
  summary.violations_total = 3;
  summary.stuck = 0;
  CHECK_THAT(to_text(summary), Catch::Contains("\nSAFETY VIOLATED, 3 times\n"));
}

TEST_CASE(
    "summary: of many violations the first of each rule is listed first, after their counts") {
  Summary summary;
  std::string message = "the";
  for (int i = 0; i < 40; ++i) message += " evidence";
  for (std::uint32_t i = 1; i <= 20; ++i) {
    summary.violations.push_back({"J-P3", Severity::liveness, SimTime(1s), kNoNode, {}, message});
  }
  summary.violations.push_back({"J-P4", Severity::liveness, SimTime(2s), kNoNode, {}, "lost"});
  summary.violations.push_back({"J-S1", Severity::safety, SimTime(3s), kNoNode, {}, "twice"});
  summary.violations_by_rule = {{"J-P3", 2150}, {"J-P4", 1}, {"J-S1", 1}};
  summary.violations_total = 2152;
  summary.safety_violations = 1;
  const std::string text = to_text(summary);
  const std::string verdict = text.substr(text.find("SAFETY VIOLATED"));
  CHECK_THAT(verdict, Catch::Contains("\n  J-P3") && Catch::Contains(" 2,150\n"));
  const auto numbers = verdict.find("2,150");
  const auto safety = verdict.find("  J-S1  3s, violation 22\n      twice\n");
  const auto first = verdict.find("  J-P3  1s, violation 1\n      the evidence ");
  const auto other = verdict.find("  J-P4  2s, violation 21\n      lost\n");
  CHECK(numbers < safety);
  CHECK(safety < first);
  CHECK(first < other);
  CHECK(other < verdict.find("  J-P3  1s, violation 2\n", first + 1));
  CHECK(verdict.ends_with("\n  ...\n"));  // ten are listed
  std::size_t widest = 0;
  for (std::size_t from = 0; from < verdict.size();) {
    const std::size_t end = verdict.find('\n', from);
    widest = std::max(widest, end - from);
    from = end + 1;
  }
  CHECK(widest <= 112);
}

TEST_CASE("summary: what was not measured has no row, and is null") {
  Summary summary;
  summary.load.operations = 3;
  summary.load.answered = 1;
  summary.load.codes = {{"inserted", 1}, {"exists", 0}};
  summary.sim_seconds = 7;
  CHECK_THAT(to_text(summary), !Catch::Contains("latency") && !Catch::Contains("transactions/s"));
  summary.load.insert_latency = {1, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03};
  summary.corner_cases = {{"BC-01", 0}, {"BC-02", 0}};
  summary.wasted_joins = 1;
  const std::string text = to_text(summary);
  CHECK_THAT(text, Catch::Contains("  insert  ") && !Catch::Contains("look-up") &&
                       !Catch::Contains("commit") && !Catch::Contains("wasted") &&
                       !Catch::Contains("corner cases") && !Catch::Contains(" 0 s") &&
                       !Catch::Contains("of clients that died"));
  const std::string json = to_json(summary);
  CHECK_THAT(json, Catch::Contains(R"("lookup_latency":{"count":0,"mean":null,"p50":null,)"));
  CHECK_THAT(json, Catch::Contains(R"("insert_latency":{"count":1,"mean":3E-2,)"));
  CHECK_THAT(json, Catch::Contains(R"("wasted_joins":null)"));
  summary.corner_cases[1].second = 7;
  CHECK_THAT(to_text(summary), Catch::Contains("\ncorner cases\n  BC-02               7\n\n"));
}

TEST_CASE("summary: transactions under load and in the whole run are separate") {
  Summary summary;
  summary.load.operations = 100;
  summary.load.seconds = 10;
  summary.load.transactions_per_second = 2;
  summary.load.mean_batch = 5;
  summary.registry.transactions = 23;
  summary.registry.mean_batch = 4.5;
  const std::string text = to_text(summary);
  CHECK_THAT(text, Catch::Contains("requested in 10.0 s\n") &&
                       Catch::Contains("transactions/s            2.00  in that time, 5.00 oper") &&
                       Catch::Contains("transactions                23  in the whole run, 4.50"));
}

TEST_CASE("summary: a long remark continues below itself, broken after a comma") {
  Summary summary;
  summary.load.operations = summary.load.answered = 8;
  for (const std::string_view code : load_codes()) summary.load.codes.emplace_back(code, 1'000'000);
  const std::string text = to_text(summary);
  const std::string indent(34, ' ');
  CHECK_THAT(text, Catch::Contains("too_old 1,000,000,\n" + indent + "not_found 1,000,000, "));
  for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
    end = text.find('\n', begin);
    CHECK(std::min(end, text.size()) - begin <= 112);
  }
}

TEST_CASE("summary: operations without an end are no clicks") {
  Summary summary;
  summary.load.operations = 9;
  summary.violations_total = summary.stuck = 2;
  CHECK_THAT(to_text(summary),
             Catch::Contains("LIVENESS VIOLATED, 2 times: not quiescent at the end, 2 operations "
                             "without a definitive answer\n"));
  summary.violations_total = 1;
  summary.stuck = 0;
  CHECK_THAT(to_text(summary), Catch::Contains("\nLIVENESS VIOLATED, once\n"));
}

TEST_CASE("summary: the text names what a person searches for") {
  World world;
  world.boot();
  world.generate(1);
  world.generate(2);
  world.ship_all(1);
  world.join(1, 1);
  world.judge.finish();
  Summary summary;
  summary.scenario = "quick";
  summary.events = 1234567;
  summarise(world.judge, summary);
  const std::string text = to_text(summary);
  for (const char* part :
       {"quick, seed 0", "1,234,567 events", "pending", "p99.9", "no violation found"}) {
    CHECK_THAT(text, Catch::Contains(part));
  }
  CHECK(text.back() == '\n');
  CHECK(text.find('\x1b') == std::string::npos);
  summary.violations_total = 1;
  summary.violations = {
      {"J-S1", Severity::safety, SimTime{}, NodeId{4}, click_id(1), "twice", "east/joiner/0"}};
  const std::string accused = to_text(summary);
  CHECK_THAT(accused, Catch::Contains("J-S1") && Catch::Contains("east/joiner/0, click 100:1@"));
  CHECK_THAT(accused, Catch::Contains("The rule (joined at most once)"));
  CHECK_THAT(accused, Catch::Contains("photonsim explain J-S1"));
}

}  // namespace photon::analysis::testing
