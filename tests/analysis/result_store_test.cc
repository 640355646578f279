#include "analysis/results/result_store.h"

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/analysis/results_file.h"
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::analysis::testing {
namespace {

namespace fs = std::filesystem;

LatencyHistogram one_latency() {
  LatencyHistogram histogram;
  histogram.add(Duration(5'000'000));
  return histogram;
}

// A directory of this test's own, removed at its end.
using Scratch = photon::testing::TemporaryFolder;

RunDetails run_of(std::uint64_t seed, const LatencyHistogram& latencies = one_latency()) {
  Summary summary;
  summary.scenario = "x";
  summary.seed = seed;
  summary.joined = 7;
  summary.lost = {{"L-crash", 2}};
  summary.violations_total = 1;
  summary.violations = {{"J-S1", Severity::safety, SimTime{}, NodeId{4}, click_id(1), "it's twice",
                         "us-east1/registry/0"},
                        {"J-P0", Severity::liveness, SimTime{}, kNoNode, EventId{}, "stuck"}};
  summary.losses = {{click_id(1), LossClass::crash, Token{4, 2, 8}, "us-east1/joiner/0",
                     Incarnation{2}, SimTime{5ms}, SimTime{7ms}, "it died"},
                    {click_id(2), LossClass::unclassified, {}, {}, {}, {}, kNever, "no evidence"}};
  RunDetails run = details_of(summary, "[scenario]\nname = \"x\"\n", "v1");
  run.record.histograms = {{"stages.total", latencies.to_bytes()}};
  run.summary.faults = {{0, "crash 3", 10, 10, true}, {1, "outage", 20, 30, false}};
  run.checkpoints = {{1000, 10, "aa"}, {2000, 20, "bb"}};
  run.manifest = {{"compiler", "g++"}};
  return run;
}

}  // namespace

TEST_CASE("store: the figures of a load are metrics; what was not measured is none") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  auto store = ResultStore::open(file);
  REQUIRE(store.has_value());
  RunDetails run = run_of(3);
  REQUIRE(store.value().save(run).has_value());
  const RunRecord before = stored_record(file, run.key()).value();
  CHECK_FALSE(before.metric("load.operations"));
  CHECK_FALSE(before.metric("latency_seconds.mean"));
  CHECK(before.metric("latency_seconds.count") == 0.0);
  run.summary.load.operations = 9;
  run.summary.load.codes = {{"inserted", 4}};
  run.summary.load.insert_latency = {4, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
  run.summary.registry.commit_latency = {2, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
  run.summary.corner_cases = {{"BC-01", 6}};
  run.record = run_record_of(run.summary, {});
  REQUIRE(store.value().save(run).has_value());
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, double>>{{"load.operations", 9},
                                                   {"load.codes.inserted", 4},
                                                   {"load.insert_latency.p99", 0.5},
                                                   {"load.lookup_latency.count", 0},
                                                   {"registry.commit_latency.mean", 0.25}}) {
    CAPTURE(name);
    CHECK(stored_record(file, run.key())->metric(name) == value);
  }
  CHECK(query(file, "SELECT count FROM coverage WHERE kind = 'corner_case' AND name = 'BC-01'") ==
        6);
  CHECK(query(file,
              "SELECT count(*) FROM metric WHERE name = 'load.insert_latency.p99' AND "
              "unit = 'seconds' AND adding = 'none' AND value = 0.5") == 1);
}

TEST_CASE("store: single shards, time series and latencies around faults are views") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  auto store = ResultStore::open(file);
  REQUIRE(store.has_value());
  RunDetails run = run_of(3);
  run.summary.figures = {{"batch_max", "", "", 7, Unit::count},
                         {"operations", "shard", "1", 40, Unit::count},
                         {"own_p90", "pipeline", "b", 1.5, Unit::seconds}};
  run.summary.series = {.interval_seconds = 2, .offered = {5, 6}, .served = {4, 7}};
  PipelineSeries pipeline{.where = "b", .joins = {0, 3}, .backlog = {1, 0}};
  for (LatencyColumn& column : pipeline.latency) column = {std::nullopt, 0.25};
  for (LatencyColumn& column : pipeline.own) column = {std::nullopt, 0.125};
  run.summary.series.pipelines.push_back(pipeline);
  LatencyFigures latency;
  latency.count = 3;
  latency.p90 = 0.75;
  run.summary.fault_latencies = {
      {.number = 1,
       .description = "outage",
       .before = {},
       .during = {.from_seconds = 1, .until_seconds = 2, .latency = latency},
       .after = {}}};
  REQUIRE(store.value().save(run).has_value());
  REQUIRE(store.value().save(run_of(4)).has_value());  // one without any
  const auto rows = [&](const std::string& where) {
    return query(file, "SELECT count(*) FROM " + where);
  };
  CHECK(rows("figure") == 3);
  CHECK(rows("figure WHERE of = 'run' AND place = '' AND name = 'batch_max' AND value = 7") == 1);
  CHECK(rows("figure WHERE of = 'shard' AND place = 1 AND value = 40 AND unit = 'count'") == 1);
  CHECK(rows("figure WHERE of = 'pipeline' AND place = 'b' AND value = 1.5") == 1);
  // 4 of the whole run, joins and backlog twice, and each of six quantiles once.
  CHECK(rows("series") == 4 + 4 + 6);
  CHECK(rows("series WHERE place = '' AND name = 'served' AND until_seconds = 4 AND value = 7") ==
        1);
  CHECK(rows("series WHERE place = 'b' AND name = 'own_p99' AND number = 1 AND value = 0.125") ==
        1);
  CHECK(rows("fault_latency") == 6);
  CHECK(rows("fault_latency WHERE fault = 1 AND period = 'during' AND latency = 'latency' AND "
             "count = 3 AND p90 = 0.75 AND until_seconds = 2") == 1);
  CHECK(rows("fault_latency WHERE period = 'before' AND count = 0 AND p90 IS NULL") == 2);
}

TEST_CASE("store: runs of one scenario share a point, whose keys are parameters") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  auto store = ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.value().save(run_of(3)).has_value());
  REQUIRE(store.value().save(run_of(4)).has_value());
  RunDetails other = run_of(3);
  other.point.text = "[run]\nduration = \"20s\"\n";
  other.point.parameters = {{"run.duration", "20s"}, {"faults.outage.0.at", "3s"}};
  REQUIRE(store.value().save(other).has_value());
  CHECK(query(file, "SELECT count(*) FROM study") == 1);
  CHECK(query(file, "SELECT count(*) FROM point") == 2);
  CHECK(query(file, "SELECT runs FROM study") == 3);
  const auto has = [&](const std::string& name, const std::string& value) {
    return query(file, "SELECT count(*) FROM parameter WHERE name = '" + name + "' AND value = '" +
                           value + "'") == 1;
  };
  CHECK(has("run.duration", "20s"));
  CHECK(has("faults.outage.0.at", "3s"));
  CHECK(query(file, "SELECT count(*) FROM parameter") == 2);
}

TEST_CASE(
    "store: the view of buckets has the bounds in which each latency lies, and their counts") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  const std::vector<std::int64_t> values{
      -9'000'000'000,           -64, -63, -1, 0, 1, 63, 64, 127, 128, 1'000'000, 1'000'000,
      9'223'372'036'854'775'807};
  LatencyHistogram histogram;
  for (const std::int64_t value : values) histogram.add(Duration(value));
  const RunDetails run = run_of(3, histogram);
  auto store = ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.value().save(run).has_value());
  CHECK(stored_record(file, run.key())->histograms == run.record.histograms);
  CHECK(query(file, "SELECT sum(count) FROM histogram_bucket") ==
        static_cast<std::int64_t>(values.size()));
  CHECK(query(file, "SELECT max(count) FROM histogram_bucket") == 2);
  for (const std::int64_t value : values) {
    CAPTURE(value);
    CHECK(query(file, "SELECT count(*) FROM histogram_bucket WHERE low_ns <= " +
                          std::to_string(value) + " AND high_ns >= " + std::to_string(value)) == 1);
  }
  // Below 64 ns a bucket is exact, above it is 1/64 of its power of two.
  CHECK(query(file, "SELECT max(high_ns - low_ns) FROM histogram_bucket WHERE abs(low_ns) < 128") ==
        0);
  CHECK(query(file,
              "SELECT count(*) FROM histogram_bucket WHERE (high_ns - low_ns) > "
              "abs(low_ns) / 64") == 0);
}

TEST_CASE("store: a run is stored whole, is found by its key, and is replaced by its like") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  const RunDetails run = run_of(3);
  {
    auto store = ResultStore::open(file);
    REQUIRE(store.has_value());
    CHECK_FALSE(stored_record(file, run.key()));
    REQUIRE(store.value().save(run).has_value());
    REQUIRE(store.value().save(run_of(4)).has_value());
    REQUIRE(store.value().save(run).has_value());  // again: replaced
  }
  CHECK(exported_runs(file).size() == 2);
  const RunRecord stored = stored_record(file, run.key()).value();
  CHECK(query_text(file, "SELECT json FROM summary JOIN run ON run.id = summary.run WHERE key = '" +
                             run.key() + "'") == to_json(run.summary));
  CHECK(stored.metric("joined") == 7.0);
  CHECK(stored.metric("lost.L-crash") == 2.0);
  CHECK_FALSE(stored.metric("nonsense"));
  CHECK(stored.histograms == run.record.histograms);
  CHECK(query(file, "SELECT count(*) FROM violation WHERE message = 'it''s twice'") == 2);
  CHECK(query(file, "SELECT count(*) FROM violation WHERE process IS NULL AND event IS NULL") == 2);
  CHECK(query(file,
              "SELECT count(*) FROM violation WHERE process = 'us-east1/registry/0' AND event IS "
              "NOT NULL") == 2);
  CHECK(query(file, "SELECT count(*) FROM loss") == 4);
  CHECK(query(file,
              "SELECT count(*) FROM loss WHERE number = 0 AND click = '100:1@0.001s' AND "
              "class = 'L-crash' AND token = '4.2.8' AND registered_at_ns = 5000000 AND "
              "process = 'us-east1/joiner/0' AND life = 2 AND crashed_at_ns = 7000000 AND evidence "
              "= 'it died'") == 2);
  CHECK(query(file,
              "SELECT count(*) FROM loss WHERE class = 'unclassified' AND token IS NULL AND "
              "registered_at_ns IS NULL AND process IS NULL AND life IS NULL AND crashed_at_ns IS "
              "NULL") == 2);
  CHECK(query(file, "SELECT sum(effective) FROM fault") == 2);
  CHECK(query(file, "SELECT count(*) FROM checkpoint") == 4);
  CHECK(query(file, "SELECT count(*) FROM manifest") == 2);
  CHECK(query(file, "PRAGMA user_version") == kResultStoreVersion);
}

TEST_CASE("store: programs that write into one new file at once take turns and all succeed") {
  constexpr int kPrograms = 6;
  for (int round = 0; round < 5; ++round) {
    const Scratch scratch;
    const std::string file = scratch.file("results.db");
    std::vector<pid_t> children;
    for (int i = 0; i < kPrograms; ++i) {
      const pid_t child = ::fork();
      REQUIRE(child >= 0);
      if (child == 0) {  // only the store here, and no path back into the test
        auto store = ResultStore::open(file);
        if (!store) ::_exit(1);
        ::_exit(store.value().save(run_of(static_cast<std::uint64_t>(i))) ? 0 : 2);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 0);
    }
    CHECK(query(file, "SELECT count(*) FROM run") == kPrograms);
    CHECK(query(file, "SELECT count(*) FROM checkpoint") == 2 * kPrograms);
    CHECK(query(file, "PRAGMA user_version") == kResultStoreVersion);
  }
}

TEST_CASE("store: the key covers scenario, seed and model version") {
  CHECK(run_key("a", 1, "v") == run_key("a", 1, "v"));
  CHECK(run_key("a", 1, "v") != run_key("b", 1, "v"));
  CHECK(run_key("a", 1, "v") != run_key("a", 2, "v"));
  CHECK(run_key("a", 1, "v") != run_key("a", 1, "w"));
  CHECK(run_key("a", 1, "v").size() == 16);
}

TEST_CASE("store: a save that fails leaves nothing of the run behind") {
  const Scratch scratch;
  const std::string file = scratch.file("results.db");
  auto store = ResultStore::open(file);
  REQUIRE(store.has_value());
  // The last table to be written refuses: everything before it must be rolled back.
  change(file, "CREATE TRIGGER no BEFORE INSERT ON manifest BEGIN SELECT RAISE(FAIL, 'no'); END");
  auto saved = store.value().save(run_of(1));
  REQUIRE_FALSE(saved.has_value());
  CHECK_THAT(saved.error().message(), Catch::Contains(file));
  CHECK(query(file, "SELECT count(*) FROM run") == 0);
  CHECK(query(file, "SELECT count(*) FROM metric") == 0);
  // A full disk, as SQLite sees it: no page may be added.
  change(file, "DROP TRIGGER no");
  REQUIRE(store.value().save(run_of(1)).has_value());
}

// A limit on the size of files stands for a disk that fills up after the run was committed.
TEST_CASE("store: a file that cannot take all of its log is never reported whole") {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &usual) == 0);
  int gathered = 0;
  int refused = 0;
  for (rlim_t limit = 2048; limit < 400'000; limit += 16384) {
    const Scratch scratch;
    const std::string file = scratch.file("results.db");
    auto store = ResultStore::open(file);
    REQUIRE(store.has_value());
    REQUIRE(store.value().save(run_of(1)).has_value());
    const rlimit less{limit, usual.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
    const auto whole = store.value().gather();
    const std::string alone = scratch.file("alone.db");
    ::setrlimit(RLIMIT_FSIZE, &usual);
    fs::copy_file(file, alone);
    CAPTURE(limit, whole.has_value());
    if (whole) {
      CHECK(query(alone,
                  "SELECT count(*) FROM pragma_integrity_check "
                  "WHERE integrity_check = 'ok'") == 1);
      CHECK(query(alone, "SELECT count(*) FROM checkpoint") == 2);
    }
    ++(whole ? gathered : refused);
  }
  CHECK(gathered > 0);
  CHECK(refused > 0);
}

TEST_CASE("store: errors name the file, the cause and a remedy") {
  const Scratch scratch;
  SECTION("not a database") {
    const std::string file = scratch.file("notes.txt");
    std::ofstream(file) << std::string(5000, 'x');
    auto store = ResultStore::open(file);
    REQUIRE_FALSE(store.has_value());
    CHECK_THAT(store.error().message(), Catch::Contains(file) && Catch::Contains("not a results"));
    CHECK(fs::file_size(file) == 5000);  // untouched
  }
  SECTION("another program's database") {
    const std::string file = scratch.file("other.db");
    change(file, "CREATE TABLE mine (x)");
    auto store = ResultStore::open(file);
    REQUIRE_FALSE(store.has_value());
    CHECK_THAT(store.error().message(), Catch::Contains("another program"));
  }
  SECTION("another program's database with a number that looks like one of our schemas") {
    const std::string file = scratch.file("other.db");
    change(file, "CREATE TABLE mine (x); PRAGMA user_version = 1");
    auto store = ResultStore::open(file);
    REQUIRE_FALSE(store.has_value());
    CHECK_THAT(store.error().message(), Catch::Contains("another program"));
    CHECK(query(file, "SELECT count(*) FROM sqlite_schema") == 1);  // untouched
  }
  SECTION("a newer version") {
    const std::string file = scratch.file("new.db");
    change(file, "PRAGMA user_version = 99; CREATE TABLE run (x)");
    auto store = ResultStore::open(file);
    REQUIRE_FALSE(store.has_value());
    CHECK_THAT(store.error().message(), Catch::Contains("newer"));
  }
  SECTION("a directory that does not exist, a directory as file") {
    auto missing = ResultStore::open(scratch.file("none/results.db"));
    REQUIRE_FALSE(missing.has_value());
    CHECK_THAT(missing.error().message(), Catch::Contains("cannot be written"));
    fs::create_directory(scratch.file("dir"));
    CHECK_FALSE(ResultStore::open(scratch.file("dir")).has_value());
  }
  SECTION("a device that is full") {
    CHECK_FALSE(ResultStore::open("/dev/full").has_value());
    CHECK(fs::exists("/dev/full"));
  }
  SECTION("a read-only directory") {
    if (::geteuid() == 0) {
      WARN("skipped: root may write everywhere");
      return;
    }
    fs::create_directory(scratch.file("sealed"));
    ::chmod(scratch.file("sealed").c_str(), 0555);
    auto store = ResultStore::open(scratch.file("sealed/results.db"));
    ::chmod(scratch.file("sealed").c_str(), 0755);
    REQUIRE_FALSE(store.has_value());
    CHECK_FALSE(fs::exists(scratch.file("sealed/results.db")));
  }
}

}  // namespace photon::analysis::testing
