// The engine of campaigns with both strategies: what it adds up and keeps, and why it stops.
#include "campaigns/engine.h"

#include "campaigns/guided_strategy.h"
#include "campaigns/runs/exit_codes.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/silent_listener.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns::testing {

using Catch::Contains;

namespace {

CampaignSpec::Scenario scenario_of(const std::string& file,
                                   const std::vector<std::string>& overrides) {
  const auto loaded = scenarios::load(file, overrides);
  REQUIRE(loaded.ok());
  return {file, loaded.config()};
}

CampaignSpec::Scenario quiet() {
  return scenario_of("scenarios/registry/quiet.toml",
                     {"run.duration=2s", "run.warm_up=0s", "workload.registry.rate=2"});
}

// A search of more than two batches.
CampaignSpec search(const std::string& folder, unsigned jobs) {
  CampaignSpec spec;
  spec.scenarios = {quiet()};
  spec.first = 3;
  spec.last = 112;
  spec.limits.jobs = jobs;
  spec.determinism_share = 0.1;
  spec.guided = CampaignSpec::Guided{scenarios::guided::Feedback::on, folder};
  return spec;
}

struct Done {
  std::uint64_t runs, events, reruns;
  int verdict;
  SearchFigures figures;
};

Done done(CampaignSpec spec) {
  ResultsFile results;
  SilentListener listener;
  CampaignEngine engine(CampaignPlan(std::move(spec)), results, listener);
  REQUIRE(engine.load_results());
  engine.run();
  CHECK(engine.end() == CampaignEngine::End::complete);
  const auto& sums = engine.sum().determinism();
  CHECK(sums.diverged == 0);
  return {engine.sum().runs(), engine.sum().events(), sums.same, engine.verdict(),
          engine.strategy().figures().value_or(SearchFigures{})};
}

RunResult result_of(int exit_code, const std::string& what) {
  RunResult result;
  result.record.exit_code = exit_code;
  result.record.what = what;
  return result;
}

}  // namespace

TEST_CASE("engine: a guided search reaches the same features in any number of processes") {
  const photon::testing::TemporaryFolder folder;
  const Done one = done(search(folder.file("one"), 1));
  const Done two = done(search(folder.file("two"), 2));
  CHECK(one.runs == 110);
  CHECK(one.reruns > 0);
  CHECK(one.figures.corpus > 1);
  CHECK(one.figures.features > 0);
  CHECK(two.runs == one.runs);
  CHECK(two.events == one.events);
  CHECK(two.reruns == one.reruns);
  CHECK(two.verdict == one.verdict);
  CHECK(two.figures.corpus == one.figures.corpus);
  CHECK(two.figures.features == one.figures.features);
  // Without feedback nothing is learned, and other configurations run.
  CampaignSpec baseline = search(folder.file("baseline"), 2);
  baseline.guided->feedback = scenarios::guided::Feedback::off;
  const Done generated = done(std::move(baseline));
  CHECK(generated.figures.corpus == 0);
  CHECK(generated.events != one.events);
}

TEST_CASE("engine: a configuration that cannot be run ends the campaign with reason and replay") {
  const photon::testing::TemporaryFolder folder;
  const std::string clicks = folder.write("clicks.csv", "click_id,query_id,t_ms\nc,,noon\n");
  for (const unsigned jobs : {1U, 2U}) {
    CampaignSpec spec;
    spec.scenarios = {quiet(),
                      scenario_of("scenarios/trace.toml", {"workload.foreign.file=" + clicks})};
    spec.last = 2;
    spec.limits.jobs = jobs;
    ResultsFile results;
    SilentListener listener;
    CampaignEngine engine(CampaignPlan(std::move(spec)), results, listener);
    REQUIRE(engine.load_results());
    engine.run();
    CHECK(engine.end() == CampaignEngine::End::error);
    CHECK(engine.error_code() == kUsage);
    CHECK(engine.verdict() == kOk);  // no run failed
    REQUIRE(engine.errors().size() == 2);
    CHECK_THAT(engine.errors()[0], Contains("clicks.csv:2: 'noon' is not a time"));
    CHECK_THAT(engine.errors()[1], Contains("scenarios/trace.toml cannot be run with seed 2"));
    CHECK_THAT(engine.replay(), Contains("photonsim repro scenarios/trace.toml"));
    CHECK(engine.sum().runs() <= 1);
  }
}

TEST_CASE("guided strategy: a fault without effect is no failure; a failure gets a scenario file") {
  const photon::testing::TemporaryFolder folder;
  GuidedStrategy strategy(CampaignPlan(search(folder.file("repros"), 1)));
  REQUIRE(strategy.plan_round(110) > 2);
  RunResult inert = result_of(kInertFault, "this fault had no effect");
  CHECK(strategy.learn(0, inert).empty());
  CHECK(inert.record.exit_code == kOk);
  CHECK(inert.record.what.empty());
  CHECK(strategy.file_of(0).empty());
  RunResult stalled = result_of(kLivenessViolation, "J-P0, a click is pending");
  CHECK(strategy.learn(1, stalled).empty());
  CHECK(stalled.record.exit_code == kLivenessViolation);
  const std::string file = folder.file("repros") + "/guided-3-4.toml";
  CHECK(strategy.file_of(1) == file);
  CHECK(strategy.replay_of(1, Strategy::Shows::the_run) == "photonsim repro " + file);
  CHECK_THAT(strategy.replay_of(0, Strategy::Shows::the_run),
             Contains(" --guided --seeds 3..3 --shrink 0"));
  // The spec of a failure stays after its round, for its minimization.
  const std::string configuration = to_toml(strategy.spec_of(1).config);
  REQUIRE(strategy.plan_round(110) > 0);
  CHECK(to_toml(strategy.spec_of(1).config) == configuration);
  const auto loaded = scenarios::load(file, {});
  REQUIRE(loaded.ok());
  CHECK(loaded.config().faults == strategy.spec_of(1).config.faults);
  // A file that cannot be written is a reason to stop.
  GuidedStrategy blocked(CampaignPlan(search(folder.write("file", "") + "/inside", 1)));
  REQUIRE(blocked.plan_round(110) > 2);
  RunResult lost = result_of(kLivenessViolation, "J-P0, a click is pending");
  CHECK_THAT(blocked.learn(0, lost), Contains("/inside/guided-3-3.toml"));
}

}  // namespace photonsim::campaigns::testing
