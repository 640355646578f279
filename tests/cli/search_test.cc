// sweep of a study with [search]: the same for any number of processes, after kill -9, and beside
// another search of the same ranges; what it reports is recomputed from the rows of the file.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <boost/json.hpp>
#include <sqlite3.h>

#include "tests/cli/program.h"
#include "tests/support/catch.h"

namespace photonsim::cli::testing {
namespace {

namespace json = boost::json;
using Catch::Contains;

std::string search_of(const std::string& answer) {
  return "base = \"" + std::filesystem::absolute("scenarios/registry/quiet.toml").string() +
         "\"\n[set]\n\"run.duration\" = \"12s\"\n\"workload.registry.rate\" = "
         "100\n\"disk.fsync_p99\" = \"30ms\"\n" +
         "[search]\npoints = 9\nfirst = 5\ntogether = 2\nconfirm = 2\nconfirmations = 3\n"
         "[search.over]\n\"registry.shards\" = {from = 1, to = 4}\n"
         "\"disk.fsync_median\" = {from = \"1ms\", to = \"20ms\", scale = \"log\"}\n"
         "[replications]\nmin = 2\n[answer]\n" +
         answer;
}

const std::string kLeastLatency = "best = \"latency.insert.mean\"\n";
const std::string kFront =
    "pareto = [\"latency.insert.mean\", \"load.transactions_per_second\"]\n"
    "subject_to = [\"latency.insert.mean < 1s\"]\n";

// The only value of a query's only row as text; nothing if the file is not there yet, or busy.
std::optional<std::string> text_of(const std::string& file, const std::string& query) {
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  std::optional<std::string> value;
  if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK &&
      sqlite3_prepare_v2(database, query.c_str(), -1, &statement, nullptr) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    if (text != nullptr) value = text;
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return value;
}

// The same as a number.
std::optional<double> value_of(const std::string& file, const std::string& query) {
  const auto text = text_of(file, query);
  return text ? std::optional(std::stod(*text)) : std::nullopt;
}

// The mean of a figure over the runs of a point that have these seeds, straight from the rows.
double mean_from(const std::string& file, const std::string& scenario, const std::string& metric,
                 const std::string& seeds) {
  const auto mean =
      value_of(file,
               "SELECT avg(value) FROM metric JOIN run ON run.id = metric.run JOIN point ON "
               "point.id = run.point WHERE metric.name = '" +
                   metric + "' AND point.scenario = '" + scenario + "' AND " + seeds);
  REQUIRE(mean);
  return *mean;
}

// Returns when the file has so many runs. False: it has not, after a minute.
bool wait_for_runs(const std::string& file, double runs) {
  constexpr int kTries = 6000;
  for (int tried = 0; tried < kTries; ++tried) {
    if (value_of(file, "SELECT count(*) FROM run").value_or(0) >= runs) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("sweep: a search confirms its best points with seeds that it has not used") {
  const Folder folder;
  const std::string study = folder.write("search.toml", search_of(kLeastLatency));
  const std::string file = folder.file("search.db");
  const Ran ran = run_program({"sweep", study, "--out", file, "--json"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const json::value report = json::parse(ran.out);
  CHECK(report.at("complete") == true);
  CHECK(report.at("search").at("evaluated") == 9);
  CHECK(report.at("search").at("drawn") == 5);
  REQUIRE(report.at("search").at("confirmed").as_array().size() == 2);
  double least = 1e9;
  for (const json::value& point : report.at("points").as_array()) {
    const bool confirmed = point.at("confirmed").as_bool();
    const json::value& metric = point.at("metrics").at("latency.insert.mean");
    const double mean = metric.at("mean").to_number<double>();
    CHECK(point.at("replications") == (confirmed ? 3 : 2));
    CHECK(mean ==
          Approx(mean_from(file, std::string(point.at("label").as_string()),
                           "load.insert_latency.mean", confirmed ? "seed > 2" : "seed <= 2"))
              .epsilon(1e-12));
    if (confirmed && mean < least) {
      least = mean;
      CHECK(report.at("answer") == point.at("parameters"));
    }
  }
  // The study was extended in place: no run was ever copied, or written twice.
  CHECK(value_of(file, "SELECT max(id) - count(*) FROM run") == 0.0);
  // A commit waits for a disk, so the fastest disk of the range is nearly found.
  const std::string disk(report.at("answer").at("disk.fsync_median").as_string());
  CHECK((disk == "1ms" || disk.find("us") != std::string::npos || disk.starts_with("1.")));
  const Ran text = run_program({"sweep", study, "--out", file});
  CHECK_THAT(text.err, Contains("24 runs of this study are there already"));
  CHECK_THAT(text.out, Contains("search: 9 points evaluated with 2 seeds, 5 of them drawn") &&
                           Contains("the first 2 rows of the table are confirmed with 3 seeds"));
}

TEST_CASE("sweep: searches with one, two and killed processes choose the same points") {
  const Folder folder;
  const std::string study = folder.write("search.toml", search_of(kFront));
  const Ran one = run_program({"sweep", study, "--json"});
  INFO(one.err);
  REQUIRE(one.code == 0);
  const json::value report = json::parse(one.out);
  CHECK_FALSE(report.at("front").as_array().empty());
  CHECK(run_program({"sweep", study, "--jobs", "2", "--json"}).out == one.out);

  const std::string file = folder.file("killed.db");
  const Arguments arguments{"sweep", study, "--out", file, "--json"};
  // In the first points, among the chosen ones, and in the confirmations.
  int killed = 0;  // a machine that stalls may see one end before
  for (const double runs : {4.0, 13.0, 18.0}) {
    RunningProgram program(arguments);
    CHECK(wait_for_runs(file, runs));
    program.signal(SIGKILL);
    killed += program.wait().code == 128 + SIGKILL ? 1 : 0;
  }
  CHECK(killed > 0);
  const Ran resumed = run_program(arguments);
  CHECK(resumed.code == 0);
  CHECK(resumed.out == one.out);
  CHECK(run_program({"db", "verify", file}).code == 0);

  // Another search begins with the same points in the same file, and each keeps its own.
  const std::string other = folder.write("other.toml", search_of(kLeastLatency));
  const std::string alone = run_program({"sweep", other, "--json"}).out;
  CHECK(run_program({"sweep", other, "--out", file, "--json"}).out == alone);
  CHECK(run_program(arguments).out == one.out);
  CHECK_THAT(run_program({"db", "verify", file}).out, Contains("2 campaigns"));
}

TEST_CASE("sweep: a search has no shares") {
  const Folder folder;
  const std::string study = folder.write("search.toml", search_of(kLeastLatency));
  const Ran ran = run_program({"sweep", study, "--shard", "1/2", "--out", folder.file("a.db")});
  CHECK(ran.code == 2);
  CHECK_THAT(ran.err, Contains("a search chooses each point by those before it"));
}

TEST_CASE("sweep: another search in a file, or a shorter one, leaves what the first concluded") {
  const Folder folder;
  const std::string file = folder.file("search.db");
  const auto sweep = [&](const std::string& from, const std::string& to) {
    std::string text = search_of(kLeastLatency);
    text.replace(text.find(from), from.size(), to);
    const Ran ran = run_program({"sweep", folder.write("search.toml", text), "--out", file});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return ran.out;
  };
  sweep("together = 2", "together = 2");
  const auto concluded = text_of(file, "SELECT outcome FROM study");
  REQUIRE(concluded);
  const std::string kept = "SELECT count(*) FROM study WHERE outcome = '" + *concluded + "'";
  sweep("together = 2", "together = 1");
  CHECK(value_of(file, "SELECT count(*) FROM study") == 2.0);
  CHECK(value_of(file, kept) == 1.0);
  sweep("points = 9", "points = 7");
  CHECK(value_of(file, "SELECT count(*) FROM study") == 2.0);
  CHECK(value_of(file, kept) == 1.0);
  // The shorter one has confirmed its best points with seeds that the longer one takes over.
  CHECK_THAT(sweep("together = 2", "together = 2"), Contains("search: 9 points"));
}

}  // namespace photonsim::cli::testing
