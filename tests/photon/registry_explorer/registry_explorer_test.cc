// Small shards, explored to the end (registry_explorer.h). The larger ones:
// registry_explorer_full_test.cc.
#include "tests/photon/registry_explorer/registry_explorer.h"

#include "tests/photon/registry_explorer/scripts.h"
#include "tests/support/catch.h"

namespace photon::testing {

constexpr std::size_t kAllStates = 3'000'000;  // far above the number of states
constexpr std::size_t kAudits = 300;

TEST_CASE("J-S3 J-S4 J-S13 explorer: depth 2, two inserts of one id and a look-up, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "depth 2, two inserts, a look-up",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken), lookup_request()},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.open == 2);
  CHECK(explored.definite == 3);
  CHECK(explored.audited > 1000);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: depth 3, an insert, its retry, its rival, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "depth 3, an insert, its retry, its rival",
      {.script = {insert_request(kFirstToken), after_asked(insert_request(kFirstToken), {0}),
                  insert_request(kSecondToken)},
       .pipeline_depth = 3,
       .deaf = 0b100,
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.open == 3);
  CHECK(explored.definite == 3);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: depth 2, rivals in one batch and a retry, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "depth 2, rivals in one batch, a retry",
      {.script = {{.items = {insert_item(kFirstToken), insert_item(kSecondToken), lookup_item()}},
                  after_asked(insert_request(kSecondToken), {0})},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 2);
}

TEST_CASE("J-S4 J-S13 explorer: depth 2, a look-up, an insert, a look-up, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "depth 2, a look-up, an insert, a look-up",
      {.script = {lookup_request(), after_reply(insert_request(kFirstToken), {0}),
                  after_reply(lookup_request(), {1})},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 3);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: an election, an insert and its retry, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "an election, an insert, its retry",
      {.script = {insert_request(kFirstToken),
                  to(after_asked(insert_request(kFirstToken), {0}), 0b010)},
       .times = 1,
       .ticks = {0, 1, 0},
       .deaf_late = 0b001,
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.masters == 2);
}

TEST_CASE("J-S3 J-S4 J-S6 explorer: an election with two slots in flight, a rival, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "an election, two slots in flight, a rival",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken),
                  to(insert_request(kThirdToken), 0b010)},
       .times = 1,
       .ticks = {0, 1, 0},
       .deaf_early = 0b010,
       .deaf_late = 0b001,
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.masters == 2);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: a crash of the master between any two writes, exhausted") {
  const ShardExploration explored = explore_shard_and_check(
      "a crash of the master, any writes",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken)},
       .crashes = 1,
       .may_crash = 0b001,
       .deaf = 0b100,
       .writes = Writes::explored,
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 2);
}

}  // namespace photon::testing
