#include "tests/scenarios/recount/recounts.h"

#include <algorithm>
#include <cmath>

#include "analysis/results/run_record.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {

void check_figures(const Figures& again, const photon::analysis::Summary& summary, Figures& seen) {
  const auto metrics = photon::analysis::metrics_of(summary);
  for (const auto& [name, value] : again) {
    CAPTURE(name);
    const auto found = std::ranges::find(metrics, name, &photon::analysis::Metric::name);
    REQUIRE(found != metrics.end());
    CHECK(found->value == Approx(value).epsilon(1e-9).margin(1e-9));
    seen[name] += std::abs(value);
  }
}

void check_runs(const std::vector<Recipe>& recipes, Recount recount,
                const std::vector<std::string>& above_zero) {
  Figures seen;
  for (const Recipe& recipe : recipes) {
    CAPTURE(recipe.scenario, recipe.overrides);
    const auto loaded = scenarios::load(recipe.scenario, recipe.overrides);
    REQUIRE(loaded);
    Recorded recorded;
    const Ran ran = run(recipe.scenario, 1, recipe.overrides, &recorded);
    const Replayed facts(recorded.records);
    check_figures(recount({recorded.records, facts, loaded.config()}), ran.outcome.summary, seen);
  }
  for (const std::string& name : above_zero) {
    CAPTURE(name);
    CHECK(seen[name] > 0);
  }
}

}  // namespace photonsim::tests
