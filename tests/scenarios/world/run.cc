#include "tests/scenarios/world/run.h"

#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

std::uint64_t entry(const std::vector<std::pair<std::string, std::uint64_t>>& list,
                    const std::string& name) {
  for (const auto& [key, value] : list) {
    if (key == name) return value;
  }
  FAIL("the summary has no entry " << name);
  return 0;
}

}  // namespace

Ran run(const std::string& scenario, std::uint64_t seed, const std::vector<std::string>& overrides,
        photon::trace::Sink* trace) {
  const scenarios::LoadResult loaded = scenarios::load(scenario, overrides);
  if (!loaded) FAIL(scenarios::format(loaded.diagnostics()));
  auto finished = scenarios::run_scenario({&loaded.config(), seed, trace, nullptr});
  if (!finished) FAIL(finished.assume_error().front().text());
  Ran ran;
  ran.outcome = std::move(finished).assume_value();
  ran.replay = "photonsim run " + scenario + " --seed " + std::to_string(seed);
  for (const std::string& each : overrides) ran.replay += " --set '" + each + "'";
  if (ran.outcome.failed_check) FAIL(ran.outcome.failed_check->text << "\nreplay: " << ran.replay);
  ran.json = photon::analysis::to_json(ran.outcome.summary);
  return ran;
}

void require_clean(const Ran& ran) {
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(ran.outcome.summary.inert_faults.empty());
  CHECK(ran.outcome.summary.unexpected_ends.empty());
  CHECK_FALSE(ran.outcome.failed_check);
}

std::uint64_t lost(const Ran& ran) { return ran.outcome.summary.lost_total(); }
std::uint64_t lost_by(const Ran& ran, const std::string& name) {
  return entry(ran.outcome.summary.lost, name);
}
std::uint64_t never_joinable_by(const Ran& ran, const std::string& name) {
  return entry(ran.outcome.summary.never_joinable, name);
}

}  // namespace photonsim::tests
