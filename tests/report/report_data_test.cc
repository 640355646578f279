// The numbers of a report, beside what is known of a made-up results file.
#include "report/report_data.h"

#include <cmath>

#include "campaigns/studies/metric_names.h"
#include "report/markdown.h"
#include "tests/report/results.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;
using photon::testing::TemporaryFolder;
using testing::data_of;

double number(const json::value& value) { return value.to_number<double>(); }
const json::object& object(const json::value& value) { return value.as_object(); }

}  // namespace

TEST_CASE("report: verdict, points and runs are those of the file") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  testing::fill(file, "s");
  const json::object data = data_of(file);
  const json::object& verdict = object(data.at("verdict"));
  CHECK(verdict.at("runs") == 6);
  CHECK(verdict.at("failed") == 0);
  CHECK(verdict.at("checks") == 60);
  CHECK(number(verdict.at("lost")) == 12);
  CHECK(object(data.at("points")).at("label") == json::array{"shards=1", "shards=2"});
  CHECK(object(data.at("parameters")).at("registry.shards") == json::array{"1", "2"});
  CHECK_FALSE(object(data.at("parameters")).contains("same"));
  CHECK(object(data.at("runs")).at("seed").as_array().size() == 6);
  const json::object& obligations = object(object(data.at("campaign")).at("obligations"));
  CHECK(obligations.at("oracle") == json::array{"J-S1", "J-S2"});
  CHECK(obligations.at("checks") == json::array{60, 0});
  const json::object& states = object(object(data.at("campaign")).at("fault_states"));
  CHECK(states.at("kind") == json::array{"process_crash"});
  CHECK(states.at("state") == json::array{"electing"});
  CHECK(states.at("count") == json::array{12});
}

TEST_CASE("report: figures are means with Student's interval, losses rates over runs") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  testing::fill(file, "s");
  const json::object data = data_of(file);
  const json::object& batch = object(object(data.at("metrics")).at("registry.mean_batch"));
  // 4, 5, 6 and 7, 8, 9; Student with 2 degrees: 4.302653.
  CHECK(number(batch.at("value").as_array()[0]) == Approx(5));
  CHECK(number(batch.at("value").as_array()[1]) == Approx(8));
  CHECK(number(batch.at("high").as_array()[1]) == Approx(8 + 4.302653 / std::sqrt(3.0)));
  const json::object& lost = object(object(data.at("metrics")).at("lost"));
  CHECK(number(lost.at("value").as_array()[1]) == Approx(4));
  // No run of the first point lost anything: its count is not surely zero.
  CHECK(lost.at("low").as_array()[0].is_null());
}

TEST_CASE("report: quantiles are those of merged histograms, up to the last observation") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  testing::fill(file, "s");
  const json::object data = data_of(file);
  const json::array& curves = data.at("quantiles").as_array();
  REQUIRE(curves.size() == 2);
  for (std::size_t point = 0; point < 2; ++point) {
    const json::object& curve = object(curves[point]);
    CHECK(curve.at("point") == point);
    CHECK(curve.at("count") == 6'000);
    const json::array& nines = curve.at("nines").as_array();
    for (std::size_t i = 0; i < nines.size(); ++i) {
      const double fraction = 1 - std::pow(10, -number(nines[i]));
      // Of the ramp from 0 to 2 s, times the scale.
      const double truth = 2.0 * static_cast<double>(point + 1) * fraction;
      CHECK(number(curve.at("seconds").as_array()[i]) == Approx(truth).epsilon(0.01));
      CHECK((1 - fraction) * 6'000 >= 1);
      CHECK(curve.at("enough").as_array()[i].as_bool() == ((1 - fraction) * 6'000 >= 10));
    }
    CHECK(number(nines.back()) == 3.75);
  }
}

TEST_CASE("report: points differ from the first one seed by seed") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  testing::fill(file, "s");
  const json::object data = data_of(file);
  const json::object& differences = object(data.at("differences"));
  CHECK(differences.at("first") == 0);
  const json::array& metrics = differences.at("metric").as_array();
  bool compared = false;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (metrics[i] != "registry.mean_batch") continue;
    compared = true;
    CHECK(differences.at("point").as_array()[i] == 1);
    CHECK(number(differences.at("value").as_array()[i]) == Approx(3));
    // Every seed gives the same difference, though each mean varies by 1.
    CHECK(number(differences.at("low").as_array()[i]) == Approx(3));
    CHECK(differences.at("n").as_array()[i] == 3);
  }
  CHECK(compared);
}

TEST_CASE("report: a failed run counts as such, and not among the figures") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  const auto identity = testing::fill(file, "s");
  analysis::RunRecord bad = testing::record(4, 100, 7);
  bad.exit_code = 3;
  bad.findings = {{"J-S1",
                   analysis::Severity::safety,
                   analysis::Standing::failing,
                   2,
                   "twice",
                   "us-east1/joiner/0",
                   "1:2@3",
                   {}},
                  {"J-S4",
                   analysis::Severity::safety,
                   analysis::Standing::exempt,
                   4,
                   "late",
                   "us-east1/joiner/0",
                   "1:3@4",
                   {}}};
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  REQUIRE(store.assume_value().append(identity, std::vector{bad}).has_value());
  const json::object data = data_of(file);
  CHECK(object(data.at("verdict")).at("failed") == 1);
  CHECK(object(data.at("verdict")).at("violations") == 2);
  CHECK(object(data.at("verdict")).at("not_counted") == 4);
  CHECK_THAT(markdown(data), Catch::Contains("2 failing violations and 4 that do not count"));
  CHECK(object(data.at("points")).at("failed") == json::array{1, 0});
  const json::object& batch = object(object(data.at("metrics")).at("registry.mean_batch"));
  CHECK(number(batch.at("value").as_array()[0]) == Approx(5));
  const json::object& curve = object(data.at("quantiles").as_array()[0]);
  CHECK((curve.at("runs") == 3 && curve.at("count") == 6'000));
  // Of the ramp up to 2 s; those of the failed run reach 200 s.
  const json::object& distribution = object(data.at("distributions").as_array()[0]);
  CHECK(number(distribution.at("seconds").as_array().back()) == Approx(2).epsilon(0.02));
  const json::object& failures = object(object(data.at("campaign")).at("failures"));
  CHECK(failures.at("oracle") == json::array{"J-S1", "J-S4"});
  CHECK(failures.at("count") == json::array{2, 4});
  CHECK(failures.at("message") == json::array{"twice", "late"});
}

TEST_CASE("report: lost clicks stand in their classes over all runs, failed ones too") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  std::vector<analysis::RunRecord> runs{testing::record(1, 1, 3), testing::record(2, 1, 5),
                                        testing::record(3, 1, 0)};
  for (auto& run : runs) {
    run.metrics.push_back(
        testing::metric("lost.L-crash", analysis::Unit::count, *run.metric("lost")));
    run.metrics.push_back(testing::metric("lost.L-bug", analysis::Unit::count, 0));
  }
  runs[1].exit_code = 4;
  const analysis::CampaignIdentity identity{{testing::point("s", "1")}, 0, "m"};
  REQUIRE(store.assume_value().append(identity, runs).has_value());
  const json::object data = data_of(file);
  CHECK(number(object(data.at("verdict")).at("lost")) == 8);
  const json::object& losses = object(object(data.at("campaign")).at("losses"));
  CHECK(losses.at("name") == json::array{"L-crash"});
  CHECK(losses.at("count") == json::array{8});
  CHECK(losses.at("runs") == json::array{2});
  // Its end is no finding of an oracle: the row has the verdict of the run.
  const json::object& failures = object(object(data.at("campaign")).at("failures"));
  CHECK(failures.at("oracle") == json::array{"complete"});
  CHECK(failures.at("runs") == json::array{1});
}

TEST_CASE(
    "report: a study's labels lose their tables, its points keep their order, and its outcome") {
  const TemporaryFolder folder;
  const std::string file = folder.file("r.sqlite");
  auto store = analysis::ResultStore::open(file);
  REQUIRE(store.has_value());
  const analysis::CampaignIdentity identity{
      {testing::point("registry.shards=2, slow", "2"), testing::point("registry.shards=1", "1")},
      0,
      "m"};
  std::vector<analysis::RunRecord> runs{testing::record(1, 1, 0), testing::record(1, 2, 0)};
  runs[0].scenario = 1;  // the second point ends first
  runs[1].scenario = 0;
  REQUIRE(store.assume_value().append(identity, runs).has_value());
  REQUIRE(store.assume_value().conclude(identity, R"({"answer": "one"})").has_value());
  const json::object data = data_of(file);
  CHECK(object(data.at("points")).at("label") == json::array{"shards=2, slow", "shards=1"});
  REQUIRE(data.at("studies").as_array().size() == 1);
  CHECK(data.at("studies").at(0).at("answer") == "one");
}

}  // namespace photonsim::report
