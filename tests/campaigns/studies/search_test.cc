// [search]: where it looks, what its models are told, and what is wrong with bad ones.
#include "campaigns/studies/search.h"

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "campaigns/studies/search_evaluations.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
using Catch::Contains;

const std::string kSearchOver = R"(
[search.over]
"registry.shards" = {from = 1, to = 8}
"registry.max_batch_operations" = {from = 16, to = 4096, scale = "log"}
"registry.linger" = {from = "1ms", to = "50ms"}
)";
const std::string kSearch = "[search]\npoints = 40\n" + kSearchOver + "[replications]\nmin = 2\n";
const std::string kBest = "[answer]\nbest = \"latency.insert.p99\"\n";

// A run with these figures, sound or not.
std::optional<analysis::RunRecord> measured_run(double latency, double transactions,
                                                bool stationary = true) {
  analysis::RunRecord run;
  const auto add = [&run](const std::string& name, double value) {
    run.metrics.push_back({.name = name, .unit = analysis::Unit::count, .value = value});
  };
  add("load.insert_latency.mean", latency);
  add("load.transactions_per_second", transactions);
  add("capacity.stationary", stationary ? 1 : 0);
  return run;
}

using RunsOfPoint = std::vector<std::optional<analysis::RunRecord>>;

SearchEvaluations evaluations_of(const StudyPlan& plan, const std::vector<RunsOfPoint>& runs) {
  const auto places = first_points(*plan.study().search);
  std::vector<PointEstimates> estimates;
  for (const RunsOfPoint& each : runs) estimates.emplace_back(each);
  std::vector<StudyPoint> points(plan.points().begin(),
                                 plan.points().begin() + static_cast<std::ptrdiff_t>(runs.size()));
  return search_evaluations(plan.study(), points, {places.begin(), places.begin() + 4}, estimates);
}

}  // namespace

TEST_CASE("search: its first points have values of all keys, and none twice") {
  const StudyPlan plan = plan_of(kSearch + kBest);
  const Search& search = *plan.study().search;
  CHECK(search.first == 2 * 3 + 6);
  REQUIRE(plan.points().size() == search.first);
  std::set<std::string> labels;
  for (const StudyPoint& point : plan.points()) {
    CHECK(point.config.registry.shards >= 1);
    CHECK(point.config.registry.shards <= 8);
    CHECK(point.config.registry.max_batch_operations >= 16);
    CHECK(point.config.registry.max_batch_operations <= 4096);
    CHECK(labels.insert(point.label).second);
  }
  const analysis::SearchSpace space = space_of(search);
  CHECK(space.values(0) == 8);
  // A range is searched at some of its values, each once: no two places are one text.
  for (const std::size_t factor : {1U, 2U}) {
    const std::vector<std::string>& values = search.factors[factor].values;
    CHECK(space.values(factor) == values.size());
    CHECK(values.size() > 60);
    CHECK(values.size() <= kMostValues);
    CHECK(std::set<std::string>(values.begin(), values.end()).size() == values.size());
  }
  CHECK(search.factors[1].values.front() == "16");
  CHECK(search.factors[1].values.back() == "4096");
  CHECK(search.factors[2].values.back() == "50ms");
  // Confirmations use seeds after those of the search.
  CHECK(plan.study().most_replications == 2 + 10);
}

TEST_CASE("search: more points are planned after the first ones, whole or not at all") {
  StudyPlan plan = plan_of(kSearch + kBest);
  const std::size_t before = plan.points().size();
  const Search search = *plan.study().search;
  CHECK(plan.add({choice_at(search, {0.0, 0.0, 0.0})}).empty());
  REQUIRE(plan.points().size() == before + 1);
  CHECK(plan.points().back().label ==
        "registry.shards=1, registry.max_batch_operations=16, registry.linger=1ms");
  CHECK(plan.points().back().choices.size() == 3);
  CHECK(plan.replay_of(plan.number_of(before, 0)).find("registry.linger=1ms") != std::string::npos);
  Choice bad = choice_at(search, {0.5, 0.5, 0.5});
  bad.settings[0].value = "0";
  CHECK_FALSE(plan.add({choice_at(search, {0.9, 0.9, 0.9}), bad}).empty());
  CHECK(plan.points().size() == before + 1);
}

TEST_CASE("search: models are told logarithms, drawn-together noise, bounds and unsound points") {
  const StudyPlan plan = plan_of(kSearch +
                                 "[answer]\nbest = \"load.transactions_per_second\"\n"
                                 "subject_to = [\"latency.insert.mean < 250ms\"]\n");
  std::vector<RunsOfPoint> runs{{measured_run(0.10, 10), measured_run(0.12, 10)},
                                {measured_run(0.20, 20), measured_run(0.20, 22)},
                                {measured_run(0.40, 40), measured_run(0.44, 40)},
                                {measured_run(90, 5), measured_run(110, 5)}};
  SECTION("sound points") {
    const SearchEvaluations found = evaluations_of(plan, runs);
    CHECK(found.goal.objectives == 1);
    REQUIRE(found.goal.bounds.size() == 1);
    CHECK(found.goal.bounds[0] == Approx(std::log(0.25)));
    REQUIRE(found.list.size() == 4);
    CHECK(found.list[1].values[0] == Approx(std::log(21)));
    CHECK(found.list[0].values[1] == Approx(std::log(0.11)));
    // Of the logarithms of the means of two: 0.0083, 0, 0.0023 and 0.01; the third of four is what
    // is usual, known from kPriorDegrees more.
    const double own = std::pow(0.01 / 0.11, 2), usual = own;
    CHECK(found.list[0].noise_variances[1] == Approx(own));
    CHECK(found.list[1].noise_variances[1] ==
          Approx(kPriorDegrees * usual / (1 + kPriorDegrees)).epsilon(0.01));
  }
  SECTION("one cannot keep up: one more figure, bounded") {
    runs[3] = {measured_run(90, 5, false), measured_run(110, 5, false)};
    const SearchEvaluations found = evaluations_of(plan, runs);
    REQUIRE(found.goal.bounds.size() == 2);
    CHECK(found.goal.bounds[1] == 0.5);
    CHECK(found.list[3].values[2] == 1);
    CHECK(found.list[0].values[2] == 0);
    CHECK(found.list[0].noise_variances[2] == 0);
  }
  SECTION("one lacks its figures: as bad as the worst, and unsound") {
    runs[2] = {analysis::RunRecord{}, analysis::RunRecord{}};
    const SearchEvaluations found = evaluations_of(plan, runs);
    CHECK(found.list[2].values[0] == Approx(std::log(21)));
    CHECK(found.list[2].values[1] == Approx(std::log(100)));
    CHECK(found.list[2].values[2] == 1);
  }
}

TEST_CASE("search: a lower bound is turned round, and a point without its figure is the worst") {
  const StudyPlan plan = plan_of(kSearch +
                                 "[answer]\nbest = \"latency.insert.mean\"\n"
                                 "subject_to = [\"load.transactions_per_second > 5\"]\n");
  const RunsOfPoint fast{measured_run(0.1, 10), measured_run(0.1, 10)};
  const RunsOfPoint slow{measured_run(0.1, 4), measured_run(0.1, 4)};
  const RunsOfPoint none{analysis::RunRecord{}, analysis::RunRecord{}};
  const SearchEvaluations found = evaluations_of(plan, {fast, slow, fast, none});
  CHECK(found.goal.bounds[0] == Approx(-std::log(5)));
  CHECK(found.list[0].values[1] == Approx(-std::log(10)));
  CHECK(found.list[1].values[1] == Approx(-std::log(4)));
  CHECK(found.list[3].values[1] == Approx(-std::log(4)));
}

TEST_CASE("search: `least` is a cost without noise, by the ranks of its keys' values") {
  const StudyPlan plan = plan_of(kSearch +
                                 "[answer]\nleast = [\"registry.shards\", "
                                 "\"registry.max_batch_operations\"]\n"
                                 "subject_to = [\"load.transactions_per_second > 5\"]\n");
  const RunsOfPoint same{measured_run(0.1, 10), measured_run(0.1, 10)};
  const SearchEvaluations found = evaluations_of(plan, {same, same, same, same});
  const std::vector<std::string>& batches = plan.study().search->factors[1].values;
  std::set<double> costs;
  for (std::size_t i = 0; i < 4; ++i) {
    const scenarios::Config& config = plan.points()[i].config;
    const auto batch =
        std::ranges::find(batches, std::to_string(config.registry.max_batch_operations));
    REQUIRE(batch != batches.end());
    const double shards = (static_cast<double>(config.registry.shards) - 1) / 8;
    const auto rank = static_cast<double>(batch - batches.begin());
    CHECK(found.list[i].values[0] ==
          Approx(shards + rank / 8 / static_cast<double>(batches.size())));
    CHECK(found.list[i].noise_variances[0] == 0);
    costs.insert(found.list[i].values[0]);
  }
  CHECK(costs.size() > 1);
}

TEST_CASE("search: two spellings of one value have one cost") {
  const StudyPlan plan = plan_of(
      "[search]\npoints = 10\nfirst = 4\n[search.over]\n"
      "\"registry.shards\" = {from = 1, to = 8}\n"
      "\"registry.linger\" = [\"1ms\", \"1000us\"]\n[replications]\nmin = 2\n"
      "[answer]\nleast = [\"registry.linger\"]\n"
      "subject_to = [\"load.transactions_per_second > 5\"]\n");
  const RunsOfPoint same{measured_run(0.1, 10), measured_run(0.1, 10)};
  const SearchEvaluations found = evaluations_of(plan, {same, same, same, same});
  for (const auto& each : found.list) CHECK(each.values[0] == 0);
}

TEST_CASE("search: bad ones are refused with place and remedy") {
  const auto problem = [](const std::string& text) { return problem_of(base() + text); };
  CHECK(problem(kSearch + kBest).empty());
  CHECK_THAT(problem(kSearch), Contains("does not know what to look for"));
  CHECK_THAT(problem("[search]\n" + kSearchOver + kBest), Contains("[search] needs `points`"));
  CHECK_THAT(problem("[search]\npoints = 10\n" + kBest), Contains("needs keys to search over"));
  CHECK_THAT(problem("[search]\npoints = 10\n" + kSearchOver + "[replications]\nmin = 1\n" + kBest),
             Contains("needs two replications of each point"));
  CHECK_THAT(problem("[search]\npoints = 1\n" + kSearchOver + kBest),
             Contains("needs two points or more"));
  CHECK_THAT(problem("where = [\"registry.shards < 4\"]\n" + kSearch + kBest),
             Contains("cannot be combined with `where`"));
  CHECK_THAT(problem(kSearch + "[grid]\n\"disk.fsync_median\" = [\"1ms\", \"2ms\"]\n" + kBest),
             Contains("cannot be combined with [grid]"));
  CHECK_THAT(problem(kSearch + "[precision]\n\"latency.insert.p99\" = \"5%\"\n" + kBest),
             Contains("cannot be combined with [precision]"));
  CHECK_THAT(problem(kSearch + kBest + "subject_to = [\"load.mean_batch == 3\"]\n"),
             Contains("a search cannot use `load.mean_batch == 3`"));
  CHECK_THAT(problem(kSearch + kBest + "among = [\"registry.shards == 4\"]\n"),
             Contains("cannot be combined with `among`"));
  CHECK_THAT(problem(kSearch + "[answer]\npareto = [\"latency.insert.p99\", "
                               "\"registry.mean_batch\", \"latency.insert.p99\"]\n"),
             Contains("names latency.insert.p99 twice"));
  CHECK_THAT(problem(kSearch + "[answer]\npareto = [\"latency.insert.p99\"]\n"),
             Contains("a front has two metrics or more"));
  for (const std::string range : {"{from = 4, to = 2}", "{from = 4, to = 4}"}) {
    CHECK_THAT(problem("[search]\npoints = 10\n[search.over]\n\"registry.shards\" = " + range +
                       "\n[replications]\nmin = 2\n" + kBest),
               Contains("the range of 'registry.shards' is empty"));
  }
  CHECK_THAT(
      problem("[search]\npoints = 10\n[search.over]\n\"registry.shards\" = {from = 0, to = 4}\n"
              "[replications]\nmin = 2\n" +
              kBest),
      Contains("registry.shards"));
}

}  // namespace photonsim::campaigns
