// Campaigns in a results file: what is read is what was saved, and a later change is detected.
#include <string>
#include <vector>

#include "analysis/results/result_reader.h"
#include "analysis/results/result_store.h"
#include "tests/analysis/results_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

using Catch::Contains;

CampaignIdentity two_scenarios() {
  return {{{"a.toml", PointKind::scenario, "[a]\nx = 1\n", {{"a.x", "1"}}},
           {"b.toml", PointKind::scenario, "[b]\nx = 5\n", {{"b.x", "5"}}}},
          0.05,
          "v1"};
}

RunRecord stored_run(std::uint64_t seed, int exit_code = 0) {
  RunRecord run;
  run.scenario = static_cast<std::uint32_t>(seed % 2);
  run.seed = seed;
  run.exit_code = exit_code;
  run.what = exit_code == 0 ? "" : "it's\nbad";
  run.replay = "photonsim repro --swarm --seed " + std::to_string(seed);
  run.fingerprint = "0123456789abcdef";
  run.events = 100 + seed;
  run.sim_milliseconds = 200;
  run.cpu_microseconds = 300;
  run.metrics = {{"generated", Unit::count, Adding::sum, static_cast<double>(seed)}};
  run.marks = {{"m.two", seed / 2 + 1}};
  run.corner_cases = {{"BC-01", 18446744073709551615U}};
  run.fault_kinds = {{"link.clog", 2}, {"disk.bit_rot", 0}};
  run.findings = {{"J-S1", Severity::safety, Standing::failing, seed, "twice", "us-east1/joiner/0",
                   "100:1@0.001s", SimTime(Duration(5))}};
  run.fault_effects = {{"link.clog", ProtocolState::electing, 2}};
  LatencyHistogram latencies;
  for (const std::int64_t value : {-5'000'000, -1, 0, 63, 64, 700'000'000}) {
    latencies.add(Duration(value));
  }
  run.histograms = {{"stages.scan", latencies.to_bytes()}};
  return run;
}

std::vector<RunRecord> runs_from(std::uint64_t first, std::uint64_t last) {
  std::vector<RunRecord> runs;
  for (std::uint64_t seed = first; seed <= last; ++seed) runs.push_back(stored_run(seed));
  return runs;
}

// The study with so many points more.
CampaignIdentity with_points(CampaignIdentity study, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = std::to_string(study.points.size());
    study.points.push_back(
        {"more.toml", PointKind::scenario, "[more]\nx = " + value + "\n", {{"more.x", value}}});
  }
  return study;
}

std::vector<RunRecord> all_of(const ResultStore& store, const CampaignIdentity& campaign) {
  std::vector<RunRecord> runs;
  CHECK(store.read(campaign.key(), [&](RunRecord run) { runs.push_back(std::move(run)); })
            .has_value());
  return runs;
}

struct CampaignFile {
  photon::testing::TemporaryFolder folder{};
  std::string file = folder.file("results.db");

  ResultStore open() const {
    auto store = ResultStore::open(file);
    REQUIRE(store.has_value());
    return std::move(store).assume_value();
  }
  void change(const std::string& sql) const { testing::change(file, sql); }
  StoreFindings verified() const { return testing::verified(file); }
};

}  // namespace

TEST_CASE("campaign store: a run is read as it was saved, once, also when saved again") {
  const CampaignFile results;
  const CampaignIdentity campaign = two_scenarios();
  ResultStore store = results.open();
  CHECK(all_of(store, campaign).empty());
  CHECK(store.campaigns().value().empty());
  const std::vector<RunRecord> saved{stored_run(18446744073709551615U, 3), stored_run(4)};
  REQUIRE(store.append(campaign, saved).has_value());
  {  // another program, with one run that is there and two that are not
    ResultStore other = results.open();
    REQUIRE(other.append(campaign, runs_from(4, 6)).has_value());
  }
  REQUIRE(store.append(campaign, runs_from(5, 7)).has_value());
  const std::vector<RunRecord> read = all_of(store, campaign);
  REQUIRE(read.size() == 5);
  for (std::size_t i = 0; i < saved.size(); ++i) CHECK(read[i] == saved[i]);
  for (std::uint64_t seed = 5; seed <= 7; ++seed) CHECK(read[seed - 3] == stored_run(seed));
  const auto campaigns = store.campaigns().value();
  REQUIRE(campaigns.size() == 1);
  CHECK(campaigns.front().key == campaign.key());
  CHECK(campaigns.front().runs == 5);
  CHECK(campaigns.front().identity.names() == campaign.names());
  CHECK(campaigns.front().identity.key() == campaign.key());
  CHECK(results.verified().is_whole());
}

TEST_CASE(
    "campaign store: a campaign is identified by what decides its results, not by file names") {
  const CampaignIdentity one = two_scenarios();
  CampaignIdentity renamed = one;
  renamed.points[0].scenario = "elsewhere/a.toml";
  CHECK(renamed.key() == one.key());
  std::vector<CampaignIdentity> others(4, one);
  others[0].points[1].text = "[b]\nc = 1\n";
  others[1].points.pop_back();
  others[2].self_check = 1;
  others[3].model_version = "v2";
  const CampaignFile results;
  ResultStore store = results.open();
  REQUIRE(store.append(one, runs_from(1, 3)).has_value());
  for (const CampaignIdentity& other : others) {
    CHECK(other.key() != one.key());
    CHECK(all_of(store, other).empty());
    REQUIRE(store.append(other, runs_from(2, 2)).has_value());
  }
  CHECK(all_of(store, one).size() == 3);
  const StoreFindings found = results.verified();
  CHECK(found.is_whole());
  CHECK(found.campaigns == 5);
  CHECK(found.campaign_runs == 7);
}

TEST_CASE("campaign store: missing or changed rows are detected, also by a campaign that resumes") {
  const CampaignFile results;
  const CampaignIdentity campaign = two_scenarios();
  {
    ResultStore store = results.open();
    REQUIRE(store.append(campaign, runs_from(1, 2)).has_value());
    REQUIRE(store.append(campaign, runs_from(3, 5)).has_value());
  }
  const auto expect = [&](const std::string& sql, const std::string& fault) {
    CAPTURE(sql);
    results.change(sql);
    const StoreFindings found = results.verified();
    REQUIRE(found.faults.size() == 1);
    CHECK(found.faults.front() == "campaign " + campaign.key() + ": " + fault);
    CHECK(found.faulty_campaigns == std::vector<std::string>{campaign.key()});
    const auto read = results.open().read(campaign.key(), [](const RunRecord&) {});
    REQUIRE_FALSE(read.has_value());
    CHECK_THAT(
        read.assume_error().message(),
        Contains(results.file + ": it is damaged: campaign " + campaign.key()) && Contains(fault));
    CHECK(read.assume_error().sql == removal_of_campaign(campaign.key()));
    // The remedy works: the campaign can be run again.
    results.change("PRAGMA foreign_keys = on; DELETE FROM study");
    CHECK(results.verified().is_whole());
    REQUIRE(results.open().append(campaign, runs_from(1, 5)).has_value());
    CHECK(results.verified().is_whole());
  };
  for (const char* change :
       {"seed = '77'", "ending = 'exception'", "exit_code = 3", "verdict = 'safety'", "what = 'x'",
        "replay = replay || ' '", "tier = 'over'", "determinism = 'same'", "key = 'k'",
        "fingerprint = '0123456789abcdee'", "events = events + 1", "sim_milliseconds = 0",
        "cpu_microseconds = 1", "seal = '0123456789abcdef'"}) {
    expect("UPDATE run SET " + std::string(change) + " WHERE number = 3",
           "a value of its run number 3 is not the one that was saved");
  }
  const std::string third = " WHERE run = (SELECT id FROM run WHERE number = 3)";
  for (const char* change :
       {"UPDATE metric_value SET value = 4", "DELETE FROM metric_value",
        "UPDATE coverage_count SET count = count + 1", "UPDATE fault_effect SET state = 'quiet'",
        "UPDATE finding SET standing = 'exempt'", "UPDATE violation SET message = 'once'",
        "UPDATE histogram SET max_ns = max_ns + 1"}) {
    expect(change + third, "a value of its run number 3 is not the one that was saved");
  }
  expect("UPDATE quantity SET name = 'joined'",
         "a value of its run number 1 is not the one that was saved");
  for (const char* change : {"kind = 'x'", "self_check = 0.5", "model_version = 'v2'", "points = 1",
                             "runs = 4", "digest = ''", "seal = ''"}) {
    expect("UPDATE study SET " + std::string(change),
           "a value of its own row is not the one that was saved");
  }
  for (const char* change :
       {"UPDATE point SET scenario = 'c.toml' WHERE number = 1",
        "UPDATE point SET kind = 'generated' WHERE number = 1",
        "UPDATE parameter SET value = '6' WHERE point = (SELECT id FROM point WHERE number = 1)",
        "DELETE FROM parameter WHERE point = (SELECT id FROM point WHERE number = 1)"}) {
    expect(change, "a value of its point number 1 is not the one that was saved");
  }
  expect("PRAGMA foreign_keys = on; DELETE FROM run WHERE number = 1",
         "it has 4 runs, and 5 were saved");
  expect("PRAGMA foreign_keys = on; DELETE FROM run WHERE number = 5",
         "it has 4 runs, and 5 were saved");
  expect("PRAGMA foreign_keys = on; DELETE FROM run", "it has 0 runs, and 5 were saved");
  results.change("DELETE FROM study");
  CHECK_THAT(results.verified().faults.front(),
             Contains("table point: a row belongs to a study that is not there"));
}

TEST_CASE("campaign store: what was concluded is kept until a new run voids it, and is sealed") {
  const CampaignFile results;
  const CampaignIdentity campaign = two_scenarios();
  ResultStore store = results.open();
  REQUIRE(store.append(campaign, runs_from(1, 3)).has_value());
  const auto outcomes = [&] {
    const auto reader = ResultReader::open(results.file);
    REQUIRE(reader.has_value());
    return reader.assume_value().outcomes().value();
  };
  CHECK(outcomes().empty());
  REQUIRE(store.conclude(campaign, "{\"answer\": 1}").has_value());
  CHECK(outcomes() == std::vector<std::string>{"{\"answer\": 1}"});
  REQUIRE(store.append(campaign, runs_from(1, 3)).has_value());  // all there
  CHECK(outcomes().size() == 1);
  CHECK(results.verified().is_whole());
  REQUIRE(store.append(campaign, runs_from(4, 4)).has_value());
  CHECK(outcomes().empty());
  REQUIRE(store.conclude(campaign, "{}").has_value());
  results.change("UPDATE study SET outcome = '{\"answer\": 2}'");
  CHECK_FALSE(results.verified().is_whole());
}

TEST_CASE("campaign store: a run that cannot be saved leaves no rows") {
  const CampaignFile results;
  const CampaignIdentity campaign = two_scenarios();
  ResultStore store = results.open();
  REQUIRE(store.append(campaign, runs_from(1, 2)).has_value());
  results.change(
      "CREATE TRIGGER full BEFORE INSERT ON run WHEN new.seed = '5' "
      "BEGIN SELECT RAISE(ABORT, 'no room'); END");
  const auto saved = store.append(campaign, runs_from(3, 6));
  REQUIRE_FALSE(saved.has_value());
  CHECK_THAT(saved.assume_error().message(), Contains(results.file) && Contains("no room"));
  CHECK(all_of(store, campaign).size() == 2);
  CHECK(results.verified().is_whole());
  results.change("DROP TRIGGER full");
  REQUIRE(store.append(campaign, runs_from(3, 6)).has_value());
  CHECK(all_of(store, campaign).size() == 6);
}

TEST_CASE(
    "campaign store: a run whose process died stays stored, and may finish in a later campaign") {
  const CampaignFile results;
  const CampaignIdentity campaign = two_scenarios();
  RunRecord died;
  died.seed = 8;
  died.exit_code = 70;
  died.what = "its process died of signal 9 (Killed)";
  died.end = RunEnd::died;
  REQUIRE(results.open().append(campaign, std::vector{died, stored_run(3)}).has_value());
  REQUIRE(results.open().append(campaign, std::vector{died, stored_run(8)}).has_value());
  REQUIRE(results.open().append(campaign, std::vector{stored_run(8)}).has_value());
  const std::vector<RunRecord> read = all_of(results.open(), campaign);
  REQUIRE(read.size() == 4);
  for (const std::size_t i : {0U, 2U}) {
    CHECK(read[i].end == RunEnd::died);
    CHECK(read[i] == died);
  }
  CHECK(read[3].end == RunEnd::complete);
  CHECK(read[3] == stored_run(8));
  CHECK(results.verified().is_whole());
  CHECK(query(results.file, "SELECT count(*) FROM run WHERE verdict = 'worker died'") == 2);
}

TEST_CASE("results: readers and writers refuse a file of an older schema, and name its number") {
  const CampaignFile results;
  REQUIRE(results.open().append(two_scenarios(), runs_from(1, 4)).has_value());
  results.change("PRAGMA user_version = 7");
  const auto answered = [&](const FileError& error) {
    CHECK_THAT(error.message(),
               Contains("older photonsim (schema 7)") &&
                   Contains("reads schema " + std::to_string(kResultStoreVersion)) &&
                   Contains("; read it with that photonsim, or run again into"));
  };
  const auto runs = ResultStore::open(results.file);
  REQUIRE_FALSE(runs.has_value());
  answered(runs.assume_error());
  const auto checked = verify_results(results.file);
  REQUIRE_FALSE(checked.has_value());
  answered(checked.assume_error());
  CHECK(query(results.file, "PRAGMA user_version") == 7);
}

TEST_CASE("campaign store: a study with more points keeps its rows; one that branches off copies") {
  const CampaignFile campaign;
  ResultStore store = campaign.open();
  const CampaignIdentity before = two_scenarios();
  const auto runs = runs_from(1, 6);
  REQUIRE(store.append(before, runs).has_value());
  const CampaignIdentity after = with_points(before, 1);
  const auto grown = store.continue_as(before, after, "so far");
  REQUIRE(grown.has_value());
  CHECK(grown.assume_value() == ResultStore::Continued::in_place);
  CHECK(all_of(store, after) == runs);
  CHECK(all_of(store, before).empty());
  REQUIRE(store.campaigns().assume_value().size() == 1);
  CHECK(store.campaigns().assume_value().front().identity.points.size() == 3);
  CHECK(query_text(campaign.file, "SELECT outcome FROM study") == "so far");
  CHECK(campaign.verified().is_whole());
  // Runs that it has are not stored twice under its new key.
  REQUIRE(store.append(after, runs_from(5, 8)).has_value());
  CHECK(all_of(store, after) == runs_from(1, 8));

  // One that has the first point alone in common takes the runs of that one, and both stay.
  CampaignIdentity branch = before;
  branch.points[1].text = "[b]\nx = 6\n";
  const auto copied = store.continue_as(after, branch);
  REQUIRE(copied.has_value());
  CHECK(copied.assume_value() == ResultStore::Continued::by_copies);
  for (const RunRecord& each : all_of(store, branch)) CHECK(each.scenario == 0);
  CHECK(all_of(store, branch).size() == 4);
  CHECK(all_of(store, after) == runs_from(1, 8));

  // Another program may store the longer study, or one of the same points as the shorter was.
  REQUIRE(store.append(before, runs_from(1, 2)).has_value());
  CHECK(all_of(store, before) == runs_from(1, 2));
  const auto merged = store.continue_as(before, after);
  REQUIRE(merged.has_value());
  CHECK(merged.assume_value() == ResultStore::Continued::by_copies);
  CHECK(all_of(store, before).empty());
  CHECK(all_of(store, after) == runs_from(1, 8));
  CHECK(campaign.verified().is_whole());
}

TEST_CASE("campaign store: the work of a study that gets more points does not grow with its runs") {
  const auto rows_of = [](std::uint64_t runs) {
    const CampaignFile campaign;
    ResultStore store = campaign.open();
    CampaignIdentity study = two_scenarios();
    REQUIRE(store.append(study, runs_from(1, runs)).has_value());
    // Not one row of a run may be changed.
    for (const std::string what : {"INSERT", "UPDATE", "DELETE"}) {
      campaign.change("CREATE TRIGGER no_" + what + " BEFORE " + what +
                      " ON run BEGIN SELECT RAISE(ABORT, 'a run is written'); END");
    }
    const std::int64_t before = store.rows_written();
    constexpr int kSteps = 5;
    for (int step = 0; step < kSteps; ++step) {
      const CampaignIdentity more = with_points(study, 2);
      REQUIRE(store.continue_as(study, more).has_value());
      study = more;
    }
    CHECK(all_of(store, study).size() == runs);
    CHECK(campaign.verified().is_whole());
    return store.rows_written() - before;
  };
  const std::int64_t rows = rows_of(4);
  CHECK(rows > 0);
  CHECK(rows_of(200) == rows);
}

TEST_CASE("campaign store: a changed point is not sealed anew when its study gets more points") {
  for (const std::string change :
       {"UPDATE point SET text = 'x' WHERE number = 0", "UPDATE parameter SET value = '7'",
        "UPDATE study SET points = 1", "DELETE FROM point WHERE number = 1"}) {
    CAPTURE(change);
    const CampaignFile campaign;
    ResultStore store = campaign.open();
    const CampaignIdentity study = two_scenarios();
    REQUIRE(store.append(study, runs_from(1, 4)).has_value());
    campaign.change(change);
    const auto grown = store.continue_as(study, with_points(study, 1));
    REQUIRE_FALSE(grown.has_value());
    CHECK_THAT(grown.assume_error().message(), Contains("it is damaged: campaign " + study.key()));
    CHECK_FALSE(campaign.verified().is_whole());
    CHECK(query(campaign.file, "SELECT count(*) FROM study") == 1);
  }
}

TEST_CASE("campaign store: a study that cannot get all its points stays what it was") {
  for (const std::string at : {"UPDATE OF study ON point WHEN new.number = 1",
                               "UPDATE OF seal ON point WHEN old.number = 1",
                               "INSERT ON point WHEN new.number = 3", "DELETE ON study"}) {
    CAPTURE(at);
    const CampaignFile campaign;
    ResultStore store = campaign.open();
    const CampaignIdentity study = two_scenarios();
    const CampaignIdentity more = with_points(study, 2);
    REQUIRE(store.append(study, runs_from(1, 4)).has_value());
    campaign.change("CREATE TRIGGER full BEFORE " + at +
                    " BEGIN SELECT RAISE(ABORT, 'no room'); END");
    REQUIRE_FALSE(store.continue_as(study, more).has_value());
    CHECK(all_of(store, study) == runs_from(1, 4));
    CHECK(all_of(store, more).empty());
    CHECK(campaign.verified().is_whole());
    campaign.change("DROP TRIGGER full");
    REQUIRE(store.continue_as(study, more).has_value());
    CHECK(all_of(store, more) == runs_from(1, 4));
    CHECK(campaign.verified().is_whole());
  }
}

TEST_CASE("campaign store: the longest study that begins with some points is found") {
  const CampaignFile campaign;
  ResultStore store = campaign.open();
  const CampaignIdentity first = two_scenarios();
  const auto found = [&](const std::string& preferred) {
    const auto longest = store.longest_from(first, preferred);
    REQUIRE(longest.has_value());
    return longest.assume_value() ? longest.assume_value()->key() : std::string();
  };
  CHECK(found("").empty());
  CampaignIdentity other = with_points(first, 4);
  other.points[0].text = "[a]\nx = 2\n";
  CampaignIdentity checked = with_points(first, 4);
  checked.self_check = 0.5;
  const CampaignIdentity longer = with_points(first, 1), longest = with_points(first, 2);
  for (const CampaignIdentity& each : {other, checked, longer, longest}) {
    REQUIRE(store.append(each, runs_from(1, 1)).has_value());
  }
  CHECK(found("") == longest.key());
  CHECK(found(longer.key()) == longer.key());
  CHECK(found(other.key()) == longest.key());
}

}  // namespace photon::analysis::testing
