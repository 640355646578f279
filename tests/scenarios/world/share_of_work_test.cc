// The progress of a run, by work: what it foretells of the rest, in events, which stand for time.
#include "scenarios/world/share_of_work.h"

#include <vector>

#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/support/catch.h"

namespace photonsim::scenarios {
namespace {

class Progresses final : public RunObserver {
 public:
  StopRequest on_progress(const Progress& progress) override {
    seen.push_back(progress);
    return StopRequest::go_on;
  }
  std::vector<Progress> seen{};
};

// Of all moments between a tenth and nine tenths of the work: the share of those whose estimate of
// the remaining work is right within a factor of two.
double right_estimates(const std::string& scenario, const std::vector<std::string>& overrides,
                       double& drained) {
  const LoadResult loaded = load(scenario, overrides);
  REQUIRE(loaded);
  Progresses progresses;
  RunRequest request{&loaded.config(), 1, nullptr, &progresses};
  const auto outcome = run_scenario(request);
  REQUIRE(outcome);
  const auto& seen = progresses.seen;
  const auto all = static_cast<double>(seen.back().events);
  double moments = 0, right = 0, after_end = 0;
  double before = 0;
  for (const auto& each : seen) {
    CHECK(each.share <= 1);
    CHECK(each.share >= before - 0.02);  // new clicks may come faster than old ones are finished
    before = each.share;
    const auto events = static_cast<double>(each.events);
    if (events < 0.1 * all || events > 0.9 * all) continue;
    const double estimate = events / each.share - events;
    ++moments;
    right += estimate > (all - events) / 2 && estimate < (all - events) * 2 ? 1 : 0;
    after_end += each.sim_seconds > each.sim_seconds_planned ? 1 : 0;
  }
  REQUIRE(moments > 20);
  drained = after_end / moments;
  return right / moments;
}

}  // namespace

TEST_CASE("share of work: finished of asked, and the time before") {
  CHECK(share_of_work({.now = 5, .start = 10, .end = 100}) == Approx(0.05));
  CHECK(share_of_work({.now = 55, .start = 10, .end = 100, .asked = 100}) == Approx(0.55));
  CHECK(share_of_work({.now = 55, .start = 10, .end = 100, .asked = 100, .open = 100}) ==
        Approx(0.1));
  CHECK(share_of_work({.now = 300, .start = 10, .end = 100, .asked = 100, .open = 50}) ==
        Approx(0.55));
  CHECK(share_of_work({.now = 300, .start = 10, .end = 100, .asked = 100}) == Approx(1));
  CHECK(share_of_work({.now = 1, .start = 0, .end = 0}) == 1);
}

TEST_CASE("share of work: the rest is foretold within a factor of two, also of a drained backlog") {
  double drained = 0;
  CHECK(right_estimates("scenarios/healthy.toml", {}, drained) > 0.95);
  CHECK(right_estimates("scenarios/healthy.toml",
                        {"workload.synthetic.clicks=8000", "dispatcher.max_outstanding_lookups=1"},
                        drained) > 0.95);
  CHECK(drained > 0.3);  // the case is one: much of the work comes after the last click
}

}  // namespace photonsim::scenarios
