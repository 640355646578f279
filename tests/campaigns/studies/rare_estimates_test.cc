// Forced crashes beside crashes that happen by themselves.
#include "campaigns/studies/rare_estimates.h"

#include <cmath>
#include <string>
#include <vector>

#include "analysis/statistics/moments.h"
#include "campaigns/runs/run_spec.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;

// Three seconds of clicks with 0.3 crashes of joiners on average.
constexpr double kCrashes = 0.3;
const std::string kRandom =
    "faults.random=[{kind=\"process_crash\",target=\"joiner\",mean_interval=\"10s\","
    "restart_after=\"1s\",from=\"3s\"}]";

struct Sums {
  analysis::Moments lost{};
  std::uint64_t events = 0;
};

Sums run_all(const std::vector<std::string>& overrides, std::uint64_t runs, const char* metric) {
  const scenarios::LoadResult loaded = scenarios::load("scenarios/rare_losses.toml", overrides);
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  Sums sums;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    RunSpec spec;
    spec.config = loaded.config();
    spec.config.run.seed = seed;
    const RunResult result = run_one(spec, {});
    REQUIRE(result.record.exit_code == 0);
    sums.lost.add(result.record.metric(metric).value_or(0));
    sums.events += result.record.events;
  }
  return sums;
}

double squared_error(const analysis::Moments& moments) {
  return moments.variance() / static_cast<double>(moments.count());
}

}  // namespace

TEST_CASE("G-18 forced crashes lose as much as crashes that happen by themselves", "[sweep]") {
  const Sums plain = run_all({kRandom}, 700, "joiner_crashes.lost");
  // The background has crashes of its own, as Mecke's formula asks.
  const Sums forced =
      run_all({kRandom, "rare.forced_crash=joiner", "rare.strata=64"}, 128, "rare.lost");
  const double error =
      std::sqrt(squared_error(plain.lost) + kCrashes * kCrashes * squared_error(forced.lost));
  CAPTURE(plain.lost.mean(), kCrashes * forced.lost.mean(), error);
  CHECK(plain.lost.mean() > 0.1);
  CHECK(std::abs(plain.lost.mean() - kCrashes * forced.lost.mean()) < 3 * error);
  // Events for an interval of equal width: fewer even where a crash is not rare.
  const double plain_events = static_cast<double>(plain.events) * squared_error(plain.lost);
  const double forced_events =
      static_cast<double>(forced.events) * kCrashes * kCrashes * squared_error(forced.lost);
  CAPTURE(plain_events / forced_events);
  CHECK(plain_events > 2 * forced_events);
}

TEST_CASE("rare estimates: the report weighs losses by crashes, joiners and the clicks of a day") {
  scenarios::Config config;
  config.joiner.count = 3;  // in each of two pipelines
  config.joiner.max_window = 40;
  std::vector<analysis::RunRecord> records(2);
  const auto add = [](analysis::RunRecord& record, const char* name, double value) {
    record.metrics.push_back({name, analysis::Unit::count, analysis::Adding::sum, value});
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    add(records[i], "joinable", 1'000);
    add(records[i], "rare.click_seconds", 100);  // so 864,000 clicks a day
    add(records[i], "rare.crashes", static_cast<double>(i));
    add(records[i], "rare.window", i == 0 ? 0 : 6);
    add(records[i], "rare.lost", i == 0 ? 0 : 4);
    add(records[i], "rare.lost_at_end", i == 0 ? 0 : 1);
  }
  const std::vector<const analysis::RunRecord*> runs{&records[0], &records[1]};
  const CrashReport report = crash_report(runs, config, {.crashes_per_day = 0.1});
  CHECK(report.joiners == 6);
  CHECK(report.cap == 40);
  CHECK(report.found_clicks == 1);
  CHECK(report.estimates.lost.value == 2);
  CHECK(report.estimates.share.value == Approx(6 * 0.1 * 2 / 864'000));
  CHECK(report.share_at_end.value == Approx(6 * 0.1 * 0.5 / 864'000));
  CHECK(report.theory_share == Approx(6 * 0.1 * 3 / 864'000));
}

TEST_CASE("rare estimates: crashes that lose nothing bound the share by what each may lose") {
  scenarios::Config config;
  config.joiner.count = 1;  // in each of two pipelines
  config.joiner.max_window = 40;
  std::vector<analysis::RunRecord> records(60);
  std::vector<const analysis::RunRecord*> runs;
  for (analysis::RunRecord& record : records) {
    record.metrics.push_back({"joinable", analysis::Unit::count, analysis::Adding::sum, 1'000});
    record.metrics.push_back(
        {"rare.click_seconds", analysis::Unit::seconds, analysis::Adding::sum, 100});
    runs.push_back(&record);
  }
  const CrashReport report = crash_report(runs, config, {.crashes_per_day = 0.1});
  CHECK(report.estimates.share.value == 0);
  REQUIRE(report.estimates.share.interval);
  CHECK(report.estimates.share.interval->low == 0);
  // One minus the sixtieth root of 0.05 of all crashes may lose a click: 4.87 %.
  CHECK(report.estimates.share.interval->high ==
        Approx(0.0487 * 2 * 0.1 * 40 / 864'000).epsilon(0.01));
  CHECK(report.share_at_end.interval->high == report.estimates.share.interval->high);
}

TEST_CASE("a study with [rare] asks each of its points") {
  const std::string top =
      "base = \"" + std::filesystem::absolute("scenarios/rare_losses.toml").string() + "\"\n";
  const auto plan = [&](const std::string& text) {
    const Folder folder;
    StudyResult loaded = load_study(folder.write("study.toml", top + text));
    INFO(scenarios::format(loaded.problems));
    REQUIRE(loaded.problems.empty());
    PlanResult result = plan_study(std::move(loaded.study));
    INFO(scenarios::format(result.problems));
    REQUIRE(result.problems.empty());
    return std::move(result.plan);
  };
  const StudyPlan crash = plan(
      "[grid]\n\"cell.append_median\" = [\"20ms\", \"60ms\"]\n[rare]\nmethod = \"forced_crash\"\n"
      "crashes_per_day = 2\nstrata = 16\nrestart_after = \"3s\"\n");
  REQUIRE(crash.points().size() == 2);
  for (const StudyPoint& point : crash.points()) {
    CHECK(point.config.rare.forced_crash == scenarios::ForcedCrash::kJoiner);
    CHECK(point.config.rare.strata == 16);
    CHECK(point.config.rare.restart_after == std::chrono::seconds(3));
  }
  CHECK(crash.study().rare->crashes_per_day == 2);
  CHECK(crash.replay_of(0).find("rare.forced_crash=joiner") != std::string::npos);
  const StudyPlan split = plan(
      "[rare]\nmethod = \"splitting\"\nimportance = \"open_clicks\"\nlevels = [10, 20]\n"
      "effort = 9\n");
  const scenarios::Rare& rare = split.points().front().config.rare;
  CHECK(rare.importance == scenarios::Importance::kOpenClicks);
  CHECK(rare.levels == std::vector<scenarios::RareLevel>{{10}, {20}});
  CHECK(rare.effort == 9);
}

TEST_CASE("a study whose [rare] is wrong is refused, with the remedy") {
  const std::string top =
      "base = \"" + std::filesystem::absolute("scenarios/rare_losses.toml").string() + "\"\n";
  const auto says = [&](const std::string& text, const std::string& part) {
    const std::string problem = problem_of(top + text);
    INFO(problem);
    CHECK(problem.find(part) != std::string::npos);
  };
  says("[rare]\n", "needs a method");
  says("[rare]\nmethod = \"luck\"\n", "needs a method");
  says("[rare]\nmethod = \"splitting\"\n", "needs levels");
  says("[rare]\nmethod = \"splitting\"\nlevels = [8, 8]\n", "does not lie above");
  says("[rare]\nmethod = \"splitting\"\nlevels = [8]\nstrata = 4\n", "no key 'strata'");
  says("[rare]\nmethod = \"forced_crash\"\ncrashes_per_day = 0\n", "above zero");
  says("[rare]\nmethod = \"forced_crash\"\ncrashes_per_day = inf\n", "finite");
}

}  // namespace photonsim::campaigns
