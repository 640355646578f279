// Small shards, explored to the end (registry_explorer.h). The larger ones:
// registry_explorer_full_test.cc.
#include "tests/photon/registry_explorer/registry_explorer.h"

#include "tests/photon/registry_explorer/scripts.h"
#include "tests/support/catch.h"

namespace photon::testing {

constexpr std::size_t kAllStates = 10'000'000;  // far above the number of states
constexpr std::size_t kAudits = 300;

TEST_CASE("J-S3 J-S4 J-S13 explorer: two rivals and a look-up at depth 2") {
  const ShardExploration explored = explore_shard_and_check(
      "two rivals and a look-up",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken), lookup_request()},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.open == 2);
  CHECK(explored.definite == 3);
  CHECK(explored.audited > 1000);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: an insert with retry and rival at depth 3") {
  const ShardExploration explored = explore_shard_and_check(
      "insert, retry and rival at depth 3",
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

TEST_CASE("J-S3 J-S4 J-S13 explorer: rivals in one batch at depth 2") {
  const ShardExploration explored = explore_shard_and_check(
      "rivals in one batch",
      {.script = {{.items = {insert_item(kFirstToken), insert_item(kSecondToken), lookup_item()}},
                  after_asked(insert_request(kSecondToken), {0})},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 2);
}

TEST_CASE("J-S4 J-S13 explorer: look-ups before and after an insert") {
  const ShardExploration explored = explore_shard_and_check(
      "look-up, insert, look-up",
      {.script = {lookup_request(), after_reply(insert_request(kFirstToken), {0}),
                  after_reply(lookup_request(), {1})},
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.definite == 3);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: an election between an insert and its retry") {
  const ShardExploration explored = explore_shard_and_check(
      "election, retry", {.script = {insert_request(kFirstToken),
                                     to(after_asked(insert_request(kFirstToken), {0}), 0b010)},
                          .times = 1,
                          .ticks = {0, 1, 0},
                          .deaf_late = 0b001,
                          .states = kAllStates,
                          .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.masters == 2);
}

TEST_CASE("J-S3 J-S4 J-S6 explorer: an election with two slots in flight") {
  const ShardExploration explored = explore_shard_and_check(
      "election, two slots in flight",
      {.script = {insert_request(kFirstToken), after_asked(insert_request(kSecondToken), {0}),
                  to(after_asked(insert_request(kThirdToken), {1}), 0b010),
                  to(after_asked(insert_request(kSecondToken), {2}), 0b010)},
       .times = 1,
       .ticks = {0, 1, 0},
       .deaf_early = 0b010,
       .deaf_late = 0b001,
       .states = kAllStates,
       .audits = kAudits});
  CHECK(explored.exhausted);
  CHECK(explored.masters == 2);
}

TEST_CASE("J-S3 J-S4 J-S13 explorer: a crash of the master between any two writes") {
  const ShardExploration explored = explore_shard_and_check(
      "crash of the master", {.script = {insert_request(kFirstToken), insert_request(kSecondToken)},
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
