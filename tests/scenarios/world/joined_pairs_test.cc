// The joined pairs of a user's log, from its files through a run under kills, the results file and
// the export, against a hash join of the same files that shares no code with the program.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "campaigns/runs/run_files.h"
#include "core_impl/base/random.h"
#include "notebooks_export/csv_export.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/analysis/results_file.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"
#include "tests/support/temporary_folder.h"

using namespace photonsim;

namespace {

using Row = std::vector<std::string>;

// Without quotes: no field of these logs has a comma.
std::vector<Row> rows_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);  // the header
  while (std::getline(in, line)) {
    Row& row = rows.emplace_back();
    std::string field;
    std::istringstream fields(line + ",");
    while (std::getline(fields, field, ',')) row.push_back(field);
  }
  return rows;
}

// By the click's id: "outcome,primary id,click's time,primary's time".
using Pairs = std::map<std::string, std::string>;

Pairs offline_join(const std::filesystem::path& queries, const std::filesystem::path& clicks) {
  std::map<std::string, std::string> times;
  for (const Row& row : rows_of(queries)) times[row[0]] = row[1];
  Pairs pairs;
  for (const Row& row : rows_of(clicks)) {
    const auto found = times.find(row[1]);
    const bool joined = found != times.end();
    pairs[row[0]] = (joined ? "joined," : "never_joinable,") + row[1] + "," + row[2] + "," +
                    (joined ? found->second : "");
  }
  return pairs;
}

// The order of the columns is that of csv_export.h.
struct Exported {
  Pairs pairs;
  std::vector<Row> rows;
};
Exported exported(const std::filesystem::path& file) {
  Exported all;
  all.rows = rows_of(file);
  for (const Row& row : all.rows) {
    const bool fresh =
        all.pairs.emplace(row[1], row[3] + "," + row[2] + "," + row[5] + "," + row[6]).second;
    INFO("click " << row[1]);
    CHECK(fresh);
  }
  return all;
}

class Log {
 public:
  explicit Log(const std::filesystem::path& folder)
      : queries(folder / "queries.csv"), clicks(folder / "clicks.csv") {
    queries_ = std::ofstream(queries);
    clicks_ = std::ofstream(clicks);
    queries_ << "id,at\n";
    clicks_ << "id,query,at\n";
  }
  void query(const std::string& id, std::int64_t ms) { write(queries_, id, ms); }
  void click(const std::string& id, const std::string& query, std::int64_t ms) {
    write(clicks_, id + "," + query, ms);
  }
  void close() {
    queries_.close();
    clicks_.close();
  }
  const std::filesystem::path queries;
  const std::filesystem::path clicks;

 private:
  static void write(std::ofstream& out, const std::string& fields, std::int64_t ms) {
    out << fields << ',' << ms << '\n';
  }
  std::ofstream queries_;
  std::ofstream clicks_;
};

// Runs the log under kills with verification, exports its pairs and compares all rows. Returns how
// many lost clicks verification brought back.
std::uint64_t require_joined_as_offline(const Log& log, const std::filesystem::path& folder,
                                        std::vector<std::string> overrides) {
  overrides.insert(
      overrides.end(),
      {"verification.enabled=true", "run.warm_up=3s",
       "workload.primary.file=" + log.queries.string(),
       "workload.foreign.file=" + log.clicks.string(), "workload.primary.id=id",
       "workload.primary.time=at", "workload.foreign.id=id", "workload.foreign.primary_id=query",
       "workload.foreign.time=at", "workload.foreign.dangling=allow"});
  const std::string scenario = "scenarios/trace_kills.toml";
  const scenarios::LoadResult loaded = scenarios::load(scenario, overrides);
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  const scenarios::Config& config = loaded.config();
  const std::string results = folder / "results.db";
  campaigns::RunFiles files;
  REQUIRE(files.open({results, {}}, {scenario, overrides, "test"}, config) == 0);
  scenarios::RunRequest request{&config, config.run.seed};
  request.pairs = true;
  auto finished = scenarios::run_scenario(request);
  REQUIRE(finished);
  const scenarios::RunOutcome& outcome = finished.assume_value();
  REQUIRE(outcome.is_complete());
  CHECK(outcome.summary.violations_total == 0);
  CHECK(outcome.summary.joiner_crashes > 0);
  REQUIRE(files.save(config, outcome, 0) == 0);
  const auto opened = photon::analysis::ResultReader::open(results);
  REQUIRE(opened);
  const std::string csv = folder / "pairs.csv";
  std::uint64_t rows = 0;
  REQUIRE(notebooks::export_joined_pairs(opened.assume_value(), csv, rows));

  CHECK(photon::analysis::testing::verified(results).is_whole());
  photon::analysis::testing::change(results,
                                    "UPDATE joined_pair SET primary_id = 'x' WHERE number = 3");
  CHECK_FALSE(photon::analysis::testing::verified(results).is_whole());

  const Pairs expected = offline_join(log.queries, log.clicks);
  const Exported found = exported(csv);
  std::size_t never = 0;
  for (const auto& [click, pair] : expected) {
    INFO("click " << click);
    const auto place = found.pairs.find(click);
    REQUIRE(place != found.pairs.end());
    CHECK(place->second == pair);
    never += pair.starts_with("never") ? 1U : 0U;
  }
  CHECK(found.pairs.size() == expected.size());
  CHECK(rows == expected.size());
  CHECK(never > 0);
  for (const Row& row : found.rows) {
    if (row[3] != "joined") {
      // What cannot be joined is so for the reason that its row shows.
      CHECK(row[4] == (row[2].empty() ? "empty_key" : "unknown_key"));
      CHECK(row[2].empty() == !row[2].starts_with("gone"));
      continue;
    }
    INFO("click " << row[1]);
    CHECK((row[8] == "us-east1" || row[8] == "us-west1"));
    CHECK_THAT(row[9], Catch::StartsWith(row[8] + "/joiner/"));
    // Milliseconds in the log, seconds in the delays; a double holds these to a microsecond.
    CHECK(std::abs(std::stod(row[7]) - std::stod(row[5]) - 1e3 * std::stod(row[11])) < 0.01);
    CHECK(std::stod(row[11]) > std::stod(row[10]));
    CHECK(std::stod(row[10]) > 0);
  }
  return outcome.summary.recovery.recovered;
}

// Joiners die every two seconds while output is slow: some with clicks registered and not written.
const std::vector<std::string> kManyKills{"faults.random.1.mean_interval=2s",
                                          "faults.random.1.restart_after=1s",
                                          "cell.append_median=300ms", "cell.append_p99=1s"};

// Numbers of a fixed seed.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : stream_(seed, photon::Purpose::test, 0) {}
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(
        photon::uniform_below(stream_.word(drawn_++), static_cast<std::uint64_t>(bound)));
  }

 private:
  photon::RandomStream stream_;
  std::uint64_t drawn_ = 0;
};

constexpr std::int64_t kSecond = 1'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kDay = 24 * 60 * kMinute;
constexpr std::int64_t kStart = 1'371'889'800'000;  // in 2013

// Of every twenty clicks one has an empty key, one an unknown key.
std::string key_of(std::size_t click, const std::string& query) {
  if (click % 20 == 7) return {};
  return click % 20 == 13 ? "gone" + std::to_string(click) : query;
}

}  // namespace

TEST_CASE("sessions with several clicks for a query are joined under kills as an offline join") {
  const photon::testing::TemporaryFolder folder;
  Log log(folder.path());
  Numbers next(1);
  std::size_t clicks = 0;
  for (int session = 0; session < 400; ++session) {
    const std::int64_t at = kStart + next.below(9 * kMinute);
    const std::string query = "session" + std::to_string(session);
    log.query(query, at);
    for (std::int64_t many = next.below(6); many > 0; --many, ++clicks) {
      const auto delay = 1 + next.below(kMinute);
      log.click("c" + std::to_string(clicks), key_of(clicks, query), at + delay);
    }
  }
  log.close();
  CHECK(require_joined_as_offline(log, folder.path(), kManyKills) > 0);
}

TEST_CASE("clicks days after their queries are joined under kills as an offline join") {
  const photon::testing::TemporaryFolder folder;
  Log log(folder.path());
  Numbers next(2);
  // Quiet days cost as much as clicks do.
  constexpr std::int64_t kLongest = photon::testing::kSanitized ? kDay / 4 : 2 * kDay;
  constexpr std::size_t kClicks = photon::testing::kSanitized ? 100 : 300;
  for (std::size_t i = 0; i < kClicks; ++i) {
    const auto at = kStart + next.below(5 * kMinute);
    const auto delay = next.below(kLongest);
    log.query("q" + std::to_string(i), at);
    log.click("c" + std::to_string(i), key_of(i, "q" + std::to_string(i)), at + delay);
  }
  log.close();
  // Crashes as rare as the clicks.
  require_joined_as_offline(
      log, folder.path(),
      {"faults.random.0.mean_interval=6h", "faults.random.1.mean_interval=1h",
       "faults.random.2.mean_interval=6h", "registry.shards=1", "joiner.count=2"});
}

TEST_CASE("clicks before their queries are joined under kills as an offline join") {
  const photon::testing::TemporaryFolder folder;
  Log log(folder.path());
  Numbers next(3);
  constexpr std::size_t kClicks = 1'000;
  for (std::size_t i = 0; i < kClicks; ++i) {
    const auto at = kStart + next.below(9 * kMinute);
    const auto lead = next.below(kMinute);
    log.click("r" + std::to_string(i), key_of(i, "p" + std::to_string(i)), at);
    log.query("p" + std::to_string(i), at + lead);
  }
  log.close();
  CHECK(require_joined_as_offline(log, folder.path(), kManyKills) > 0);
}
