// [sample]: points drawn from ranges, and what is wrong with bad ones.
#include "campaigns/studies/sample.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "campaigns/studies/sensitivity.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_plan.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

using Catch::Contains;
Factor factor(Quantity quantity, double from, double to, bool logarithmic = false) {
  return {.key = "a.b", .quantity = quantity, .logarithmic = logarithmic, .from = from, .to = to};
}

const std::string kOver = R"(
[sample.over]
"registry.shards" = [1, 2, 4]
registry.max_batch_operations = {from = 16, to = 512, scale = "log"}
"registry.linger" = {from = "1ms", to = "2ms"}
"workload.registry.lookups" = {from = 0.0, to = 0.5}
)";

}  // namespace

TEST_CASE("sample: a factor goes from one end of its range to the other, in its unit") {
  CHECK(factor(Quantity::whole, 1, 4).text_at(0) == "1");
  CHECK(factor(Quantity::whole, 1, 4).text_at(0.49) == "2");  // equal shares of the way
  CHECK(factor(Quantity::whole, 1, 4).text_at(0.5) == "3");
  CHECK(factor(Quantity::whole, 1, 4).text_at(1) == "4");
  CHECK(factor(Quantity::whole, 16, 256, true).text_at(0.5) == "64");
  CHECK(factor(Quantity::whole, 16, 256, true).text_at(1) == "256");
  CHECK(factor(Quantity::real, 0, 0.5).text_at(0.25) == "0.125");
  CHECK(factor(Quantity::real, 1, 3).text_at(1.0 / 3) == "1.67");
  CHECK(factor(Quantity::real, 9, 11).text_at(0.777) == "10.55");  // three digits of the length
  CHECK(factor(Quantity::duration, 10.01, 10.04).text_at(0.5) == "10025ms");
  CHECK(factor(Quantity::duration, 10.01, 10.04).text_at(1) == "10040ms");
  CHECK(factor(Quantity::duration, 0.01, 2).text_at(0) == "10ms");
  CHECK(factor(Quantity::duration, 0.01, 2).text_at(0.3) == "607ms");
  CHECK(factor(Quantity::bytes, 1024, 4096).text_at(1) == "4KiB");
  Factor choice{.quantity = Quantity::choice, .values = {"x", "y", "z"}};
  CHECK(choice.text_at(0) == "x");
  CHECK(choice.text_at(0.34) == "y");
  CHECK(choice.text_at(1) == "z");
}

TEST_CASE("sample: a Sobol' or Latin design is as many points, each with a value of every key") {
  for (const std::string design : {"sobol", "lhs"}) {
    const StudyPlan plan = plan_of("[sample]\ndesign = \"" + design + "\"\npoints = 32" + kOver);
    REQUIRE(plan.points().size() == 32);
    std::set<int> shards;
    for (const StudyPoint& point : plan.points()) {
      const auto& config = point.config;
      shards.insert(static_cast<int>(config.registry.shards));
      CHECK(config.registry.max_batch_operations >= 16);
      CHECK(config.registry.max_batch_operations <= 512);
      CHECK(config.registry.linger >= std::chrono::milliseconds(1));
      CHECK(config.registry.linger <= std::chrono::milliseconds(2));
      CHECK(config.workload.registry.lookups <= 0.5);
      REQUIRE(point.choices.size() == 4);  // a column each in reports
      CHECK(point.choices.front().name == "registry.shards");
    }
    CHECK(shards == std::set<int>{1, 2, 4});
  }
}

TEST_CASE("sample: rows with equal values are one point; each row knows its point") {
  const StudyPlan plan = plan_of(R"(
[sample]
design = "saltelli"
rows = 16
[sample.over]
"registry.shards" = [1, 2]
"registry.max_batch_operations" = [16, 64]
)");
  REQUIRE(plan.study().sample);
  const Sample& sample = *plan.study().sample;
  CHECK(sample.rows() == 16 * 4);
  REQUIRE(sample.choice_of_row.size() == 64);
  CHECK(plan.points().size() == 4);
  const auto rows = rows_of(sample);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const StudyPoint& point = plan.points()[sample.choice_of_row[row]];
    CHECK(point.config.registry.shards == (rows[row][0] < 0.5 ? 1 : 2));
    CHECK(point.config.registry.max_batch_operations == (rows[row][1] < 0.5 ? 16 : 64));
  }
}

TEST_CASE("sample: what each key does is found from the figures of the points") {
  Sample sample{.kind = DesignKind::morris, .size = 20};
  for (const char* key : {"weak", "strong", "idle"}) {
    Factor each = factor(Quantity::real, 0, 1);
    each.key = key;
    sample.factors.push_back(each);
  }
  const auto rows = rows_of(sample);
  for (std::size_t row = 0; row < rows.size(); ++row) sample.choice_of_row.push_back(row);
  const auto figure = [&](std::size_t row) {
    return PointFigure{rows[row][0] + 10 * rows[row][1], {}};
  };
  const Sensitivity found = sensitivity_of(sample, "m", photon::analysis::Unit::seconds, figure);
  REQUIRE(found.effects.size() == 3);
  CHECK(found.order() == std::vector<std::size_t>{1, 0, 2});
  CHECK(found.effects[1].mean.value == Approx(10));
  // One point that cannot keep up is said; nothing is made up for it.
  const auto holes = [&](std::size_t row) {
    return row == 3 ? PointFigure{{}, "cannot keep up"} : figure(row);
  };
  const Sensitivity none = sensitivity_of(sample, "m", photon::analysis::Unit::seconds, holes);
  CHECK(none.effects.empty());
  CHECK(none.missing == "1 of 80 points cannot keep up");
}

// From the first value to the last is the whole way, however few lie between.
TEST_CASE("sample: the effect of a key with few values is what it changes from end to end") {
  for (const std::size_t values : {2U, 3U, 5U}) {
    CAPTURE(values);
    Factor choice{.key = "choice", .quantity = Quantity::choice};
    for (std::size_t i = 0; i < values; ++i) choice.values.push_back(std::to_string(10 * i));
    Sample sample{.kind = DesignKind::morris, .size = 30};
    sample.factors = {choice, factor(Quantity::whole, 1, 3), factor(Quantity::whole, 1, 8, true)};
    const auto rows = rows_of(sample);
    for (std::size_t row = 0; row < rows.size(); ++row) sample.choice_of_row.push_back(row);
    const auto figure = [&](std::size_t row) {
      const double first = std::stod(sample.factors[0].text_at(rows[row][0]));
      const double second = std::stod(sample.factors[1].text_at(rows[row][1]));
      const double third = std::stod(sample.factors[2].text_at(rows[row][2]));
      return PointFigure{first + second + 100 * std::log2(third), {}};
    };
    const Sensitivity found = sensitivity_of(sample, "m", photon::analysis::Unit::count, figure);
    CHECK(found.effects[0].mean.value == Approx(10.0 * static_cast<double>(values - 1)));
    CHECK(found.effects[1].mean.value == Approx(2));
    CHECK(found.effects[2].mean.value == Approx(300));
  }
}

TEST_CASE("sample: bad ones are refused with place and remedy") {
  const auto problem = [](const std::string& head, const std::string& over) {
    return problem_of(base() + "[sample]\n" + head + "\n[sample.over]\n" + over + "\n");
  };
  const std::string shards = "\"registry.shards\" = [1, 2]";
  CHECK_THAT(problem("design = \"sobel\"\npoints = 4", shards),
             Contains("study.toml:3:") && Contains("there is no design 'sobel'") &&
                 Contains("one of lhs, sobol, morris, saltelli"));
  CHECK_THAT(problem("points = 4", shards), Contains("[sample] needs a design"));
  CHECK_THAT(problem("design = \"sobol\"", shards), Contains("[sample] needs `points`"));
  CHECK_THAT(problem("design = \"morris\"\npoints = 4", shards),
             Contains("morris has no 'points'") && Contains("it has trajectories"));
  CHECK_THAT(problem("design = \"morris\"\ntrajectories = 4\nlevels = 5", shards),
             Contains("must be even"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 30000", shards),
             Contains("whole number from 1 to 20000"));
  CHECK_THAT(problem("design = \"saltelli\"\nrows = 9600", shards),
             Contains("this design has 28800 points"));
  CHECK_THAT(problem("design = \"saltelli\"\nrows = 100", shards), Contains("a multiple of 16"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 4", "\"registry.shards\" = [1]"),
             Contains("needs a range, or two values or more"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 4", "\"registry.shards\" = {from = 4, to = 2}"),
             Contains("the range of 'registry.shards' is empty"));
  CHECK_THAT(
      problem("design = \"morris\"\ntrajectories = 4", "\"registry.shards\" = [1, 2, 3, 4, 5]"),
      Contains("has 5 values, and morris tries 4") && Contains("levels = 6"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 4", "\"registry.shards\" = {from = 4}"),
             Contains("needs both ends"));
  CHECK_THAT(
      problem("design = \"sobol\"\npoints = 4", "\"disk.fsync_median\" = {from = \"1ms\", to = 5}"),
      Contains("are not of one kind"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 4",
                     "\"disk.fsync_median\" = {from = \"0s\", to = \"5ms\", scale = \"log\"}"),
             Contains("logarithmic scale"));
  CHECK_THAT(problem("design = \"sobol\"\npoints = 4", "\"registry.shard\" = [1, 2]"),
             Contains("unknown key") || Contains("registry.shards"));
  CHECK_THAT(
      problem_of(base() +
                 "[grid]\n\"registry.shards\" = [1, 2]\n[sample]\ndesign = \"sobol\"\n"
                 "points = 4\n[sample.over]\n\"registry.max_batch_operations\" = [16, 64]\n"),
      Contains("[sample] cannot be combined with [grid]"));
  CHECK_THAT(problem_of(base() + "where = \"registry.shards < 2\"\n[sample]\ndesign = \"morris\"\n"
                                 "trajectories = 4\n[sample.over]\n\"registry.shards\" = [1, 2]\n"
                                 "\"registry.max_batch_operations\" = [16, 64]\n"),
             Contains("a morris design needs all of its points"));
}

}  // namespace photonsim::campaigns
