// The folder of tables: rows of a results file of known content, and a meaning for each column.
#include "notebooks_export/tidy_export.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "notebooks_export/tidy_tables.h"
#include "tests/report/results.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;
using Folder = photon::testing::TemporaryFolder;
using Rows = std::vector<std::map<std::string, std::string>>;

std::string meaning(std::string_view name) { return "meaning of " + std::string(name); }

// No field of these tables holds a comma or a quote.
Rows rows_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line, cell;
  std::getline(stream, line);
  std::vector<std::string> head;
  for (std::stringstream cells(line); std::getline(cells, cell, ',');) head.push_back(cell);
  Rows rows;
  while (std::getline(stream, line)) {
    std::map<std::string, std::string> row;
    std::stringstream cells(line);
    for (const std::string& name : head) {
      std::getline(cells, cell, ',');
      row[name] = cell;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

struct Exported {
  Folder folder{};
  std::string tables = folder.file("tables");

  Exported() {
    const std::string file = folder.file("r.sqlite");
    const auto identity = report::testing::fill(file, "s");
    auto store = analysis::ResultStore::open(file);
    REQUIRE(store.has_value());
    analysis::RunRecord bad = report::testing::record(4, 1, 7);
    bad.exit_code = 3;
    bad.findings = {{"J-S1", analysis::Severity::safety, analysis::Standing::failing, 2, "why",
                     "us-east1/joiner/0", "1:2@3",
                     photon::SimTime(std::chrono::milliseconds(2'500))}};
    REQUIRE(store.assume_value().append(identity, std::vector{bad}).has_value());
    const auto reader = analysis::ResultReader::open(file);
    REQUIRE(reader.has_value());
    const auto written = export_tidy(reader.assume_value(), tables, meaning);
    REQUIRE(written.has_value());
    for (const ExportedFile& each : written.assume_value()) {
      CHECK(std::filesystem::exists(tables + "/" + each.name));
      files[each.name] = each.rows;
    }
  }
  Rows rows(const std::string& name) const { return rows_of(tables + "/" + name); }

  std::map<std::string, std::uint64_t> files{};
};

}  // namespace

TEST_CASE("tables: a bucket of a histogram is a row, with the parameters of its run") {
  const Exported exported;
  std::map<std::string, std::uint64_t> counts;
  std::map<std::string, std::int64_t> ends;
  for (const auto& row : exported.rows("histograms.csv")) {
    CHECK(row.at("latency") == "latency_own");
    const std::int64_t low = std::stoll(row.at("low_ns")), high = std::stoll(row.at("high_ns"));
    CHECK(low <= high);
    CHECK(static_cast<double>(high - low) <= 0.02 * static_cast<double>(high));
    // The ramps of the second point are twice as long.
    CHECK(high <= (row.at("registry.shards") == "1" ? 2'050'000'000 : 4'100'000'000));
    CHECK(low > ends[row.at("run")]);
    ends[row.at("run")] = high;
    counts[row.at("run")] += std::stoull(row.at("count"));
  }
  CHECK(counts.size() == 7);
  for (const auto& [run, count] : counts) CHECK(count == 2'000);
}

TEST_CASE("tables: each run, figure, state of a fault, finding and violation is a row") {
  const Exported exported;
  CHECK(exported.rows("runs.csv").size() == 7);
  CHECK(exported.files.at("runs.csv") == 7);
  const Rows states = exported.rows("fault_states.csv");
  REQUIRE(states.size() == 7);
  CHECK(states[0].at("kind") == "process_crash");
  CHECK(states[0].at("state") == "electing");
  CHECK(states[0].at("count") == "2");
  const Rows findings = exported.rows("findings.csv");
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].at("oracle") == "J-S1");
  CHECK(findings[0].at("standing") == "failing");
  CHECK(findings[0].at("count") == "2");
  const Rows violations = exported.rows("violations.csv");
  REQUIRE(violations.size() == 1);
  CHECK(violations[0].at("process") == "us-east1/joiner/0");
  CHECK(violations[0].at("message") == "why");
  CHECK(violations[0].at("at_seconds") == "2.5");
  std::size_t batches = 0;
  for (const auto& row : exported.rows("metrics.csv")) {
    if (row.at("metric") != "registry.mean_batch") continue;
    ++batches;
    const double scale = row.at("registry.shards") == "1" ? 1 : 2;
    CHECK(std::stod(row.at("value")) == 3 * scale + std::stod(row.at("seed")));
  }
  CHECK(batches == 7);
}

TEST_CASE("tables: the dictionary has each column of each file, each metric, and each parameter") {
  const Exported exported;
  std::set<std::pair<std::string, std::string>> columns, values;
  std::ifstream stream(exported.tables + "/data_dictionary.csv");
  std::string line;
  std::getline(stream, line);
  CHECK(line == "file,column,value,type,unit,meaning");
  while (std::getline(stream, line)) {
    std::stringstream cells(line);
    std::string file, column, value;
    std::getline(cells, file, ',');
    std::getline(cells, column, ',');
    std::getline(cells, value, ',');
    (value.empty() ? columns : values).emplace(file, value.empty() ? column : value);
    CHECK(line.back() != ',');
  }
  for (const auto& [name, rows] : exported.files) {
    if (name == "data_dictionary.csv") continue;
    std::ifstream table(exported.tables + "/" + name);
    std::string head, column;
    std::getline(table, head);
    for (std::stringstream cells(head); std::getline(cells, column, ',');) {
      INFO(name << " " << column);
      CHECK(columns.contains({name, column}));
    }
  }
  CHECK(values.contains({"metrics.csv", "registry.mean_batch"}));
}

TEST_CASE("tables: a folder that cannot be made is named, and nothing is left there") {
  const Folder folder;
  const std::string file = folder.file("r.sqlite");
  report::testing::fill(file, "s");
  const auto reader = analysis::ResultReader::open(file);
  REQUIRE(reader.has_value());
  const auto failed = export_tidy(reader.assume_value(), "/dev/null/tables", meaning);
  REQUIRE(!failed.has_value());
  CHECK(failed.assume_error().message().find("/dev/null/tables") != std::string::npos);
}

}  // namespace photonsim::notebooks
