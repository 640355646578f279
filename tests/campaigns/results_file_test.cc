// The results file of a study that finds its points one after the other.
#include "campaigns/results_file.h"

#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns::testing {
namespace {

namespace analysis = photon::analysis;
using Growth = ResultsFile::Growth;

// Points that differ in one number each.
analysis::CampaignIdentity study_of(const std::vector<int>& numbers) {
  analysis::CampaignIdentity study;
  for (const int number : numbers) {
    const std::string value = std::to_string(number);
    study.points.push_back({"a.toml", analysis::PointKind::scenario, "x = " + value, {}});
  }
  study.model_version = "v1";
  return study;
}

// A run for each of the points from `first` on, saved.
void save_runs(ResultsFile& results, std::uint32_t first, std::uint32_t points) {
  for (std::uint32_t point = first; point < points; ++point) {
    analysis::RunRecord run;
    run.scenario = point;
    run.seed = 1;
    results.add(run);
  }
  REQUIRE(results.save());
}

std::size_t runs_in(ResultsFile& results) {
  std::size_t runs = 0;
  REQUIRE(results.read([&](const analysis::RunRecord&) { ++runs; }));
  return runs;
}

}  // namespace

TEST_CASE("results file: a search extends its study, goes on as a stored one, or branches off") {
  const photon::testing::TemporaryFolder folder;
  const std::string file = folder.file("results.db");
  {
    ResultsFile results;
    REQUIRE(results.open(file, study_of({1, 2})));
    CHECK(results.grow(study_of({1, 2})) == Growth::unchanged);  // nothing is stored yet
    save_runs(results, 0, 2);
    CHECK(results.grow(study_of({1, 2})) == Growth::unchanged);
    CHECK(results.grow(study_of({1, 2, 3, 4})) == Growth::extended);
    save_runs(results, 2, 4);
    CHECK(runs_in(results) == 4);
  }
  ResultsFile results;
  REQUIRE(results.open(file, study_of({1, 2})));
  CHECK(results.grow(study_of({1, 2})) == Growth::adopted);
  CHECK(runs_in(results) == 4);
  CHECK(results.grow(study_of({1, 2, 3})) == Growth::unchanged);
  CHECK(results.grow(study_of({1, 2, 3, 5})) == Growth::adopted);
  CHECK(runs_in(results) == 3);
  CHECK(results.grow(study_of({1, 2, 3, 5, 6})) == Growth::extended);
  CHECK(runs_in(results) == 3);

  ResultsFile first;
  REQUIRE(first.open(file, study_of({1, 2})));
  CHECK(first.grow(study_of({1, 2, 3, 4, 7})) == Growth::extended);  // nothing of its own is stored
  ResultsFile none;
  CHECK(none.grow(study_of({1})) == Growth::extended);
  CHECK(none.grow(study_of({1})) == Growth::unchanged);
}

}  // namespace photonsim::campaigns::testing
