#include "cli/self_check.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/replay_process.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim;
using namespace photonsim::cli;

namespace {

SeenRun outcome(const std::string& fingerprint, const std::vector<std::string>& points = {}) {
  SeenRun made;
  made.fingerprint = fingerprint;
  made.events = 5000;
  for (std::size_t i = 0; i < points.size(); ++i)
    made.points.push_back({1024 * (i + 1), points[i]});
  return made;
}

// As if both processes were this one.
std::string difference_with(const SeenRun& first, const Replay& replay) {
  return difference(first, replay, replay);
}

}  // namespace

TEST_CASE("J-S17 a run that is the same twice is done twice, elsewhere, and no more") {
  int replays = 0;
  const auto here = [](const Watched&) -> SeenRun { throw std::logic_error("nobody asks here"); };
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
  CHECK(watched[0].first == 1);  // a short run is watched whole
  CHECK(watched[0].count >= 5000);
  CHECK_THAT(text, Catch::Contains("the first event that differs: event 1026, one; or event 1026, "
                                   "other"));
}

TEST_CASE("J-S17 what does not part again is told as it is") {
  const std::vector<std::string> points{"p", "q", "s"};
  const auto always = [&](const std::string& fingerprint) {
    return [&points, fingerprint](const Watched& range) {
      SeenRun made = outcome(range ? fingerprint : "b", points);
      made.watched = {"event 1", "event 2"};
      return made;
    };
  };
  const SeenRun first = outcome("a", {"p", "r", "s"});
  const std::string parts = "these two part between events 1025 and 2048";
  CHECK_THAT(difference_with(first, always("a")),
             Catch::Contains(parts + ", two more replays are the same as the first one"));
  CHECK_THAT(difference_with(first, always("b")),
             Catch::Contains("are the same as the second one"));
  CHECK_THAT(difference_with(first, always("c")), Catch::Contains("are the same as neither"));
}

TEST_CASE("J-S17 of a long run only the events among which it parted are watched") {
  std::vector<scenarios::WatchedRange> watched;
  const auto replay = [&](const Watched& range) {
    const bool early = watched.size() == 1;  // the fourth run parts before what is watched
    SeenRun made = outcome(early ? "c" : "b", {early ? "o" : "p", "q"});
    made.events = 5'000'000;
    if (range) watched.push_back(*range);
    return made;
  };
  const std::string text = difference_with(outcome("a", {"p", "r"}), replay);
  REQUIRE(watched.size() == 2);
  CHECK(watched[0].first == 1025);
  CHECK(watched[0].count == 1024);
  CHECK_THAT(text, Catch::Contains("two more replays between 1 and 1024, which were not watched"));
}

TEST_CASE("J-S17 an order that comes from addresses is another one in the process of the replay") {
  if (photon::testing::kSanitized) return;  // it gives nothing back that it has taken
  // Things in the order of their addresses: in one process they may lie as they were made.
  const auto by_address = [](std::size_t size) {
    std::vector<std::unique_ptr<char[]>> things;
    for (int i = 0; i < 100; ++i) things.push_back(std::make_unique<char[]>(size));
    std::vector<std::size_t> order(things.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::size_t i) {
      return reinterpret_cast<std::uintptr_t>(things[i].get());
    });
    SeenRun seen;
    seen.fingerprint = fmt::format("{}", fmt::join(order, ","));
    seen.events = order.size();
    seen.watched = {seen.fingerprint};
    return seen;
  };
  for (const std::size_t size : {24U, 200U, 1000U}) {
    CAPTURE(size);
    const auto here = [&](const Watched&) { return by_address(size); };
    ReplayProcess elsewhere([&](std::uint64_t, const Watched& watched) { return here(watched); });
    const Replay there = [&](const Watched& watched) { return elsewhere.replay(1, watched); };
    CHECK_THAT(difference(here({}), here, there),
               Catch::Contains("this run is not the same twice") &&
                   Catch::Contains("the first event that differs: "));
  }
}

TEST_CASE("J-S17 the process of the replays: all that it saw comes back, and it may die") {
  const SeenRun seen{7,          "f", std::string(100'000, 's'), "a check", {{1, "p"}, {2, "q"}},
                     {"one", ""}};
  const pid_t mine = ::getpid();
  ReplayProcess elsewhere([&](std::uint64_t run, const Watched& watched) {
    if (run == 3) ::raise(SIGKILL);
    if (run == 4) throw std::runtime_error("thrown by a test");
    SeenRun told = seen;
    told.events = run;
    if (::getpid() == mine) told.fingerprint = "here";
    if (watched) told.fingerprint = fmt::format("{}+{}", watched->first, watched->count);
    return told;
  });
  for (const std::uint64_t run : {std::uint64_t{1}, ~std::uint64_t{0}}) {
    const SeenRun told = elsewhere.replay(run, {});
    CHECK(told.events == run);
    CHECK(told.fingerprint == "f");
    CHECK(told.summary == seen.summary);
    CHECK(told.failed_check == "a check");
    REQUIRE(told.points.size() == 2);
    CHECK(told.points[1].fingerprint == "q");
    CHECK(told.watched == seen.watched);
  }
  CHECK(elsewhere.replay(3, {}).failed_check == "its process died of signal 9 (Killed)");
  CHECK(elsewhere.replay(4, {}).failed_check == "internal error: thrown by a test");
  CHECK(elsewhere.replay(5, scenarios::WatchedRange{8, 9}).fingerprint == "8+9");
  // That it dies of what is done without harm here is a difference.
  const auto here = [&](const Watched&) { return seen; };
  CHECK_THAT(
      difference(seen, here, [&](const Watched& watched) { return elsewhere.replay(3, watched); }),
      Catch::Contains("here: a check; there: its process died of signal 9"));
}

TEST_CASE("the share of runs that are done twice is what was asked for") {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) checked += is_checked(seed, 0.05) ? 1 : 0;
  CHECK(checked > 400);
  CHECK(checked < 600);
  CHECK(is_checked(7, 1.0));
  CHECK_FALSE(is_checked(7, 0.0));
}
