// Charts of studies: what a study file may state of them, and what runs draw.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "campaigns/studies/chart_result.h"
#include "campaigns/studies/series_figures.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Records = std::vector<std::optional<analysis::RunRecord>>;

const std::string kThreePoints = "[grid]\n\"registry.shards\" = [4, 1, 2]\n";
const std::string kChart = R"([[chart]]
id = "Fig 1"
title = "batches"
x = "registry.shards / 2"
line = [{label = "all", figure = "load.mean_batch * 2"}]
)";

std::string changed(const std::string& before, const std::string& after) {
  std::string text = kThreePoints + kChart;
  const auto at = text.find(before);
  REQUIRE(at != std::string::npos);
  return text.replace(at, before.size(), after);
}

analysis::RunRecord record(std::uint64_t seed, const std::map<std::string, double>& figures) {
  analysis::RunRecord made;
  made.seed = seed;
  for (const auto& [name, value] : figures) {
    made.metrics.push_back({name, analysis::Unit::ratio, analysis::Adding::none, value});
  }
  return made;
}

Records batches(double first, double second) {
  return {record(1, {{"load.mean_batch", first}}), record(2, {{"load.mean_batch", second}})};
}

// What the first chart of a study draws of the records of its points.
ChartResult drawn(const std::string& text, const std::vector<Records>& records) {
  const StudyPlan plan = plan_of(text);
  std::vector<PointEstimates> estimates(records.begin(), records.end());
  std::vector<const PointEstimates*> list;
  for (const PointEstimates& each : estimates) list.push_back(&each);
  return chart_result(plan.study().charts.front(), plan.charts().front(), list);
}

std::vector<double> xs(const DrawnLine& line) {
  std::vector<double> list;
  for (const ChartValue& each : line.values) list.push_back(each.x.value_or(-1));
  return list;
}

std::vector<double> ys(const DrawnLine& line) {
  std::vector<double> list;
  for (const ChartValue& each : line.values) list.push_back(each.estimate.value);
  return list;
}

}  // namespace

TEST_CASE("charts: a line has a value for each point, by x, with its interval and theory") {
  const ChartResult result = drawn(
      changed("load.mean_batch * 2\"", "load.mean_batch * 2\", theory = \"registry.shards * 3\""),
      {batches(40, 42), batches(10, 12), batches(20, 22)});
  REQUIRE(result.lines.size() == 1);
  const DrawnLine& line = result.lines.front();
  CHECK(xs(line) == std::vector<double>{0.5, 1, 2});
  CHECK(ys(line) == std::vector<double>{22, 42, 82});
  CHECK(line.values[0].point == 1U);
  CHECK(line.values[2].theory == 12.0);
  // Of two values that are 4 apart: 12.7062 / 2 times 4.
  REQUIRE(line.values[2].estimate.interval.has_value());
  CHECK(line.values[2].estimate.interval->high == Approx(82 + 2 * 12.7062).epsilon(1e-4));
}

TEST_CASE("charts: a line has the points that it states, beside another one seed by seed") {
  const ChartResult result = drawn(changed("mean_batch * 2\"",
                                           "mean_batch\", at = \"registry.shards >= 2\", "
                                           "beside = \"registry.shards == 1\""),
                                   {batches(40, 60), batches(10, 20), batches(20, 22)});
  const DrawnLine& line = result.lines.front();
  CHECK(xs(line) == std::vector<double>{1, 2});
  CHECK(ys(line)[0] == Approx((20.0 / 10 + 22.0 / 20) / 2));
  CHECK(ys(line)[1] == Approx((40.0 / 10 + 60.0 / 20) / 2));
}

TEST_CASE("charts: cases stand in the order of the study, and a missing figure is left out") {
  const ChartResult result = drawn(changed("registry.shards / 2", "case"),
                                   {batches(40, 42), {record(1, {{"lost", 0}})}, batches(20, 22)});
  const DrawnLine& line = result.lines.front();
  CHECK(ys(line) == std::vector<double>{82, 42});
  CHECK(line.values[1].point == 2U);
  CHECK_FALSE(line.values[0].x.has_value());
}

TEST_CASE("charts: bounds are curves over the range of x") {
  const ChartResult result =
      drawn(kThreePoints + kChart + "bound = [{label = \"half\", formula = \"x / 2 + 1\"}]\n",
            {batches(4, 4), batches(1, 1), batches(2, 2)});
  REQUIRE(result.bounds.size() == 1);
  const auto& values = result.bounds.front().values;
  REQUIRE(values.size() == kBoundValues);
  CHECK(values.front().first == 0);
  CHECK(values.back().first == Approx(2.5));
  for (const auto& [x, y] : values) CHECK(y.value() == Approx(x / 2 + 1));
}

TEST_CASE("charts: what holds lies below a bound, or above it where it says so") {
  const auto bound = [](const std::string& side) {
    return kThreePoints + kChart + "bound = [{label = \"b\", formula = \"x\"" + side + "}]\n";
  };
  const std::vector<Records> records{batches(4, 4), batches(1, 1), batches(2, 2)};
  CHECK_FALSE(drawn(bound(""), records).bounds.front().least);
  CHECK_FALSE(drawn(bound(", side = \"below\""), records).bounds.front().least);
  CHECK(drawn(bound(", side = \"above\""), records).bounds.front().least);
  CHECK_THAT(problem_of(base() + bound(", side = \"left\"")), Catch::Contains("no side 'left'"));
}

TEST_CASE("charts: over time each interval has a value at its end") {
  const auto of_run = [](std::uint64_t seed, double more) {
    return record(seed, {{"series.interval_seconds", 30},
                         {"series.joins.first_pipeline.0000", 10 + more},
                         {"series.joins.first_pipeline.0001", 20 + more},
                         {"series.joins.first_pipeline.0002", 0},
                         {"series.joins.last_pipeline.0000", 2},
                         {"series.joins.last_pipeline.0001", 4},
                         {"series.joins.last_pipeline.0002", 0}});
  };
  StudyFigure share;
  share.figure = "series.joins.first_pipeline / series.joins.last_pipeline";
  share.factors = product_of(share.figure);
  CHECK(figure_of_interval(share, 1).figure ==
        "series.joins.first_pipeline.0001 / series.joins.last_pipeline.0001");
  Chart chart;
  chart.across = Chart::Across::time;
  chart.x = Formula::parse("time / 60").formula;
  ChartLine& line = chart.lines.emplace_back();
  static_cast<StudyFigure&>(line) = share;
  const Records records{of_run(1, 0), of_run(2, 2)};
  const PointEstimates estimates(records);
  const PointEstimates* const list[] = {&estimates};
  FigurePoints points;
  points.at = {0};
  points.keys.resize(1);
  const ChartResult result = chart_result(chart, std::vector{points}, list);
  // In the third interval nothing is joined: a quotient by zero is no value.
  CHECK(xs(result.lines.front()) == std::vector<double>{0.5, 1});
  CHECK(ys(result.lines.front()) == std::vector<double>{(5.0 + 6) / 2, (5.0 + 5.5) / 2});
  CHECK(intervals_of(estimates) == 3);
  // The load ends in the second interval.
  points.keys[0][std::string(kRunDuration)] = 50;
  CHECK(xs(chart_result(chart, std::vector{points}, list).lines.front()) ==
        std::vector<double>{0.5});
  // The first interval is warm-up.
  points.keys[0][std::string(kRunDuration)] = 60;
  points.keys[0][std::string(kRunWarmUp)] = 30;
  CHECK(xs(chart_result(chart, std::vector{points}, list).lines.front()) == std::vector<double>{1});
}

TEST_CASE("charts: over time a study keeps series and names them without a number") {
  const std::string chart = R"([set]
"run.keep_series" = true
[[chart]]
id = "Fig 9"
title = "operations"
x = "time / 60"
line = [{label = "offered", figure = "series.offered / 2"}]
)";
  const auto replaced = [&](const std::string& before, const std::string& after) {
    std::string text = base() + chart;
    return problem_of(text.replace(text.find(before), before.size(), after));
  };
  CHECK(problem_of(base() + chart).empty());
  CHECK(plan_of(chart).study().charts.front().across == Chart::Across::time);
  CHECK_THAT(replaced("true", "false"),
             Catch::Contains("no run of this study keeps series.offered.0000"));
  CHECK_THAT(replaced("series.offered", "series.offerd"), Catch::Contains("series.offered"));
  CHECK_THAT(replaced("series.offered", "series.joins.first_pipeline"),
             Catch::Contains("no run of this study measures"));
  CHECK_THAT(replaced("time / 60", "registry.shards"), Catch::Contains("series.offered.0000"));
  CHECK(replaced("offered / 2\"", "offered / 2\", theory = \"series.served / time\"").empty());
  CHECK_THAT(replaced("[[chart]]", "[grid]\n\"registry.shards\" = [1, 2]\n[[chart]]"),
             Catch::Contains("admits 2 points; over time a line is of one"));
}

TEST_CASE("charts: what is missing or unknown is refused, with its place") {
  const auto refused = [](const std::string& text) { return problem_of(base() + text); };
  CHECK(refused(kThreePoints + kChart).empty());
  CHECK_THAT(refused(changed("id = \"Fig 1\"\n", "")), Catch::Contains("has no `id`"));
  CHECK_THAT(refused(changed("title = \"batches\"\n", "")), Catch::Contains("has no `title`"));
  CHECK_THAT(refused(changed("x = \"registry.shards / 2\"\n", "")), Catch::Contains("has no `x`"));
  CHECK_THAT(refused(changed("label = \"all\", ", "")), Catch::Contains("no `label`"));
  CHECK_THAT(refused(changed("load.mean_batch", "load.mean_bach")),
             Catch::Contains("load.mean_batch"));
  CHECK_THAT(refused(changed("registry.shards / 2", "registry.shrds / 2")),
             Catch::Contains("'registry.shrds' is no figure, and no key with a number"));
  CHECK_THAT(refused(changed("label = \"all\"", "label = \"all\", at = \"registry.shards == 9\"")),
             Catch::Contains("chart Fig 1, all: `at` admits no point"));
  CHECK_THAT(refused(kThreePoints + kChart + "colour = 3\n"), Catch::Contains("no key 'colour'"));
  CHECK_THAT(refused(changed("mean_batch * 2\"", "mean_batch * 2\", theory = \"time\"")),
             Catch::Contains("'time' is no figure"));
  CHECK_THAT(refused(changed("line = [", "line = [{label = \"all\", figure = \"lost\"}, ")),
             Catch::Contains("two lines 'all'"));
  CHECK_THAT(refused(kThreePoints + kChart + kChart), Catch::Contains("two charts 'Fig 1'"));
  CHECK_THAT(refused(kThreePoints + kChart + "bound = [{label = \"b\", formula = \"y / 2\"}]\n"),
             Catch::Contains("no `formula` of x"));
  CHECK_THAT(refused(changed("x = \"registry.shards / 2\"", "x = \"case\"") +
                     "bound = [{label = \"b\", formula = \"x / 2\"}]\n"),
             Catch::Contains("a bound needs an `x` of points"));
  CHECK_THAT(refused("[search]\npoints = 9\nover = {\"registry.shards\" = [1, 2, 3]}\n[answer]\n"
                     "best = \"load.mean_batch\"\n" +
                     kChart),
             Catch::Contains("[search] cannot be combined with [[chart]]"));
}

}  // namespace photonsim::campaigns
