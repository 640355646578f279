#include "notebooks_export/csv_export.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/catch.h"

namespace photonsim::notebooks {
namespace {

namespace analysis = photon::analysis;

// A folder that is empty at the start and gone at the end.
struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("photonsim_csv_export_test");
  Folder() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

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
  const std::string target = folder.file("missing/r.csv");
  const auto exported = export_csv(store.assume_value(), target);
  REQUIRE(!exported.has_value());
  CHECK(exported.assume_error().message().find(target) != std::string::npos);
  CHECK(!std::filesystem::exists(target));
}

}  // namespace
}  // namespace photonsim::notebooks
