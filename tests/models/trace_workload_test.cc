#include "models/trace_workload.h"

#include "models/clocks.h"
#include "tests/models/workload_check.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photon::models {
namespace {

using photon::testing::TemporaryFolder;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A log of two tables, and how it becomes a workload.
struct Setting {
  TraceTable primary;
  TraceTable foreign;
  Dangling dangling = Dangling::error;
  TraceWorkload::Options workload{.primary_servers = 3, .foreign_servers = 2};
};

Setting options(const TemporaryFolder& folder, std::string_view primary, std::string_view foreign) {
  Setting out;
  out.primary = {{folder.write("queries.csv", primary)}, "id", "", "time", TimeForm::milliseconds};
  out.foreign = {
      {folder.write("clicks.csv", foreign)}, "id", "query", "time", TimeForm::milliseconds};
  return out;
}

// The text of all faults, one per line; empty if there was none.
std::string faults_of(const Setting& setting) {
  const auto log = read_trace_log(setting.primary, setting.foreign, setting.dangling);
  std::string out;
  if (!log) {
    for (const std::string& each : log.error().texts()) out += each + "\n";
  }
  return out;
}

std::unique_ptr<TraceWorkload> load(const Setting& setting) {
  const HostClocks clocks(1, {});
  REQUIRE(faults_of(setting).empty());
  return std::make_unique<TraceWorkload>(
      read_trace_log(setting.primary, setting.foreign, setting.dangling).value(), setting.workload,
      clocks);
}

bool says(const std::string& faults, std::string_view text) {
  INFO(faults);
  CHECK(faults.find(text) != std::string::npos);
  return faults.find(text) != std::string::npos;
}

constexpr std::string_view kQueries = "id,time,text\nq1,1000,red\nq2,1500.5,blue\nq3,900,green\n";
constexpr std::string_view kClicks =
    "id,query,time\nc1,q1,2000\nc2,q1,2000.25\nc3,,1200\nc4,q2,1900\nc5,q3,850\n";

TEST_CASE("A-01 A-03 a trace becomes consistent logs and clicks") {
  const TemporaryFolder folder;
  const auto workload = load(options(folder, kQueries, kClicks));
  testing::check_random_reads(*workload, 3);
  const auto found = testing::check_workload(*workload);
  CHECK(found.queries == 3);
  CHECK(found.clicks == 5);
  CHECK(found.referring_to_nothing == 1);  // the empty key
  CHECK(found.clicked.size() == 3);
  CHECK(workload->logs().size() == 5);
}

TEST_CASE(
    "times count from the earliest row, decimals in the unit of the file, rows in any order") {
  const TemporaryFolder folder;
  auto setting = options(folder, kQueries, kClicks);
  setting.workload.lead = seconds(2);
  const auto workload = load(setting);
  std::vector<Duration> times;
  while (const auto click = workload->next_click())
    times.push_back(click->at - SimTime(seconds(2)));
  CHECK(times == std::vector<Duration>{milliseconds(0), milliseconds(350), milliseconds(1050),
                                       milliseconds(1150), std::chrono::microseconds(1'150'250)});
  CHECK(workload->end() ==
        SimTime(seconds(2)) + std::chrono::microseconds(1'150'250) + Duration(1));
  setting.foreign.form = TimeForm::nanoseconds;
  setting.primary.form = TimeForm::nanoseconds;
  CHECK(says(faults_of(options(folder, "id,time\nq,1e3\n", kClicks)), "'1e3' is not a time"));
  const auto in_nanoseconds = load(options(folder, kQueries, kClicks));
  CHECK(in_nanoseconds->end() > SimTime(seconds(1)));
}

TEST_CASE("negative times and seconds with decimals are exact to the nanosecond") {
  const TemporaryFolder folder;
  auto setting = options(folder, "id,time\nq,-1.5\n", "id,query,time\nc,q,0.000000001\n");
  setting.primary.form = TimeForm::seconds;
  setting.foreign.form = TimeForm::seconds;
  const auto workload = load(setting);
  const auto click = workload->next_click();
  REQUIRE(click);
  CHECK(click->at == SimTime(seconds(1)) + Duration(1'500'000'001));
  for (const char* wrong :
       {"", "x", "1.2.3", "-", ".5", "--1", " 1", "99999999999999999999999999x", "1e3"}) {
    CAPTURE(wrong);
    CHECK(says(faults_of(options(folder, std::string("id,time\nq,") + wrong + "\n", kClicks)),
               std::string("queries.csv:2: '") + wrong + "' is not a time"));
  }
}

TEST_CASE("a time finer than a nanosecond is refused, not rounded; trailing zeros are ignored") {
  const TemporaryFolder folder;
  const auto fault_of = [&](const std::string& time) {
    return faults_of(options(folder, "id,time\nq," + time + "\n", "id,query,time\nc,q,900\n"));
  };
  for (const std::string fine : {"1.0000001", "1.00000001", "0.1234567890"}) {
    CAPTURE(fine);
    CHECK(
        says(fault_of(fine), "queries.csv:2: the time '" + fine + "' is finer than a nanosecond"));
  }
  load(options(folder, "id,time\nq,1.00000100000\n", "id,query,time\nc,q,900\n"));
}

TEST_CASE("a time that is a number but too far away is reported as such, in every unit") {
  const TemporaryFolder folder;
  const auto fault_of = [&](const std::string& time, TimeForm unit) {
    auto setting = options(folder, "id,time\nq," + time + "\n", "id,query,time\nc,q,1\n");
    setting.primary.form = unit;
    return faults_of(setting);
  };
  for (const std::string far : {"9223372036854775", "-9223372036854775",
                                "99999999999999999999999999999999999999999999999999"}) {
    CAPTURE(far);
    CHECK(says(fault_of(far, TimeForm::milliseconds),
               "queries.csv:2: the time '" + far + "' is out of range"));
  }
  CHECK(says(fault_of("2400000000", TimeForm::seconds), "out of range"));
  CHECK(fault_of("2300000000", TimeForm::seconds).empty());  // 2042
  CHECK(fault_of("000000000000000000000000000000000000000000000000000001.5", TimeForm::microseconds)
            .empty());
}

TEST_CASE("an empty key is a click on nothing; an unknown one is an error unless it is allowed") {
  const TemporaryFolder folder;
  auto setting = options(folder, kQueries, "id,query,time\nc1,,1000\nc2,q9,1000\nc3,q9,1001\n");
  const std::string faults = faults_of(setting);
  CHECK(says(faults, "clicks.csv:3: the primary 'q9' does not exist in"));
  CHECK(says(faults, "clicks.csv:4: "));
  CHECK(says(faults, "workload.foreign.dangling"));
  setting.dangling = Dangling::allowed;
  const auto workload = load(setting);
  const auto empty = workload->next_click();
  const auto dangling = workload->next_click();
  const auto same = workload->next_click();
  REQUIRE(same);
  CHECK(empty->truth.query.is_null());
  CHECK_FALSE(dangling->truth.query.is_null());
  CHECK(dangling->truth.query_file == trace::ClickGenerated::kNoFile);
  CHECK(same->truth.query == dangling->truth.query);
}

TEST_CASE("duplicate ids are errors that name both lines") {
  const TemporaryFolder folder;
  const std::string faults =
      faults_of(options(folder, "id,time\nq1,5\nq2,1\nq1,2\n", "id,query,time\nc,q1,3\nc,q2,1\n"));
  CHECK(says(faults, "queries.csv:4: the id 'q1' stands already in line 2"));
  CHECK(says(faults, "clicks.csv:3: the id 'c' stands already in line 2"));
}

TEST_CASE("faults of all kinds in both files are reported together") {
  const TemporaryFolder folder;
  const std::string faults = faults_of(
      options(folder, "id,time\nq1,5\nq1,noon\n,7\n", "id,query,time\nc,q1,3\nc,q9,1\nd,q1,\n"));
  CHECK(says(faults, "queries.csv:3: 'noon' is not a time"));
  CHECK(says(faults, "queries.csv:3: the id 'q1' stands already in line 2"));
  CHECK(says(faults, "queries.csv:4: the id is empty"));
  CHECK(says(faults, "clicks.csv:3: the id 'c' stands already in line 2"));
  CHECK(says(faults, "clicks.csv:3: the primary 'q9' does not exist"));
  CHECK(says(faults, "clicks.csv:4: '' is not a time"));
}

TEST_CASE("a row with a wrong number of fields hides no fault of another row") {
  const TemporaryFolder folder;
  const std::string faults = faults_of(options(folder, "id,time\nq1,5,6\nq2,noon\nq3,1\n",
                                               "id,query,time\nc\nd,q1,3\nd,q3,1\ne,q9,1\n"));
  CHECK(says(faults, "queries.csv:2: 3 fields where the header names 2"));
  CHECK(says(faults, "queries.csv:3: 'noon' is not a time"));
  CHECK(says(faults, "clicks.csv:2: 1 field where the header names 3"));
  CHECK(says(faults, "clicks.csv:4: the id 'd' stands already in line 3"));
  // Which queries exist is unknown while one of their rows cannot be read.
  CHECK(faults.find("does not exist") == std::string::npos);
  // A broken click has no effect on the checks of queries.
  const std::string clicks = faults_of(options(folder, kQueries, "id,query,time\nc\nd,q9,3\n"));
  CHECK(says(clicks, "clicks.csv:2: 1 field "));
  CHECK(says(clicks, "clicks.csv:3: the primary 'q9' does not exist"));
}

TEST_CASE("missing columns, broken rows and missing files name place and remedy") {
  const TemporaryFolder folder;
  CHECK(says(faults_of(options(folder, "key,time\nq,1\n", kClicks)),
             "queries.csv:1: there is no column 'id' (the header names key, time"));
  CHECK(says(faults_of(options(folder, kQueries, "id,time\nc,1\n")),
             "clicks.csv:1: there is no column 'query'"));
  CHECK(says(faults_of(options(folder, "id,time\n\"q,1\n", kClicks)), "queries.csv:2: a quote"));
  CHECK(says(faults_of(options(folder, kQueries, "id,query,time\nc,q1\n")),
             "clicks.csv:2: 2 fields"));
  CHECK(says(faults_of(options(folder, "", kClicks)), "queries.csv: the file is empty"));
  CHECK(says(faults_of(options(folder, kQueries, "id,query,time\n")), "the table has no rows"));
  auto missing = options(folder, kQueries, kClicks);
  missing.foreign.files = {folder.file("none.csv")};
  CHECK(says(faults_of(missing), "none.csv: No such file"));
}

TEST_CASE("the form of the times is that of the first row, for each table; others are faults") {
  const TemporaryFolder folder;
  auto setting =
      options(folder, "id,time\nq1,2013-06-22T08:30:00Z\nq2,2013-06-22T08:30:01.5+00:00\n",
              "id,query,time\nc1,q1,1371889803\nc2,q2,1371889804.25\n");
  setting.primary.form = setting.foreign.form = std::nullopt;
  const auto workload = load(setting);
  CHECK(workload->next_click()->at == SimTime(seconds(1) + seconds(3)));
  CHECK(workload->next_click()->at == SimTime(seconds(1) + milliseconds(4250)));
  auto wrong = options(folder, "id,time\nq1,2013-06-22T08:30:00Z\nq2,1371889801\n", kClicks);
  wrong.primary.form = wrong.foreign.form = std::nullopt;
  const std::string faults = faults_of(wrong);
  CHECK(says(faults,
             "queries.csv:3: '1371889801' is not a time (it looks like s, but the row before"
             " it is \"iso8601\")"));
  CHECK(says(faults,
             "clicks.csv:2: the unit of the time '2000' cannot be told (state it: "
             "workload.foreign.unit = \"s\""));
  CHECK(faults.find("clicks.csv:3") == std::string::npos);  // asked once
  auto text = options(folder, "id,time\nq1,yesterday\n", kClicks);
  text.primary.form = std::nullopt;
  CHECK(says(faults_of(text), "queries.csv:2: 'yesterday' is not a time (write 2026-11-26T"));
}

TEST_CASE("several files of one table are one log; ids are unique among all of them") {
  const TemporaryFolder folder;
  auto setting = options(folder, "id,time\nq1,1000\n", "time,id,query\n2000,c1,q1\n2001,c2,q2\n");
  setting.primary.files.push_back(folder.write("more.csv", "time,extra,id\n1500,x,q2\n"));
  setting.foreign.files.push_back(folder.write("late.tsv", "id\tquery\ttime\nc3\tq2\t1800\n"));
  const auto workload = load(setting);
  const auto found = testing::check_workload(*workload);
  CHECK(found.queries == 2);
  CHECK(found.clicks == 3);
  CHECK(found.clicked.size() == 2);
  setting.foreign.files.push_back(folder.write("again.csv", "id,query,time\nc4,q9,1\nc1,q1,1\n"));
  const std::string faults = faults_of(setting);
  CHECK(says(faults, "again.csv:2: the primary 'q9' does not exist in " +
                         setting.primary.files.front() + " and 1 more"));
  CHECK(says(faults,
             "again.csv:3: the id 'c1' stands already in " + setting.foreign.files.front() + ":2"));
}

TEST_CASE("long ids, long rows and quoted line ends are kept; ids beyond the limit are faults") {
  const TemporaryFolder folder;
  const std::string lengthy(1000, 'q');
  const auto setting =
      options(folder, "text,id,time\n\"" + std::string(300, 'x') + "\n,\"," + lengthy + ",1000\n",
              "id,query,time\nc1," + lengthy + ",2000\nc2,,2001\n");
  const auto workload = load(setting);
  testing::check_random_reads(*workload, 3);
  const auto found = testing::check_workload(*workload);
  CHECK(found.clicked.size() == 1);
  CHECK(says(faults_of(options(folder, "id,time\n" + lengthy + "q,1\n", kClicks)),
             "queries.csv:2: an id is longer than 1000 bytes"));
}

TEST_CASE("D-06 a trace expects skips for the campaigns that the modulus names") {
  const TemporaryFolder folder;
  auto setting = options(folder, kQueries, kClicks);
  setting.workload.join = {.kind = JoinRule::Kind::filter, .skip_modulo = 1};  // every campaign
  const auto workload = load(setting);
  std::uint64_t skips = 0;
  while (const auto click = workload->next_click()) skips += click->truth.expect_skip;
  CHECK(skips == 4);  // all but the click on nothing
}

TEST_CASE("an event id leads back to the row of the log") {
  Setting setting;
  setting.primary = {{"scenarios/traces/small_queries.csv"}, "query_id", "", "t_ms", {}};
  setting.foreign = {{"scenarios/traces/small_clicks.csv"}, "click_id", "query_id", "t_ms", {}};
  setting.dangling = Dangling::error;
  const auto workload = load(setting);
  using Role = TraceWorkload::Role;
  std::size_t found = 0;
  for (const auto& [role, rows] : {std::pair(Role::primary, &workload->log().primaries),
                                   std::pair(Role::foreign, &workload->log().foreigns)}) {
    for (std::uint32_t row = 0; row < rows->size(); ++row, ++found) {
      CHECK(workload->row_of(workload->id_of(role, row)) == TraceWorkload::RowPlace{role, row});
    }
  }
  CHECK(found == 460);
  EventId other = workload->id_of(Role::foreign, 3);
  other.stamp += Duration(1);
  CHECK_FALSE(workload->row_of(other).has_value());
  CHECK_FALSE(workload->row_of(EventId{}).has_value());
  other.server = 1000;
  CHECK_FALSE(workload->row_of(other).has_value());
}

TEST_CASE("the trace that ships with the project loads, and its 400 clicks are all there") {
  Setting setting;
  setting.primary = {{"scenarios/traces/small_queries.csv"}, "query_id", "", "t_ms", {}};
  setting.foreign = {{"scenarios/traces/small_clicks.csv"}, "click_id", "query_id", "t_ms", {}};
  setting.dangling = Dangling::error;
  const auto workload = load(setting);
  const auto found = testing::check_workload(*workload);
  CHECK(found.queries == 60);
  CHECK(found.clicks == 400);
}

}  // namespace
}  // namespace photon::models
