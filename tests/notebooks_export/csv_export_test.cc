#include "notebooks_export/csv_export.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "analysis/results/result_store.h"
#include "tests/analysis/results_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;

using Folder = photon::testing::TemporaryFolder;

analysis::Summary summary_of(std::uint64_t seed) {
  analysis::Summary summary;
  summary.scenario = "a, \"quoted\" name";
  summary.seed = seed;
  summary.generated = 100 + seed;
  return summary;
}

analysis::Point point_of(const std::string& scenario, const std::string& rate) {
  return {scenario,
          analysis::PointKind::scenario,
          "rate = " + rate,
          {{"load.rate", rate}, {"load.same", "1"}}};
}

analysis::RunDetails details_of(std::uint64_t seed, const std::string& rate) {
  analysis::RunDetails run = analysis::testing::details_of(summary_of(seed), {}, "m");
  run.point = point_of(run.summary.scenario, rate);
  return run;
}

std::string content(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

analysis::ResultReader reader_of(const std::string& file) {
  auto reader = analysis::ResultReader::open(file);
  REQUIRE(reader.has_value());
  return std::move(reader).assume_value();
}

// Two runs of scenarios that differ in one key, and a campaign with a run that died.
void fill(const std::string& file) {
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.assume_value().save(details_of(1, "5/s")).has_value());
  REQUIRE(store.assume_value().save(details_of(2, "7,5/s")).has_value());
  analysis::RunRecord died;
  died.seed = 9;
  died.end = analysis::RunEnd::died;
  died.exit_code = 70;
  died.what = "it is \"bad\"";
  died.replay = "again";
  analysis::RunRecord good = analysis::run_record_of(summary_of(8), {});
  good.marks = {{"a.b", 3}};
  good.fault_kinds = {{"with, \"quotes\"", 4}};
  const analysis::CampaignIdentity identity{{point_of("c.toml", "5/s")}, 0, "m"};
  REQUIRE(store.assume_value().append(identity, std::vector{died, good}).has_value());
}

TEST_CASE("every figure of every run is one row, with the parameters in which runs differ") {
  const Folder folder;
  fill(folder.file("r.sqlite"));
  const auto reader = reader_of(folder.file("r.sqlite"));
  REQUIRE(export_csv(reader, folder.file("r.csv"), CsvForm::metrics).has_value());
  const std::string text = content(folder.file("r.csv"));
  CHECK(text.starts_with("run,scenario,seed,load.rate,metric,unit,value\n"));
  const std::string name = ",\"a, \"\"quoted\"\" name\",";
  CHECK(text.find(name + "1,5/s,generated,count,101\n") != std::string::npos);
  CHECK(text.find(name + "2,\"7,5/s\",generated,count,102\n") != std::string::npos);
  CHECK(text.find(",c.toml,8,5/s,generated,count,108\n") != std::string::npos);
  CHECK(text.find(",c.toml,8,5/s,mark.a.b,count,3\n") != std::string::npos);
  CHECK(text.find(",\"fault_kind.with, \"\"quotes\"\"\",count,4\n") != std::string::npos);
  // Unique by run and metric.
  std::set<std::string> seen;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string before_value = line.substr(0, line.rfind(','));
    CHECK(seen.insert(before_value).second);
  }
  CHECK(seen.size() > 200);
}

TEST_CASE("each run is one row with all of its single values, also one whose process died") {
  const Folder folder;
  fill(folder.file("r.sqlite"));
  const auto reader = reader_of(folder.file("r.sqlite"));
  REQUIRE(export_csv(reader, folder.file("r.csv"), CsvForm::runs).has_value());
  const std::string text = content(folder.file("r.csv"));
  CHECK(text.starts_with(
      "run,study,scenario,seed,load.rate,verdict,ending,exit_code,what,replay,"
      "check_site,check_message,check_process,tier,bound_by,"
      "broken_assumption,damage_detected,determinism,fingerprint,events,sim_milliseconds,"
      "cpu_microseconds\n"));
  CHECK(std::ranges::count(text, '\n') == 5);
  CHECK(text.find(",c.toml,9,5/s,worker died,died,70,\"it is \"\"bad\"\"\",again,,,,within,,,0,"
                  "unchecked,,0,0,0\n") != std::string::npos);
}

TEST_CASE("a changed results file is not exported") {
  const Folder folder;
  fill(folder.file("r.sqlite"));
  std::string bytes = content(folder.file("r.sqlite"));
  const std::size_t place = bytes.find("again");
  REQUIRE(place != std::string::npos);
  bytes[place] = 'A';
  std::ofstream(folder.file("r.sqlite"), std::ios::binary) << bytes;
  const auto reader = reader_of(folder.file("r.sqlite"));
  const auto exported = export_csv(reader, folder.file("r.csv"), CsvForm::runs);
  REQUIRE(!exported.has_value());
  CHECK(exported.assume_error().damaged);
  CHECK(exported.assume_error().message().find("run number 1") != std::string::npos);
  CHECK(!std::filesystem::exists(folder.file("r.csv")));
}

TEST_CASE("a target that cannot be written is named, and nothing is left there") {
  const Folder folder;
  fill(folder.file("r.sqlite"));
  std::ofstream(folder.file("no_folder")) << "a file";
  const std::string target = folder.file("no_folder/r.csv");
  const auto exported = export_csv(reader_of(folder.file("r.sqlite")), target, CsvForm::metrics);
  REQUIRE(!exported.has_value());
  CHECK(exported.assume_error().message().find(target) != std::string::npos);
  CHECK(!std::filesystem::exists(target));
}

}  // namespace
}  // namespace photonsim::notebooks
