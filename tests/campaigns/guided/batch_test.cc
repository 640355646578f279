// A batch of a guided search, in processes.
#include "campaigns/guided/batch.h"

#include "campaigns/runs/exit_codes.h"
#include "scenarios/language/loader.h"
#include "tests/campaigns/silent_listener.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

namespace photonsim::campaigns::testing {

namespace {

scenarios::Config config_of(const std::string& file, const std::vector<std::string>& overrides) {
  const auto loaded = scenarios::load(file, overrides);
  REQUIRE(loaded.ok());
  return loaded.config();
}

}  // namespace

TEST_CASE("guided runs: a configuration that cannot be run is reported; the others run") {
  const photon::testing::TemporaryFolder folder;
  const std::string clicks = folder.write("clicks.csv", "click_id,query_id,t_ms\nc,,noon\n");
  const std::vector<scenarios::guided::Candidate> candidates{
      {1, config_of("scenarios/registry/quiet.toml", {"run.duration=1s", "run.warm_up=0s"})},
      {2, config_of("scenarios/trace.toml", {"workload.foreign.file=" + clicks})},
      {3, config_of("scenarios/registry/quiet.toml", {"run.duration=1s", "run.warm_up=0s"})}};
  for (const unsigned jobs : {1U, 2U}) {
    SilentListener listener;
    const BatchRuns done = run_batch(candidates, {}, {jobs, kUsualMemory, {}, {}}, listener);
    REQUIRE(done.end == RunPool::End::complete);
    const std::vector<GuidedRun>& runs = done.runs;
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].exit_code == kOk);
    CHECK(runs[0].events > 0);
    CHECK(runs[1].exit_code == kUsage);
    CHECK_THAT(runs[1].text, Catch::Contains("clicks.csv:2: 'noon' is not a time"));
    CHECK(runs[2].exit_code == kOk);
    CHECK(runs[2].events == runs[0].events);
    CHECK(runs[2].features.all == runs[0].features.all);
  }
}

}  // namespace photonsim::campaigns::testing
