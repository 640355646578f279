#include "notebooks_export/csv_export.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;

using Folder = photon::testing::TemporaryFolder;

analysis::RunResult result_of(std::uint64_t seed) {
  analysis::RunResult run;
  run.resolved_scenario = "a = 1\n";
  run.model_version = "m";
  run.summary.scenario = "a, \"quoted\" name";
  run.summary.seed = seed;
  run.summary.generated = 100 + seed;
  return run;
}

std::string content(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_CASE("every figure of every run is one row, with names quoted where they must be") {
  const Folder folder;
  auto store = analysis::ResultStore::open(folder.file("r.sqlite"));
  REQUIRE(store.has_value());
  REQUIRE(store.assume_value().save(result_of(1)).has_value());
  REQUIRE(store.assume_value().save(result_of(2)).has_value());
  REQUIRE(export_csv(store.assume_value(), folder.file("r.csv")).has_value());
  const std::string text = content(folder.file("r.csv"));
  CHECK(text.starts_with("run,scenario,seed,metric,value\n"));
  CHECK(text.find(",\"a, \"\"quoted\"\" name\",1,generated,101\n") != std::string::npos);
  CHECK(text.find(",\"a, \"\"quoted\"\" name\",2,generated,102\n") != std::string::npos);
}

TEST_CASE("a target that cannot be written is named, and nothing is left there") {
  const Folder folder;
  auto store = analysis::ResultStore::open(folder.file("r.sqlite"));
  REQUIRE(store.has_value());
  std::ofstream(folder.file("no_folder")) << "a file";
  const std::string target = folder.file("no_folder/r.csv");
  const auto exported = export_csv(store.assume_value(), target);
  REQUIRE(!exported.has_value());
  CHECK(exported.assume_error().message().find(target) != std::string::npos);
  CHECK(!std::filesystem::exists(target));
}

}  // namespace
}  // namespace photonsim::notebooks
