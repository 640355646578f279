// Small shards, explored breadth first (registry_explorer.h).
#include "tests/photon/registry_explorer/registry_explorer.h"

#include "tests/photon/registry_explorer/scripts.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::testing {

TEST_CASE("J-S3 J-S4 J-S13 explorer: two inserts of one id in two open slots, and a look-up") {
  const ShardExploration explored = explore_shard_and_check(
      "two inserts, a look-up",
      {.script = {insert_request(kFirstToken), insert_request(kSecondToken), lookup_request()},
       .states = 1'000'000,
       .audits = 200});
  CHECK(explored.exhausted);
  CHECK(explored.open == 2);
  CHECK(explored.definite == 3);
}

}  // namespace photon::testing
