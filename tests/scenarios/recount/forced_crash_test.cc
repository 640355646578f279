// What a forced crash lost, beside a second computation from the raw trace, in runs with other
// crashes of joiners: a fault list with it and one without it tell which crash it is.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "scenarios/language/loader.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/recount/replayed.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

namespace photonsim::tests {
namespace {

namespace trace = photon::trace;
using photon::analysis::RareFigures;
using photon::analysis::TracedFault;

const std::string kScenario = "scenarios/rare_losses.toml";

// The number of the one fault that the second run has and the first has not.
std::uint32_t added_fault(const Ran& without, const Ran& with) {
  std::multiset<std::string> known;
  for (const TracedFault& each : without.outcome.summary.faults) known.insert(each.description);
  for (const TracedFault& each : with.outcome.summary.faults) {
    const auto found = known.find(each.description);
    if (found == known.end()) return each.number;
    known.erase(found);
  }
  FAIL("no fault was added");
  return 0;
}

bool wrote(const Replayed& facts, const Id& click, const TokenKey& token) {
  const auto outputs = facts.outputs.find(click);
  return outputs != facts.outputs.end() &&
         std::ranges::any_of(outputs->second,
                             [&](const Output& each) { return each.token == token && !each.lost; });
}

// Of the life that this fault ended: clicks that it had registered and never wrote, and those of
// them whose ids were still its own when the run ended. No id grows too old in these runs: only
// recovery removes one.
RareFigures again(const Records& records, std::uint32_t fault) {
  const Replayed facts(records);
  RareFigures figures;
  for (const LifeEnd& end : facts.ends) {
    const trace::Record& record = records[end.place];
    if (!end.joiner || record.as<trace::ProcessCrashed>().fault != fault) continue;
    figures.crashes = 1;
    for (const auto& [of, attempt] : facts.tries) {
      if (attempt.life != end.life || attempt.asked.front() > end.place) continue;
      if (std::min(attempt.durable, attempt.refused()) < end.place) continue;
      ++figures.window;
      const auto owners = facts.owners.find(of.first);
      if (owners == facts.owners.end() || wrote(facts, of.first, of.second)) continue;
      for (const Owned& owned : owners->second) {
        if (owned.token != of.second) continue;
        ++figures.lost;
        if (owned.until == kNowhere) ++figures.lost_at_end;
      }
    }
  }
  return figures;
}

}  // namespace

TEST_CASE(
    "recount: a forced crash lost what the raw trace shows, and other crashes nothing of it") {
  const std::vector<std::string> crashes{
      "faults.random=[{kind=\"process_crash\",target=\"joiner\",mean_interval=\"400ms\","
      "restart_after=\"200ms\",from=\"3s\"}]",
      "rare.restart_after=200ms"};
  std::vector<std::string> forced = crashes;
  forced.emplace_back("rare.forced_crash=joiner");
  std::uint64_t lost = 0, by_others = 0, found_down = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Recorded recorded;
    const Ran without = run(kScenario, seed, crashes);
    const Ran with = run(kScenario, seed, forced, &recorded);
    INFO(with.replay);
    CHECK(with.outcome.safety_violations == 0);
    const RareFigures& reported = with.outcome.summary.rare;
    const RareFigures expected = again(recorded.records, added_fault(without, with));
    REQUIRE(reported.forced);
    CHECK(reported.crashes == expected.crashes);
    CHECK(reported.window == expected.window);
    CHECK(reported.lost == expected.lost);
    CHECK(reported.lost_at_end == expected.lost);
    CHECK(reported.click_seconds == 3);
    CHECK(expected.lost_at_end == expected.lost);
    lost += reported.lost;
    by_others += lost_by(with, "L-crash") - reported.lost;
    found_down += reported.crashes == 0 ? 1 : 0;
  }
  CHECK(lost > 10);
  CHECK(by_others > 10);
  CHECK(found_down > 0);
}

TEST_CASE("recount: recovery returns what a forced crash lost, unless it comes too late") {
  const std::vector<std::string> recovery{
      "verification.enabled=true", "verification.grace=1s", "verification.recheck_initial=1s",
      "verification.scan_period=500ms", "rare.restart_after=200ms"};
  std::vector<std::string> forced = recovery;
  forced.emplace_back("rare.forced_crash=joiner");
  std::uint64_t lost = 0, at_end = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Recorded recorded;
    const Ran without = run(kScenario, seed, recovery);
    const Ran with = run(kScenario, seed, forced, &recorded);
    INFO(with.replay);
    CHECK(with.outcome.safety_violations == 0);
    const RareFigures& reported = with.outcome.summary.rare;
    const RareFigures expected = again(recorded.records, added_fault(without, with));
    CHECK(reported.lost == expected.lost);
    CHECK(reported.lost_at_end == expected.lost_at_end);
    lost += reported.lost;
    at_end += reported.lost_at_end;
  }
  CHECK(lost > 10);
  CHECK(at_end < lost);
}

TEST_CASE("D-20 forced crashes of consecutive seeds fall into all strata, on all joiners") {
  constexpr std::size_t kStrata = 8;
  std::set<std::size_t> parts;  // of the block that the seed belongs to
  std::vector<std::vector<std::size_t>> orders(1);
  std::set<std::string> joiners;
  for (std::uint64_t seed = 1; seed <= 3 * kStrata; ++seed) {
    const Ran ran = run(kScenario, seed, {"rare.forced_crash=joiner", "rare.strata=8"});
    REQUIRE(ran.outcome.summary.faults.size() == 1);
    const TracedFault& crash = ran.outcome.summary.faults.front();
    const double at = static_cast<double>(crash.at_ns) / 1e9;
    CHECK(at >= 3);  // clicks come from 3 s to 6 s
    CHECK(at < 6);
    const auto part = static_cast<std::size_t>((at - 3) / 3 * kStrata);
    CHECK(parts.insert(part).second);
    orders.back().push_back(part);
    if (parts.size() == kStrata) {
      parts.clear();
      orders.emplace_back();
    }
    joiners.insert(crash.description.substr(0, crash.description.find(" at ")));
  }
  REQUIRE(orders.size() == 4);
  CHECK(parts.empty());
  CHECK(orders[0] != orders[1]);
  CHECK(orders[1] != orders[2]);
  CHECK(joiners.size() == 4);
}

}  // namespace photonsim::tests
