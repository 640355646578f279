// Clicks in groups: an ablation that must still lose nothing.

#include <set>
#include <vector>

#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

void write_clicks(DispatcherWorld& world, std::uint32_t count) {
  for (std::uint32_t i = 1; i <= count; ++i) {
    world.write_click(1, 0, click_id(i), query_id(i));
  }
}

// Time and receiver of the `attempt`-th sends of these clicks; one element if all
// were sent together.
std::set<std::pair<std::int64_t, std::uint32_t>> sends(const DispatcherWorld& world,
                                                       const std::vector<std::uint32_t>& clicks,
                                                       std::size_t attempt) {
  std::set<std::pair<std::int64_t, std::uint32_t>> all;
  for (const std::uint32_t click : clicks) {
    const auto sent = world.sends_of(click_id(click)).at(attempt);
    all.emplace(sent.at, sent.joiner.value());
  }
  return all;
}

void require_all_done(const DispatcherWorld& world, std::size_t count) {
  CHECK(world.finished.size() == count);
  CHECK(world.worker->pending() == 0);
  CHECK(world.worker->outstanding_sends() == 0);
  CHECK(world.worker->saved() == 0);
  const auto done = world.done();
  CHECK(done.size() == count);
  for (const auto& [click, decisions] : done) CHECK(decisions.size() == 1);
}

}  // namespace

TEST_CASE("G-24 C-14 a group is sent as one and retried as one, after its slowest member") {
  DispatcherWorld world;
  world.config.group = 3;
  world.joiner = [](const DispatcherWorld::Sent& sent) -> std::optional<JoinOutcome> {
    if (sent.attempts > 0 || sent.click > click_id(3)) return JoinOutcome::joined;
    if (sent.click == click_id(2)) return std::nullopt;  // silence
    return JoinOutcome::query_not_found;
  };
  world.start();
  write_clicks(world, 5);
  world.harness.run_for(60s);
  const auto first = sends(world, {1, 2, 3}, 0);
  const auto second = sends(world, {1, 2, 3}, 1);
  REQUIRE(first.size() == 1);
  REQUIRE(second.size() == 1);
  CHECK(second.begin()->first - first.begin()->first > world.config.send_timeout.count());
  CHECK(second.begin()->second != first.begin()->second);  // C-16
  // The group of two waited for a third that did not arrive.
  const auto rest = sends(world, {4, 5}, 0);
  REQUIRE(rest.size() == 1);
  CHECK(rest.begin()->first - first.begin()->first > Duration(1s).count());
  CHECK(world.worker->statistics().send_timeouts == 1);
  require_all_done(world, 5);
}

TEST_CASE("G-24 a finished click leaves its group, the others stay together") {
  DispatcherWorld world;
  world.config.group = 3;
  world.joiner = [](const DispatcherWorld::Sent& sent) -> std::optional<JoinOutcome> {
    const bool joined = sent.attempts > 0 || sent.click == click_id(1);
    return joined ? JoinOutcome::joined : JoinOutcome::registry_throttled;
  };
  world.start();
  write_clicks(world, 3);
  world.harness.run_for(30s);
  CHECK(world.sends_of(click_id(1)).size() == 1);
  CHECK(sends(world, {2, 3}, 1).size() == 1);
  require_all_done(world, 3);
}

TEST_CASE("G-24 C-04 C-20 groups end with a life, their clicks do not") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    DispatcherWorld world(seed);
    world.config.group = 4;
    world.config.max_outstanding_sends = 9;
    world.joiner = [](const DispatcherWorld::Sent& sent) -> std::optional<JoinOutcome> {
      const std::uint64_t word = hash_of(sent.click) + sent.attempts;
      if (sent.attempts > 4 || word % 4 == 0) return JoinOutcome::joined;
      if (word % 4 == 1) return std::nullopt;
      return JoinOutcome::query_not_found;
    };
    world.start();
    write_clicks(world, 50);
    for (int life = 0; life < 4; ++life) {
      world.harness.run_for(std::chrono::milliseconds(1500 + 700 * seed));
      CHECK_FALSE(world.unprotected_click().has_value());
      world.restart();
    }
    world.harness.run_for(30min);
    CHECK(world.most_sends <= 9);  // J-S12: the cap counts clicks
    CHECK(world.finished.size() == 50);
    CHECK(world.worker->pending() == 0);
    CHECK(world.worker->outstanding_sends() == 0);
  }
}

TEST_CASE("G-24 C-33 a group larger than a backlog's look-up cap is full without a pause") {
  DispatcherWorld world;
  world.config.group = 4;
  world.config.max_outstanding_lookups = 1;
  world.config.fresh_share_permille = 200;
  world.config.fresh_age = 1s;
  world.config.scan_period = 10s;
  world.start();
  world.harness.run_for(2s);
  write_clicks(world, 40);  // all of them old when the next scan finds them
  world.harness.run_for(18s);
  require_all_done(world, 40);
}
