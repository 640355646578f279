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
  CHECK(watched[0].first == 1);  // a short run is watched whole
  CHECK(watched[0].count >= 5000);
  CHECK_THAT(text, Catch::Contains("the first event that differs: event 1026, one; or event 1026, "
                                   "other"));
}

TEST_CASE("J-S17 what does not part again is told as it is") {
  const std::vector<std::string> points{"p", "q", "s"};
  const auto always = [&](const std::string& fingerprint) {
    return [&points, fingerprint](std::optional<scenarios::WatchedRange> range) {
      scenarios::RunOutcome made = outcome(range ? fingerprint : "b", points);
      made.watched = {{1, "event 1"}, {2, "event 2"}};
      return made;
    };
  };
  const scenarios::RunOutcome first = outcome("a", {"p", "r", "s"});
  const std::string parts = "these two part between events 1025 and 2048";
  CHECK_THAT(difference(first, always("a")),
             Catch::Contains(parts + ", two more replays are the same as the first one"));
  CHECK_THAT(difference(first, always("b")), Catch::Contains("are the same as the second one"));
  CHECK_THAT(difference(first, always("c")), Catch::Contains("are the same as neither"));
}

TEST_CASE("J-S17 of a long run only the events among which it parted are watched") {
  std::vector<scenarios::WatchedRange> watched;
  const auto replay = [&](std::optional<scenarios::WatchedRange> range) {
    const bool early = watched.size() == 1;  // the fourth run parts before what is watched
    scenarios::RunOutcome made = outcome(early ? "c" : "b", {early ? "o" : "p", "q"});
    made.summary.events = 5'000'000;
    if (range) watched.push_back(*range);
    return made;
  };
  const std::string text = difference(outcome("a", {"p", "r"}), replay);
  REQUIRE(watched.size() == 2);
  CHECK(watched[0].first == 1025);
  CHECK(watched[0].count == 1024);
  CHECK_THAT(text, Catch::Contains("two more replays between 1 and 1024, which were not watched"));
}

TEST_CASE("the share of runs that are done twice is what was asked for") {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) checked += is_checked(seed, 0.05) ? 1 : 0;
  CHECK(checked > 400);
  CHECK(checked < 600);
  CHECK(is_checked(7, 1.0));
  CHECK_FALSE(is_checked(7, 0.0));
}
