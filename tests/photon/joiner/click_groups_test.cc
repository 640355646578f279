// Clicks that arrive in a group: joined only if no query is missing.

#include <vector>

#include "tests/photon/joiner/joiner_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

JoinRequest request(std::uint32_t number, std::uint32_t attempts = 0) {
  return {100 * (attempts + 1) + number, click_id(number), query_id(number), attempts,
          bytes_of("click")};
}

void ask(JoinerWorld& world, std::uint32_t attempts = 0) {
  JoinGroupRequest group;
  for (std::uint32_t i = 1; i <= 3; ++i) group.members.push_back(request(i, attempts));
  world.harness.deliver(JoinerWorld::kDispatcher, Body::make(std::move(group)));
}

std::vector<JoinOutcome> answers(const JoinerWorld& world, std::uint32_t attempts = 0) {
  std::vector<JoinOutcome> all;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    for (const JoinOutcome each : world.answers_of(request(i, attempts).request)) {
      all.push_back(each);
    }
  }
  return all;
}

std::vector<JoinOutcome> thrice(JoinOutcome outcome) { return {3, outcome}; }

}  // namespace

TEST_CASE("G-24 none of a group is registered before the queries of all are found") {
  JoinerWorld world;
  world.queries.erase(query_id(2));
  world.start();
  world.harness.run_for(1s);
  ask(world);
  world.harness.run_for(5s);
  CHECK(answers(world) == thrice(JoinOutcome::query_not_found));
  CHECK(world.registry.ids.empty());
  CHECK(world.joiner->in_flight() == 0);
  world.queries[query_id(2)] = bytes_of("query");
  ask(world, 1);
  ask(world, 1);  // the network duplicates it
  world.harness.run_for(5s);
  CHECK(answers(world, 1) == thrice(JoinOutcome::joined));
  CHECK(world.output().size() == 3);
  CHECK(world.joiner->statistics().coalesced == 3);
  CHECK(world.joiner->window() == 0);
}

TEST_CASE(
    "G-24 C-22 of a group only the member whose query is missing is given up, and leaves it") {
  JoinerWorld world;
  world.queries.erase(query_id(2));
  world.config.unjoinable_attempts = 3;
  world.config.unjoinable_age = 1ms;
  world.start();
  world.harness.run_for(1s);
  world.harness.wall_offset = 1h;
  ask(world, 4);
  world.harness.run_for(5s);
  CHECK(answers(world, 4) == std::vector{JoinOutcome::query_not_found, JoinOutcome::unjoinable,
                                         JoinOutcome::query_not_found});
  REQUIRE(world.unjoinable().size() == 1);
  CHECK(world.unjoinable().front().click == click_id(2));
}

TEST_CASE("G-24 J-S19 of a group only members whose own query is missing are answered so") {
  JoinerWorld world;
  world.queries.erase(query_id(2));
  world.failing = {query_id(3)};
  world.start();
  world.harness.run_for(1s);
  ask(world);
  world.harness.run_for(30s);
  CHECK(answers(world) == std::vector{JoinOutcome::query_not_found, JoinOutcome::query_not_found,
                                      JoinOutcome::event_store_error});
  CHECK(world.registry.ids.empty());
  world.queries[query_id(2)] = bytes_of("query");
  world.failing.clear();
  ask(world, 1);
  world.harness.run_for(5s);
  CHECK(answers(world, 1) == thrice(JoinOutcome::joined));
}

// What cannot be read now may be lost for good.
TEST_CASE("G-24 C-01 D-04 of a group whose query cannot be read the neighbours are joined") {
  JoinerWorld world;
  world.failing = {query_id(2)};
  world.start();
  world.harness.run_for(1s);
  ask(world);
  world.harness.run_for(30s);
  CHECK(answers(world) ==
        std::vector{JoinOutcome::joined, JoinOutcome::event_store_error, JoinOutcome::joined});
  CHECK(world.output().size() == 2);
  CHECK_FALSE(world.registry.ids.contains(click_id(2)));
  CHECK(world.joiner->in_flight() == 0);
}

TEST_CASE("G-24 D-04 an EventStore that fails for all of a group; a full joiner refuses all") {
  JoinerWorld world;
  world.failing = {query_id(1), query_id(2), query_id(3)};
  world.config.max_in_flight = 3;
  world.start();
  world.harness.run_for(1s);
  ask(world);
  ask(world, 1);  // while the first is in flight
  world.harness.run_for(30s);
  CHECK(answers(world) == thrice(JoinOutcome::event_store_error));
  CHECK(answers(world, 1) == thrice(JoinOutcome::too_many_in_flight));
  CHECK(world.registry.ids.empty());
  CHECK(world.most_in_flight <= 3);
}
