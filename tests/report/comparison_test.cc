// Comparisons of results files: what changed, what gates accept, and that chance fires none.
#include "report/comparison.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/statistics/critical_values.h"
#include "tests/analysis/statistics/draws.h"
#include "tests/report/results.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
using Catch::Contains;
using photon::testing::TemporaryFolder;

// One point with these runs: a seed and its value of registry.mean_batch each.
ReportPoints points_of(const std::vector<std::pair<std::uint64_t, double>>& runs,
                       const std::string& label = "s") {
  ReportPoint point{.label = label, .scenario = "s"};
  for (const auto& [seed, batch] : runs) {
    analysis::RunRecord run;
    run.seed = seed;
    run.fingerprint = std::to_string(seed) + ":" + std::to_string(batch);
    run.metrics = {testing::metric("registry.mean_batch", analysis::Unit::ratio, batch),
                   testing::metric("lost", analysis::Unit::count, 0)};
    point.records.emplace_back(std::move(run));
    point.runs.push_back({static_cast<std::int64_t>(seed), "ok"});
  }
  ReportPoints points;
  points.runs = runs.size();
  points.list.push_back(std::move(point));
  return points;
}

ChangeGates gates_of(const std::string& text) {
  const TemporaryFolder folder;
  return load_change_gates(folder.write("gates.toml", text));
}

const FigureChange& batch(const Comparison& comparison) {
  const auto& figures = comparison.points.at(0).figures;
  const auto found = std::ranges::find(figures, "registry.mean_batch", &FigureChange::metric);
  REQUIRE(found != figures.end());
  return *found;
}

ChangeVerdict verdict(const ReportPoints& before, const ReportPoints& after,
                      const std::string& gates) {
  const ChangeGates loaded = gates_of(gates);
  INFO(scenarios::format(loaded.problems));
  REQUIRE(loaded.problems.empty());
  return batch(compare(before, after, loaded.list)).verdict;
}

}  // namespace

TEST_CASE("diff: the same runs are identical") {
  const ReportPoints one = points_of({{1, 5}, {2, 6}, {3, 7}});
  const Comparison comparison = compare(one, one, {});
  CHECK(comparison.is_identical());
  CHECK_FALSE(comparison.fails());
  CHECK(comparison_text(comparison) == "identical: every run has the fingerprint of its partner\n");
}

TEST_CASE("diff: with common seeds the difference of pairs counts, not the spread of runs") {
  const ReportPoints before = points_of({{1, 5}, {2, 9}, {3, 7}});
  const ReportPoints after = points_of({{1, 6}, {2, 10}, {3, 8}, {4, 100}});
  const Comparison comparison = compare(before, after, {});
  CHECK(comparison.points[0].pairs == 3);
  CHECK(batch(comparison).change.value == Approx(1));
  CHECK(batch(comparison).change.interval->low == Approx(1));
  CHECK(batch(comparison).is_clear());
  CHECK_THAT(comparison_text(comparison),
             Contains("registry.mean_batch") && Contains("+1 [+1, +1]"));
}

TEST_CASE("diff: gates fail if all of the interval lies beyond them, and hold if none does") {
  const ReportPoints before = points_of({{1, 5}, {2, 9}, {3, 7}});
  const ReportPoints after = points_of({{1, 6}, {2, 10}, {3, 8}});
  using enum ChangeVerdict;
  CHECK(verdict(before, after, "[more]\n\"registry.mean_batch\" = 0.9\n") == fails);
  CHECK(verdict(before, after, "[more]\n\"registry.mean_batch\" = 1\n") == holds);
  CHECK(verdict(before, after, "[more]\n\"registry.mean_batch\" = \"14%\"\n") == fails);
  CHECK(verdict(before, after, "[more]\n\"registry.mean_batch\" = \"15%\"\n") == holds);
  CHECK(verdict(before, after, "[less]\n\"registry.mean_batch\" = 0\n") == holds);
  CHECK(verdict(after, before, "[less]\n\"registry.mean_batch\" = \"5%\"\n") == fails);
  // 1 +- 4.3 of 0.58: part of it lies beyond.
  const ReportPoints uneven = points_of({{1, 5.5}, {2, 10.5}, {3, 8}});
  CHECK(verdict(before, uneven, "[more]\n\"registry.mean_batch\" = 1\n") == undecided);
  // Of one pair nothing is sure, unless it agrees.
  CHECK(verdict(points_of({{1, 5}}), points_of({{1, 6}}),
                "[more]\n\"registry.mean_batch\" = 0.5\n") == undecided);
  CHECK(verdict(points_of({{1, 5}}), points_of({{1, 5}}),
                "[more]\n\"registry.mean_batch\" = 0\n") == holds);
  CHECK(compare(before, after, gates_of("[more]\n\"registry.mean_batch\" = 0.9\n").list).fails());
}

TEST_CASE("diff: no latency gate holds where a side does not keep up; of a swarm nothing is said") {
  const auto with_latency = [](double seconds, double stationary) {
    ReportPoints points = points_of({{1, 5}, {2, 5}, {3, 5}});
    for (auto& run : points.list[0].records) {
      seconds += 0.01;
      run->fingerprint += std::to_string(seconds);
      run->metrics.push_back(testing::metric("latency_own.mean", analysis::Unit::seconds, seconds));
      run->metrics.push_back(
          testing::metric("capacity.stationary", analysis::Unit::ratio, stationary));
    }
    return points;
  };
  const ChangeGates gates =
      gates_of("[more]\n\"latency.own.mean\" = \"1s\"\n\"registry.mean_batch\" = 1\n");
  REQUIRE(gates.problems.empty());
  const auto verdicts = [&](const ReportPoints& before, const ReportPoints& after) {
    const Comparison comparison = compare(before, after, gates.list);
    std::vector<ChangeVerdict> list;
    for (const FigureChange& each : comparison.points.at(0).figures) {
      if (!each.gate.empty()) list.push_back(each.verdict);
    }
    return std::pair(list, comparison_text(comparison));
  };
  using enum ChangeVerdict;
  const ReportPoints sound = with_latency(2, 1), overloaded = with_latency(2.1, 0);
  const std::vector both{holds, holds};
  CHECK(verdicts(sound, with_latency(2.1, 1)).first == both);
  const auto [list, text] = verdicts(sound, overloaded);
  CHECK(std::ranges::count(list, not_stationary) == 1);
  CHECK(std::ranges::count(list, holds) == 1);
  CHECK(compare(sound, overloaded, gates.list).fails());
  // What did not keep up before either is no news.
  CHECK(std::ranges::count(verdicts(overloaded, with_latency(2.2, 0)).first, undecided) == 1);
  CHECK(std::ranges::count(verdicts(overloaded, sound).first, undecided) == 1);
  CHECK_THAT(text, Contains("NOT STATIONARY after: "));
  // What is surely worse is so all the more.
  CHECK(std::ranges::count(verdicts(sound, with_latency(9, 0)).first, fails) == 1);
  ReportPoints swarm = sound, swarms = overloaded;
  for (ReportPoints* each : {&swarm, &swarms}) {
    each->list[0].kind = "campaign";
    each->list[0].scenario = "swarm";
  }
  CHECK(verdicts(swarm, swarms).first == both);
  CHECK_THAT(verdicts(swarm, swarms).second, !Contains("NOT STATIONARY"));
}

TEST_CASE("diff: chance fires no gate in 200 comparisons of equals, with other seeds each") {
  analysis::Draws draws(7, 1);
  const ChangeGates gates = gates_of(
      "[more]\n\"registry.mean_batch\" = 0\n\"lost\" = 0\n[less]\n\"registry.mean_batch\" = 0\n");
  int fired = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::pair<std::uint64_t, double>> before, after;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      before.emplace_back(seed, 100 + draws.normal());
      after.emplace_back(seed + 5, 100 + draws.normal());
    }
    fired += compare(points_of(before), points_of(after), gates.list).fails() ? 1 : 0;
  }
  // At most 5 % by the promise; Bonferroni and the sum of half-widths make it rarer.
  CHECK(fired <= 4);
}

TEST_CASE("diff: with gates the intervals of all points hold together") {
  ReportPoints before, after;
  for (const std::string label : {"one", "two", "three"}) {
    before.list.push_back(points_of({{1, 5}, {2, 9}, {3, 7}}, label).list[0]);
    after.list.push_back(points_of({{1, 5.5}, {2, 10.5}, {3, 8}}, label).list[0]);
  }
  const ChangeGates gates =
      gates_of("[more]\n\"registry.mean_batch\" = 1\n[less]\n\"registry.mean_batch\" = 1\n");
  REQUIRE(gates.problems.empty());
  REQUIRE(gates.list.size() == 2);
  const auto check = [&](std::span<const ChangeGate> list, double confidence) {
    const Comparison comparison = compare(before, after, list);
    CHECK(comparison.confidence == Approx(confidence));
    REQUIRE(comparison.points.size() == 3);
    // Differences of 0.5, 1.5 and 1.
    const double half = analysis::student_factor(3, confidence) * 0.5 / std::sqrt(3.0);
    CHECK(batch(comparison).change.interval->low == Approx(1 - half));
    CHECK(batch(comparison).change.interval->high == Approx(1 + half));
  };
  check({}, 0.95);  // nothing is tested
  check(std::span(gates.list).first(1), 1 - 0.05 / 3);
  check(gates.list, 1 - 0.05 / 6);
}

TEST_CASE("diff: runs that fail now and did not before fail the comparison") {
  const ReportPoints before = points_of({{1, 5}, {2, 6}});
  ReportPoints after = points_of({{1, 5}, {2, 6}});
  after.list[0].records[1]->exit_code = 3;
  const Comparison comparison = compare(before, after, {});
  CHECK(comparison.fails());
  CHECK_THAT(comparison_text(comparison), Contains("1 FAIL, 0 did before"));
}

TEST_CASE("diff: one run on each side with other seeds, and a rate with an interval, is compared") {
  const auto lossless = [](std::uint64_t seed) {
    ReportPoints points = points_of({{seed, 5}});
    auto& metrics = points.list[0].records[0]->metrics;
    metrics.push_back(testing::metric("joinable", analysis::Unit::count, 1'000));
    metrics.push_back(testing::metric("loss_rate", analysis::Unit::ratio, 0));
    return points;
  };
  const ChangeGates gates = gates_of("[more]\n\"loss_rate\" = \"0.1%\"\n");
  REQUIRE(gates.problems.empty());
  const Comparison comparison = compare(lossless(1), lossless(2), gates.list);
  const auto& figures = comparison.points.at(0).figures;
  const auto rate = std::ranges::find(figures, "loss_rate", &FigureChange::metric);
  REQUIRE(rate != figures.end());
  // Nothing is known of one run each: equal zeros hold no gate without pairs.
  CHECK_FALSE(rate->paired);
  CHECK(rate->verdict == ChangeVerdict::undecided);
}

TEST_CASE("diff: a gate on what no run that counts has fails, and is named") {
  ReportPoints failing = points_of({{1, 5}, {2, 6}});
  for (auto& run : failing.list[0].records) run->exit_code = 3;
  const ChangeGates gates = gates_of("[more]\n\"registry.mean_batch\" = \"5%\"\n");
  const Comparison comparison = compare(failing, failing, gates.list);
  CHECK(batch(comparison).verdict == ChangeVerdict::not_measured);
  CHECK(comparison.fails());
  CHECK_THAT(comparison_text(comparison), Contains("NOT MEASURED"));
  // The runs themselves are paired, and equal.
  CHECK(comparison.points.at(0).pairs == 2);
  CHECK(comparison.points.at(0).identical == 2);
}

TEST_CASE("diff: one pair of three that agrees is no proof that a gate holds") {
  const ReportPoints before = points_of({{1, 5}, {2, 9}, {3, 7}});
  const ReportPoints after = points_of({{1, 5}, {12, 90}, {13, 70}});
  CHECK(verdict(before, after, "[more]\n\"registry.mean_batch\" = \"5%\"\n") ==
        ChangeVerdict::undecided);
}

TEST_CASE("diff: intervals of independent samples keep their sides") {
  // 0 of three runs, at most 0.6316 by the rule of three; 6 of 60 in five.
  const auto rates = [](std::uint64_t first, std::uint64_t runs, double lost) {
    ReportPoints points = points_of({});
    for (std::uint64_t i = 0; i < runs; ++i) {
      analysis::RunRecord run;
      run.seed = first + i;
      run.metrics = {testing::metric("lost", analysis::Unit::count, lost),
                     testing::metric("joinable", analysis::Unit::count, 1'000),
                     testing::metric("loss_rate", analysis::Unit::ratio, lost / 1'000)};
      points.list[0].records.emplace_back(std::move(run));
      points.list[0].runs.push_back({static_cast<std::int64_t>(first + i), "ok"});
    }
    return points;
  };
  const Comparison comparison = compare(rates(1, 3, 0), rates(11, 5, 20), {});
  const auto& figures = comparison.points.at(0).figures;
  const auto rate = std::ranges::find(figures, "loss_rate", &FigureChange::metric);
  REQUIRE(rate != figures.end());
  REQUIRE(rate->change.interval);
  // Five runs with equal rates: no width. 1 - 0.05^(1/3) below, and nothing above.
  CHECK(rate->change.value == Approx(0.02));
  CHECK(rate->change.interval->low == Approx(0.02 - 0.631597).epsilon(1e-4));
  CHECK(rate->change.interval->high == Approx(0.02));
}

TEST_CASE("diff: points without a partner are named") {
  ReportPoints before = points_of({{1, 5}}, "a");
  before.list.push_back(points_of({{1, 5}}, "b").list[0]);
  ReportPoints after = points_of({{1, 5}}, "a");
  after.list.push_back(points_of({{1, 5}}, "c").list[0]);
  const Comparison comparison = compare(before, after, {});
  CHECK(comparison.points.size() == 1);
  CHECK(comparison.only_before == std::vector<std::string>{"b"});
  CHECK(comparison.only_after == std::vector<std::string>{"c"});
  CHECK_FALSE(comparison.is_identical());
}

TEST_CASE("diff: bad gates, each with place and remedy") {
  const auto problem = [](const std::string& text) {
    const ChangeGates gates = gates_of(text);
    return gates.problems.empty() ? std::string() : scenarios::format(gates.problems.front());
  };
  CHECK_THAT(problem("[mroe]\n\"lost\" = 0\n"), Contains("gates.toml:1:") && Contains("[more]"));
  CHECK_THAT(problem("[more]\n\"lots\" = 0\n"), Contains("there is no metric 'lots'"));
  CHECK_THAT(problem("[more]\n\"lost\" = -1\n"), Contains("is not a quantity from 0 on"));
  CHECK_THAT(problem("[more]\n\"lost\" = [1]\n"), Contains("is not a quantity from 0 on"));
  CHECK_THAT(problem("[more]\n\"latency.own.mean\" = 5\n"), Contains("another unit"));
  CHECK_THAT(problem("more = 3\n"), Contains("is not a table"));
  CHECK_THAT(problem(""), Contains("has no gate"));
  CHECK_THAT(scenarios::format(load_change_gates("nowhere.toml").problems),
             Contains("cannot be read"));
}

}  // namespace photonsim::report
