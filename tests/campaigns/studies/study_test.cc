// Study files: what they plan, and what is wrong with bad ones.
#include "campaigns/studies/study.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaigns/studies/study_plan.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/studies/planned.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns {

TEST_CASE("a study multiplies grid, zip and list, and takes values with their units") {
  const StudyPlan plan = plan_of(R"(
[set]
"run.duration" = "30s"
[grid]
"registry.shards" = [1, 2]
registry.max_batch_operations = [16, 64, 256]
[zip]
"disk.fsync_median" = ["1ms", "2ms"]
"disk.fsync_p99" = ["1ms", "4ms"]
[[list]]
label = "slow"
"workload.registry.rate" = 10
[[list]]
"workload.registry.rate" = 20
"workload.registry.lookups" = 0.5
)");
  REQUIRE(plan.points().size() == 2 * 3 * 2 * 2);
  const StudyPoint& last = plan.points().back();
  CHECK(last.config.registry.shards == 2);
  CHECK(last.config.registry.max_batch_operations == 256);
  CHECK(last.config.disk.fsync_median == std::chrono::milliseconds(2));
  CHECK(last.config.disk.fsync_p99 == std::chrono::milliseconds(4));
  CHECK(last.config.workload.registry.lookups == 0.5);
  CHECK(last.config.run.duration == std::chrono::seconds(30));
  CHECK(plan.points().front().label ==
        "registry.shards=1, registry.max_batch_operations=16, disk.fsync_median=1ms, "
        "disk.fsync_p99=1ms, slow");
}

TEST_CASE("a point tells what it takes of each axis: a value, values of a zip, a case of a list") {
  const StudyPlan plan = plan_of(R"(
[grid]
"registry.shards" = [1, 2]
[zip]
"disk.fsync_median" = ["1ms", "2ms"]
"disk.fsync_p99" = ["1ms", "4ms"]
[[list]]
label = "slow"
"workload.registry.rate" = 10
[[list]]
"workload.registry.rate" = 20
"workload.registry.lookups" = 0.5
)");
  using photon::analysis::Parameter;
  CHECK(plan.points().front().choices ==
        std::vector<Parameter>{{"registry.shards", "1"},
                               {"disk.fsync_median, disk.fsync_p99", "1ms, 1ms"},
                               {"case", "slow"}});
  CHECK(
      plan.points().back().choices ==
      std::vector<Parameter>{{"registry.shards", "2"},
                             {"disk.fsync_median, disk.fsync_p99", "2ms, 4ms"},
                             {"case", "workload.registry.rate=20, workload.registry.lookups=0.5"}});
}

TEST_CASE("every point has the same seeds; runs are numbered through all points") {
  const StudyPlan plan = plan_of(R"(
[grid]
"registry.shards" = [1, 2, 4]
[replications]
min = 4
first_seed = 100
)");
  for (std::size_t point = 0; point < 3; ++point) {
    for (std::uint64_t replication = 0; replication < 4; ++replication) {
      const std::uint64_t number = plan.number_of(point, replication);
      CHECK(plan.point_of(number) == point);
      CHECK(plan.spec_of(number).config.run.seed == 100 + replication);
      CHECK(plan.spec_of(number).config.registry.shards == std::uint64_t{1} << point);
    }
  }
  CHECK_THAT(plan.replay_of(plan.number_of(2, 1)),
             Catch::Contains("registry.shards=4") && Catch::Contains("--seed 101"));
}

TEST_CASE("where admits by the values of the resolved scenario, also of keys that do not vary") {
  const StudyPlan plan = plan_of(R"(
where = ["registry.shards * registry.max_batch_operations <= 128", "run.duration > 30s"]
[grid]
"registry.shards" = [1, 2, 4]
"registry.max_batch_operations" = [32, 64, 128]
)");
  CHECK(plan.points().size() == 6);
  CHECK(plan.excluded() == 3);
}

TEST_CASE("bad studies: one message with place and remedy") {
  const auto check = [](const std::string& text, const std::string& says) {
    CAPTURE(text);
    CHECK_THAT(problem_of(base() + text), Catch::Contains(says));
  };
  check("[precision]\n\"latency.insert.p98\" = \"5%\"\n",
        "there is no metric 'latency.insert.p98'");
  check("[precision]\n\"latency.insert.p99\" = \"0%\"\n", "must be above 0");
  check("where = [\"registry.shards > 4\"]\n[grid]\n\"registry.shards\" = [1, 2]\n",
        "`where` admits none of the 2 combinations");
  check(
      "[grid]\n\"registry.shards\" = [1, 2]\n[answer]\namong = [\"registry.shards == 3\"]\n"
      "least = [\"registry.shards\"]\n",
      "`among` admits none of the 2 points");
  check("where = [\"registry.shard > 4\"]\n[grid]\n\"registry.shards\" = [1, 2]\n",
        "there is no key 'registry.shard'");
  check("[gates]\nexpect = [\"latency.insert.p99 < 5s\", \"latency.insert.p99 > 8s\"]\n",
        "no value of latency.insert.p99 meets both");
  check("[gates]\nexpect = [\"latency.insert.p90 > 8s\", \"latency.insert.p99 < 5s\"]\n",
        "latency.insert.p90 never exceeds latency.insert.p99");
  check("where = []\n[grid]\n\"registry.shards\" = [1]\n", "there is no comparison here");
  check("[grid]\n\"registry.shards\" = [0]\n", "study.toml:3:");
  check("[grid]\n\"registry.shard\" = [1]\n", "registry.shard");
  check("[grid]\n\"registry.shards\" = 3\n", "needs an array of values");
  check("[zip]\n\"registry.shards\" = [1, 2]\n\"registry.max_queue\" = [1]\n",
        "[zip] takes them together");
  check("[grid]\n\"registry.shards\" = [1]\n[zip]\n\"registry.shards\" = [1]\n",
        "varies in two places");
  check("[replications]\nmin = 5\nmax = 3\n", "min is 5 and max is 3");
  check("[replications]\nmin = 0\n", "a whole number from 1");
  check("[grdi]\n\"registry.shards\" = [1]\n", "did you mean \"grid\"");
  check("[answer]\nbest = \"latency.x\"\n", "there is no metric");
  const std::string grid_of_shards = "[grid]\n\"registry.shards\" = [1, 2]\n";
  check("[gates]\nexpect = [\"latency.insert.p99 < 5\"]\n", "give a quantity its unit");
  check("[answer]\nsubject_to = [\"latency.insert.p99 < 400\"]\n", "give a quantity its unit");
  check("[precision]\n\"latency.insert.p99\" = 5\n", "another unit");
  check("[replications]\nmin = 1\nmax = 3\n[precision]\n\"latency.insert.p99\" = \"5%\"\n",
        "min = 2 or more");
  check(grid_of_shards + "where = [\"registry.shards > 1\"]\n", "above the first line");
  check("[grid]\n\"registry.shards\" = [1, 1]\n", "given 1 twice");
  check("[grid]\n\"run.seed\" = [1, 2]\n", "seeds of their own");
  check("[set]\n\"registry.shards\" = 1\n" + grid_of_shards, "stands in [set] and varies too");
  check(grid_of_shards + "\n[set]\n\"registry.shards\" = 1\n", "stands in [set] and varies too");
  check(grid_of_shards + "[answer]\nleast = [\"registry.shards\"]\nbest = \"latency.insert.p99\"\n",
        "both `least` and `best`");
  check(grid_of_shards + "[answer]\nleast = [\"registry.linger\"]\n", "does not vary here");
  check(grid_of_shards + "[answer]\nsubject_to = [\"registry.shards <= 1\"]\n", "it is a key");
  check(
      "[gates]\nexpect = [\"load.mean_batch < 5\"]\n[answer]\nsubject_to = "
      "[\"load.mean_batch > 6\"]\n",
      "no value of load.mean_batch meets both");
  check("[gates]\nexpect = [\"load.mean_batch <= 5\", \"load.mean_batch > 5\"]\n", "meets both");
  CHECK_THAT(problem_of("name = \"x\"\n"), Catch::Contains("a study needs a base scenario"));
  CHECK_THAT(problem_of("name = \"x\"\nbase = \"nowhere.toml\"\n"),
             Catch::Contains("study.toml:2:8") && Catch::Contains("there is no base scenario"));
  CHECK_THAT(load_study("nowhere.toml").problems.front().message,
             Catch::Contains("cannot be read"));
  std::string many;
  for (int i = 0; i < 10; ++i) many += (i == 0 ? "" : ", ") + std::to_string(i + 1);
  std::string grid = "[grid]\n";
  for (const char* key :
       {"registry.shards", "registry.max_queue", "registry.max_bundle",
        "registry.max_batch_operations", "registry.gc_batch", "joiner.count",
        "event_store.cache_nodes", "dispatcher.workers", "registry.catch_up_slots"}) {
    grid += "\"" + std::string(key) + "\" = [" + many + "]\n";
  }
  check(grid, "this study has 1e+09 points");
}

TEST_CASE("bad studies: conditions, gates and answers that mean nothing") {
  const auto check = [](const std::string& text, const std::string& says) {
    CAPTURE(text);
    CHECK_THAT(problem_of(base() + text), Catch::Contains(says));
  };
  const std::string grid_of_shards = "[grid]\n\"registry.shards\" = [1, 2]\n";
  const auto where = [&](const std::string& condition, const std::string& says) {
    check("where = [\"" + condition + "\"]\n" + grid_of_shards, says);
    check("where = [\"" + condition + "\"]\n" + grid_of_shards, "study.toml:2:10: ");
  };
  where("registry.shards > 1s", "compares a number with a time");
  where("run.duration > 30", "compares a time with a number");
  where("registry.master_placement == pined", "pined");
  where("shards > 5", "did you mean \"registry.shards\"?");
  check(grid_of_shards + "[gates]\nexpect = [\"latency.insert.p99 < 0s\"]\n",
        "`latency.insert.p99 < 0s` can never be met");
  check(grid_of_shards + "[gates]\nexpect = [\"lost < 0\"]\n", "can never be met");
  check(grid_of_shards + "[gates]\nexpect = [\"latency.own.p99 < 5s\"]\n",
        "no run of this study measures latency.own.p99");
  check(grid_of_shards + "[answer]\nbest = \"latency.own.p99\"\n", "no run of this study measures");
  const std::string of_interval = "[answer]\nbest = \"series.served.0007\"\n";
  check(grid_of_shards + of_interval, "no run of this study keeps series.served.0007");
  check(grid_of_shards + of_interval, "\"run.keep_series\" = true");
  check(grid_of_shards + "[answer]\nbest = \"series.sreved.0007\"\n",
        "did you mean \"series.served.0007\"?");
  check(
      "[grid]\n\"registry.master_placement\" = [\"dynamic\", \"pinned\"]\n[answer]\nleast = "
      "[\"registry.master_placement\"]\n",
      "has no order");
  check("[grid]\n\"run.duration\" = [\"20s\", \"20000ms\"]\n", "two points are one configuration");
  check("[[list]]\nlabel = \"a\"\n[[list]]\nlabel = \"a\"\n\"registry.shards\" = 2\n",
        "the label 'a' is there twice");
}

TEST_CASE("plan: quiet days cost what happens in them, unless heartbeats run through them") {
  const auto cost = [](const std::string& more) {
    return plan_of("[set]\n\"run.duration\" = \"10d\"\n\"workload.registry.rate\" = 0.01\n" + more)
        .cost(1)
        .core_seconds;
  };
  // 864,000 s with 8,640 operations: 16 us each, 0.2 ms for their second, 1 us for each other one.
  CHECK(cost("") == Approx(8'640 * (16e-6 + 0.2e-3) + (864'000 - 8'640) * 1e-6));
  CHECK(cost("\"run.leave_out_rounds\" = false\n") == Approx(8'640 * 16e-6 + 864'000 * 0.2e-3));
  CHECK(cost("\"network.loss\" = \"1%\"\n") == Approx(8'640 * 16e-6 + 864'000 * 0.2e-3));
}

TEST_CASE("gates and terms that contradict each other: at the line of the later one") {
  const std::string text =
      "[gates]\nexpect = \"latency.insert.p50 < 60s\"\n[answer]\nsubject_to = "
      "[\"latency.insert.p99 > 8s\", \"latency.insert.p99 < 5s\"]\n";
  CHECK_THAT(problem_of(base() + text), Catch::Contains("study.toml:5:42"));
}

TEST_CASE("bounds that one value meets do not contradict each other") {
  CHECK(problem_of(base() + "[gates]\nexpect = [\"load.mean_batch <= 5\", \"load.mean_batch >= 5\"]"
                            "\n")
            .empty());
}

TEST_CASE("a list of tables is a value: the faults of a point") {
  const std::string text = base() +
                           "[grid]\n\"faults.outage\" = [[], [{datacenter = \"us-east1\", at = "
                           "\"5s\", for = \"1s\"}]]\n";
  INFO(problem_of(text));
  CHECK(problem_of(text).empty());
}

TEST_CASE("every study that ships can be planned, and warns of nothing that it does not mean") {
  std::vector<std::string> files{"scenarios/availability/availability.toml"};
  for (const char* folder :
       {"scenarios/studies", "scenarios/paper", "scenarios/paper/full", "scenarios/design"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    }
  }
  std::set<std::string> claims;
  for (const std::string& file : files) {
    CAPTURE(file);
    StudyResult loaded = load_study(file);
    INFO(scenarios::format(loaded.problems));
    REQUIRE(loaded.problems.empty());
    CHECK_FALSE(loaded.study.question.empty());
    CHECK_FALSE(loaded.study.metrics.empty());
    // A target stands in one study.
    for (const Claim& claim : loaded.study.claims) CHECK(claims.insert(claim.id).second);
    const PlanResult result = plan_study(std::move(loaded.study));
    INFO(scenarios::format(result.problems));
    CHECK(result.problems.empty());
  }
  CHECK(files.size() >= 40);
  CHECK(claims.size() >= 70);
  // Every target of SPEC G.2 has a claim.
  for (int target = 4; target <= 26; ++target) {
    const std::string id = fmt::format("G-{:02}/", target);
    CAPTURE(id);
    CHECK(
        std::ranges::any_of(claims, [&](const std::string& each) { return each.starts_with(id); }));
  }
}

}  // namespace photonsim::campaigns
