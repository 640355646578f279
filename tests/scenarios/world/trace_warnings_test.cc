// What a log and its scenario contradict each other in is said before the run.
#include "scenarios/world/trace_warnings.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "scenarios/world/trace_input.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::scenarios {
namespace {

using Catch::Contains;
using photon::testing::TemporaryFolder;
using Lines = std::vector<std::string>;

constexpr int kQueries = 50;
constexpr int kClicks = 400;

// A log of 400 clicks, a row each `step` of the unit from `first` on; `rows` replace clicks by
// their number.
struct Log {
  std::int64_t first = 0;
  std::int64_t step = 100;
  std::int64_t first_query = first;
  std::vector<std::pair<int, std::string>> rows{};
};

class Setting {
 public:
  explicit Setting(const Log& log, const Lines& set = {"faults.outage=[]"}) {
    std::string queries = "query_id,t_ms\n";
    for (int i = 0; i < kQueries; ++i) {
      queries += fmt::format("q{},{}\n", i, log.first_query + i * log.step * kClicks / kQueries);
    }
    Lines clicks;
    for (int i = 0; i < kClicks; ++i) {
      clicks.push_back(
          fmt::format("c{},q{},{}", i, i * kQueries / kClicks, log.first + i * log.step));
    }
    for (const auto& [number, row] : log.rows) clicks[static_cast<std::size_t>(number)] = row;
    std::string text = "click_id,query_id,t_ms\n";
    for (const std::string& each : clicks) text += each + "\n";
    Lines overrides = set;
    overrides.push_back("workload.primary.file=" + folder_.write("queries.csv", queries));
    overrides.push_back("workload.foreign.file=" + folder_.write("clicks.csv", text));
    const LoadResult loaded = load("scenarios/trace.toml", overrides);
    if (!loaded) FAIL(format(loaded.diagnostics()));
    config = loaded.config();
  }

  Lines warnings() const {
    auto log = read_trace(config);
    REQUIRE(log);
    return trace_warnings(config, log.assume_value());
  }

  Config config;

 private:
  TemporaryFolder folder_;
};

Lines warnings(const Log& log, const Lines& set = {"faults.outage=[]"}) {
  return Setting(log, set).warnings();
}

std::string only(const Lines& lines) {
  CAPTURE(lines);
  REQUIRE(lines.size() == 1);
  return lines.front();
}

}  // namespace

TEST_CASE("clicks that are earlier than their queries: do both tables count from one zero?") {
  Log log;
  log.first_query = 3'600'000;
  CHECK_THAT(only(warnings(log)), Contains("400 of 400 foreigns are earlier than their primary") &&
                                      Contains("in one time zone?"));
}

TEST_CASE("clicks that all follow their queries by about the same hours: in one time zone?") {
  // Each query has 8 clicks within 0.7 s, here 2 h later.
  CHECK_THAT(
      only(warnings({.first = 7'200'000, .first_query = 0})),
      Contains("every foreign follows its primary by 2 h 00 min or more, half of them by less "
               "than 2 h 00 min") &&
          Contains("in one time zone?"));
  // From 2 h to 9 h: they take their time.
  CHECK(warnings({.first = 7'200'000, .step = 3'600'000, .first_query = 0}).empty());
}

TEST_CASE("a sound log has no warnings") {
  CHECK(warnings({}).empty());
  CHECK(warnings({.first = 1'750'000'000'000}).empty());
  const Config shipped = load("scenarios/trace.toml").config();
  CHECK(trace_warnings(shipped, read_trace(shipped).value()).empty());
}

TEST_CASE("a stated unit that the times contradict is named with the one they look like") {
  const Lines both =
      warnings({.first = 1'750'000'000'000},
               {"faults.outage=[]", "workload.primary.unit=us", "workload.foreign.unit=us"});
  REQUIRE(both.size() == 2);
  CHECK_THAT(both[0], Contains("workload.primary.unit = \"us\", but the time 1750000000000 in ") &&
                          Contains("queries.csv:2 looks like ms since 1970 (2025-06-15T15:06:40Z); "
                                   "state workload.primary.unit = \"ms\""));
  CHECK_THAT(both[1], Contains("clicks.csv:2 looks like ms since 1970"));
}

TEST_CASE("a stated unit in which many rows last less than a second is questioned") {
  const Lines both =
      warnings({}, {"faults.outage=[]", "workload.primary.unit=us", "workload.foreign.unit=us"});
  CHECK_THAT(only(both), Contains("with workload.foreign.unit = \"us\" all 400 rows of "
                                  "workload.foreign.file lie within 39.9 ms; "
                                  "does workload.foreign.unit name the right unit?"));
}

TEST_CASE("tables that lie decades apart are questioned") {
  const Lines far = warnings({.first = 1'750'000'000, .first_query = 0},
                             {"faults.outage=[]", "workload.foreign.unit=s", "faults.random=[]"});
  CHECK_THAT(only(far), Contains("primaries from 0 (ms) and foreigns from 1750000000 (s); "
                                 "do workload.primary.unit and workload.foreign.unit name the "
                                 "right units"));
}

TEST_CASE("up to three rows far from all others are named with file, line, id and time") {
  CHECK_THAT(only(warnings({.rows = {{17, "r17,q2,9999999999"}}})),
             Contains("clicks.csv:19: the row 'r17' of 9999999999 lies 116 d after all others of "
                      "its table, which last 39.9 s; correct its time or remove the row"));
  const Lines three = warnings(
      {.rows = {{17, "r17,q2,9999999999"}, {18, "r18,q2,-9999999"}, {19, "r19,q2,9999990000"}}});
  REQUIRE(three.size() == 3);
  CHECK_THAT(three[0], Contains("'r18' of -9999999 lies 2 h 47 min before all others"));
  CHECK_THAT(three[1], Contains("'r17' of 9999999999"));
  CHECK_THAT(three[2], Contains("'r19' of 9999990000"));
}

TEST_CASE("more far rows are said once; a tenth of all, or a hundred spans away, is a log") {
  CHECK_THAT(only(warnings({.rows = {{17, "r17,q2,9999999999"},
                                     {18, "r18,q2,9999999998"},
                                     {19, "r19,q2,9999999997"},
                                     {20, "r20,q2,9999999996"}}})),
             Contains("4 of 400 foreigns lie far from the others, which last ") &&
                 Contains("correct their times or remove the rows"));
  std::vector<std::pair<int, std::string>> many;
  for (int row = 0; row < 45; ++row) {
    many.emplace_back(row, fmt::format("r{},q2,9999999999", row));
  }
  CHECK(warnings({.rows = many}).empty());
  CHECK(warnings({.rows = {{399, "r399,q2,3900000"}}}).empty());
}

TEST_CASE("a stated length is said to be overruled by a longer log, or only to lengthen the run") {
  const Lines still{"faults.outage=[]", "faults.random=[]"};
  const auto with = [&](const std::string& duration) {
    Lines set = still;
    set.push_back("run.duration=" + duration);
    return warnings({}, set);
  };
  CHECK_THAT(only(with("20s")),
             Contains("run.duration = 20s is overruled: the log ends 39.9 s after "
                      "the start, and all of it is replayed; shorten the log"));
  CHECK_THAT(only(with("1min")),
             Contains("run.duration = 1min only lengthens the run: the log ends "
                      "39.9 s after the start"));
  CHECK(with("39900ms").empty());
  // Clicks begin after the warm-up, and the log ends as much later.
  CHECK_THAT(only(warnings({}, {"faults.outage=[]", "faults.random=[]", "run.warm_up=5s",
                                "run.duration=44s"})),
             Contains("is overruled: the log ends 44.9 s after the start"));
}

TEST_CASE("faults and operations after the end of the log are named with their keys") {
  const Lines late =
      warnings({}, {"faults.random.0.from=1min",
                    "operations.kill_master=[{ group = \"registry/0\", at = \"10s\" }, "
                    "{ group = \"registry/0\", at = \"50s\" }]"});
  REQUIRE(late.size() == 3);
  CHECK_THAT(late[0],
             Contains("faults.random.0.from = 1min has no effect: the log ends after 39.9 s"));
  CHECK_THAT(late[1],
             Contains("faults.outage.0.at = 3min has no effect: the log ends after 39.9 s; "
                      "state an earlier faults.outage.0.at, or remove it "
                      "(--set faults.outage=[])"));
  CHECK_THAT(late[2], Contains("operations.kill_master.1.at = 50s has no effect") &&
                          Contains("or remove the entry"));
}

TEST_CASE("a run hands its warnings out before it begins, from the log that it has read") {
  class Listener final : public RunObserver {
   public:
    StopRequest on_progress(const Progress& /*progress*/) override {
      began = true;
      return StopRequest::stop;
    }
    void on_warnings(const std::vector<std::string>& warnings) override {
      CHECK_FALSE(began);
      heard = warnings;
    }
    bool began = false;
    Lines heard{};
  };
  Listener listener;
  const Setting setting({}, {});
  REQUIRE(run_scenario({&setting.config, 1, nullptr, &listener}));
  CHECK(listener.began);
  CHECK_THAT(only(listener.heard), Contains("faults.outage.0.at = 3min has no effect"));
}

}  // namespace photonsim::scenarios
