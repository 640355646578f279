// The large worlds of the explorer (explorer.h): about a minute each, in a release build.
#include "tests/paxos/explorer.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {

TEST_CASE("J-S6 explorer: two proposers, a command each, more than a million states, all of them") {
  const Exploration explored =
      explore_and_check("two proposers, a command each",
                        {.elections = {1, 1, 0}, .proposals = {1, 1, 0}, .states = 3'000'000});
  CHECK(explored.exhausted);
  CHECK(explored.states > 1'000'000);
  CHECK(explored.chosen >= 2);
}

TEST_CASE("J-S6 explorer: three elections, one command") {
  const Exploration explored =
      explore_and_check("three elections, one command",
                        {.elections = {2, 1, 0}, .proposals = {1, 0, 0}, .states = 300'000});
  CHECK(explored.exhausted);
}

TEST_CASE("J-S6 B-18 explorer: a disk lost and admitted again, a million states") {
  const Exploration explored = explore_and_check(
      "a disk lost",
      {.elections = {1, 1, 0}, .proposals = {1, 0, 0}, .losses = {0, 0, 1}, .states = 1'000'000});
  CHECK(explored.admitted >= 1);
}

}  // namespace photon::paxos::testing
