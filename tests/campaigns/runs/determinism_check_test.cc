#include "campaigns/runs/determinism_check.h"

#include <stdexcept>

#include "tests/support/catch.h"

using namespace photonsim;
using namespace photonsim::campaigns;

namespace {

SeenRun outcome(const std::string& fingerprint, const std::vector<std::string>& points = {}) {
  SeenRun made;
  made.fingerprint = fingerprint;
  made.events = 5000;
  for (std::size_t i = 0; i < points.size(); ++i)
    made.points.push_back({1024 * (i + 1), points[i]});
  return made;
}

// With the same reruns in both processes.
std::string difference_with(const SeenRun& first, const Replay& replay) {
  return difference(first, replay, replay);
}

}  // namespace

TEST_CASE("J-S17 a deterministic run is rerun once, in another process") {
  int replays = 0;
  const auto here = [](const Watched&) -> SeenRun { throw std::logic_error("no rerun is needed"); };
  const auto elsewhere = [&](const Watched&) {
    ++replays;
    return outcome("a");
  };
  CHECK(difference(outcome("a"), here, elsewhere).empty());
  CHECK(replays == 1);
}

TEST_CASE("J-S17 the first event that differs is named after two more replays") {
  std::vector<scenarios::WatchedRange> watched;
  const auto replay = [&](const Watched& range) {
    SeenRun made = outcome("b", {"p", "q", "s"});
    if (!range) return made;
    watched.push_back(*range);
    made.watched = {"event 1025", watched.size() == 1 ? "event 1026, one" : "event 1026, other"};
    return made;
  };
  const std::string text = difference_with(outcome("a", {"p", "r", "s"}), replay);
  REQUIRE(watched.size() == 2);
  CHECK(watched[0].first == 1);  // all of a short run is recorded
  CHECK(watched[0].count >= 5000);
  CHECK_THAT(text, Catch::Contains("the first event that differs: event 1026, one; or event 1026, "
                                   "other"));
}

TEST_CASE("J-S17 if two more replays are identical, the report names which run they equal") {
  const std::vector<std::string> points{"p", "q", "s"};
  const auto always = [&](const std::string& fingerprint) {
    return [&points, fingerprint](const Watched& range) {
      SeenRun made = outcome(range ? fingerprint : "b", points);
      made.watched = {"event 1", "event 2"};
      return made;
    };
  };
  const SeenRun first = outcome("a", {"p", "r", "s"});
  const std::string parts = "these two diverge between events 1025 and 2048";
  CHECK_THAT(difference_with(first, always("a")),
             Catch::Contains(parts + ", two more replays are the same as the first one"));
  CHECK_THAT(difference_with(first, always("b")),
             Catch::Contains("are the same as the second one"));
  CHECK_THAT(difference_with(first, always("c")), Catch::Contains("are the same as neither"));
}

TEST_CASE("J-S17 in a long run only the events between the check-points that differ are recorded") {
  std::vector<scenarios::WatchedRange> watched;
  const auto replay = [&](const Watched& range) {
    const bool early = watched.size() == 1;  // the fourth run diverges before the recorded events
    SeenRun made = outcome(early ? "c" : "b", {early ? "o" : "p", "q"});
    made.events = 5'000'000;
    if (range) watched.push_back(*range);
    return made;
  };
  const std::string text = difference_with(outcome("a", {"p", "r"}), replay);
  REQUIRE(watched.size() == 2);
  CHECK(watched[0].first == 1025);
  CHECK(watched[0].count == 1024);
  CHECK_THAT(text, Catch::Contains("two more replays between 1 and 1024, which were not recorded"));
}
