// The large spaces of the explorer (registry_explorer.h), explored to the end where it is stated.
#include "tests/photon/registry_explorer/registry_explorer.h"
#include "tests/photon/registry_explorer/scripts.h"
#include "tests/support/catch.h"

namespace photon::testing {

constexpr std::size_t kNoBound = 60'000'000;  // far above the number of states
constexpr std::size_t kFullAudits = 2000;

TEST_CASE("J-S3 J-S4 J-S13 explorer: three slots open and three replicas within a bound") {
  const ShardExploration explored = explore_shard_and_check(
      "depth 3 with three replicas",
      {.script = {insert_request(kFirstToken), after_asked(insert_request(kFirstToken), {0}),
                  after_asked(insert_request(kSecondToken), {1})},
       .pipeline_depth = 3,
       .states = 4'000'000,
       .audits = kFullAudits});
  CHECK(explored.states >= 4'000'000);
  CHECK(explored.open == 3);
  CHECK(explored.definite == 3);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: four requests at depth 3 with one follower") {
  const ShardExploration explored = explore_shard_and_check(
      "four requests at depth 3",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken),
                  after_asked(insert_request(kFirstToken), {0}), lookup_request()},
       .pipeline_depth = 3,
       .max_batch_operations = 1,
       .deaf = 0b100,
       .states = kNoBound,
       .audits = kFullAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 4);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: an election that the old master hears of") {
  const ShardExploration explored = explore_shard_and_check(
      "election, old master alive",
      {.script = {insert_request(kFirstToken),
                  to(after_asked(insert_request(kSecondToken), {0}), 0b011)},
       .times = 1,
       .ticks = {0, 1, 0},
       .deaf_early = 0b010,
       .states = kNoBound,
       .audits = kFullAudits});
  CHECK(explored.exhausted);
  CHECK(explored.masters == 2);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: a crash of any replica between any two writes") {
  const ShardExploration explored = explore_shard_and_check(
      "crash of master or follower",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken)},
       .crashes = 1,
       .may_crash = 0b011,
       .deaf = 0b100,
       .writes = Writes::explored,
       .states = kNoBound,
       .audits = kFullAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 2);
}

}  // namespace photon::testing
