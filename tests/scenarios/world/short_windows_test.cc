// Verdicts on windows that are short beside what fills up in them: shipping, retries, bursts.
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "analysis/capacity/capacity.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
using photon::analysis::CapacityFigures;

namespace {

const CapacityFigures& capacity_of(const Ran& ran) { return ran.outcome.summary.capacity; }

}  // namespace

// In 40 s the shipping delays still fill up: a backlog may grow in each quarter.
TEST_CASE("capacity: a deployment with room is never surely overloaded, also in short runs",
          "[sweep]") {
  int perhaps = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const CapacityFigures capacity =
        capacity_of(run("scenarios/photon_base.toml", seed,
                        {"run.duration=40s", "run.warm_up=10s", "workload.synthetic.clicks=3000",
                         "workload.synthetic.fast_fraction=1", "workload.synthetic.fast_mean=2s",
                         "service.dispatcher_step=6ms"}));
    CAPTURE(seed, photon::analysis::overload_sentence(capacity));
    CHECK(capacity.stationary.value_or(true));
    perhaps += capacity.stationary ? 0 : 1;
  }
  CHECK(perhaps < 6);
}

// Retries back off, so that the work of a sound deployment fills up over minutes.
TEST_CASE("capacity: a limit with room for a part of the time is not surely the cause in a minute",
          "[sweep]") {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const CapacityFigures capacity =
        capacity_of(run("scenarios/healthy.toml", seed,
                        {"run.duration=60s", "run.warm_up=10s", "workload.synthetic.clicks=2500",
                         "workload.synthetic.fast_fraction=1", "workload.synthetic.fast_mean=2s",
                         "shipping.query_late_fraction=0", "joiner.max_in_flight=2"}));
    CAPTURE(seed, photon::analysis::overload_sentence(capacity));
    CHECK(capacity.stationary.value_or(true));
  }
}

TEST_CASE("capacity: a burst at the end leaves a backlog, which is said; one that drains is none",
          "[sweep]") {
  const auto burst = [](const std::string& at, const std::string& length) {
    return capacity_of(run(
        "scenarios/photon_base.toml", 1,
        {"run.duration=120s", "run.warm_up=10s", "workload.synthetic.rate=50",
         "workload.synthetic.fast_fraction=1", "workload.synthetic.fast_mean=2s",
         "service.dispatcher_step=5ms",
         fmt::format("workload.synthetic.burst=[{{at=\"{}\",for=\"{}\",factor=8}}]", at, length)}));
  };
  const CapacityFigures late = burst("90s", "30s");
  CHECK_FALSE(late.stationary.has_value());
  CHECK(late.ends_behind);
  CHECK_THAT(late.binding,
             Catch::StartsWith("processor in us-") && Catch::Contains("/dispatcher/"));
  CHECK_THAT(
      photon::analysis::overload_sentence(late),
      Catch::StartsWith("PERHAPS NOT STATIONARY: the window ends with a long backlog in us-"));
  const CapacityFigures early = burst("30s", "10s");
  CHECK(early.stationary == true);
  CHECK(early.binding.empty());
}
