#include "cli/self_check.h"

#include "tests/support/catch.h"

using namespace photonsim;
using namespace photonsim::cli;

namespace {

scenarios::RunOutcome outcome(const std::string& fingerprint,
                              const std::vector<std::string>& points = {}) {
  scenarios::RunOutcome made;
  made.summary.fingerprint = fingerprint;
  made.summary.events = 5000;
  for (std::size_t i = 0; i < points.size(); ++i) {
    made.checkpoints.push_back({0, 1024 * (i + 1), points[i]});
  }
  return made;
}

}  // namespace

TEST_CASE("J-S17 a run that is the same twice is done twice, and no more") {
  int replays = 0;
  const auto same = [&](std::optional<scenarios::WatchedRange>) {
    ++replays;
    return outcome("a");
  };
  CHECK(difference(outcome("a"), same).empty());
  CHECK(replays == 1);
}

TEST_CASE("J-S17 the first event that differs is named after two more replays") {
  std::vector<scenarios::WatchedRange> watched;
  const auto replay = [&](std::optional<scenarios::WatchedRange> range) {
    scenarios::RunOutcome made = outcome("b", {"p", "q", "s"});
    if (!range) return made;
    watched.push_back(*range);
    made.watched = {{1025, "event 1025"},
                    {1026, watched.size() == 1 ? "event 1026, one" : "event 1026, other"}};
    return made;
  };
  const std::string text = difference(outcome("a", {"p", "r", "s"}), replay);
  REQUIRE(watched.size() == 2);
  CHECK(watched[0].first == 1025);  // the last point in common is behind 1024 events
  CHECK(watched[0].count == 1024);
  CHECK_THAT(text, Catch::Contains("the first event that differs: event 1026, one; or event 1026, "
                                   "other"));
}

TEST_CASE("the share of runs that are done twice is what was asked for") {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) checked += is_checked(seed, 0.05) ? 1 : 0;
  CHECK(checked > 400);
  CHECK(checked < 600);
  CHECK(is_checked(7, 1.0));
  CHECK_FALSE(is_checked(7, 0.0));
}
