// The large spaces of the explorer (explorer.h), each explored to the end: 2 to 25 s in a release
// build, and up to 400 MB. ctest runs each half of them as a test of its own.
#include "tests/paxos/explorer.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {

constexpr std::size_t kNoBound = 30'000'000;  // far above the number of states

TEST_CASE("J-S6 B-12 explorer: two crashes anywhere, between any two writes, to exhaustion",
          "[crashes]") {
  const Exploration explored =
      explore_and_check("two crashes anywhere", {.elections = {1, 1, 0},
                                                 .proposals = {1, 0, 0},
                                                 .crashes = 2,
                                                 .writes = Writes::explored,
                                                 .states = kNoBound});
  CHECK(explored.exhausted);
  CHECK(explored.states > 5'000'000);
}

TEST_CASE("J-S6 B-16 explorer: three elections, one crash, to exhaustion", "[crashes]") {
  const Exploration explored = explore_and_check(
      "three elections, a crash",
      {.elections = {2, 1, 0}, .proposals = {1, 0, 0}, .crashes = 1, .states = kNoBound});
  CHECK(explored.exhausted);
  CHECK(explored.states > 3'000'000);
}

TEST_CASE("J-S6 explorer: two proposers, a command each, to exhaustion", "[crashes]") {
  const Exploration explored =
      explore_and_check("two proposers, a command each",
                        {.elections = {1, 1, 0}, .proposals = {1, 1, 0}, .states = kNoBound});
  CHECK(explored.exhausted);
  CHECK(explored.states > 1'000'000);
  CHECK(explored.chosen >= 2);
}

TEST_CASE("J-S6 explorer: three proposers, one command, to exhaustion", "[crashes]") {
  const Exploration explored =
      explore_and_check("three proposers, one command",
                        {.elections = {1, 1, 1}, .proposals = {1, 0, 0}, .states = kNoBound});
  CHECK(explored.exhausted);
}

TEST_CASE("J-S6 B-18 explorer: a disk lost and admitted again, to exhaustion", "[disks]") {
  const Exploration explored = explore_and_check(
      "a disk lost",
      {.elections = {1, 1, 0}, .proposals = {1, 0, 0}, .losses = {0, 0, 1}, .states = kNoBound});
  CHECK(explored.exhausted);
  CHECK(explored.states > 6'000'000);
  CHECK(explored.admitted >= 1);
}

TEST_CASE("J-S6 B-18 explorer: snapshots and state transfer, to exhaustion", "[disks]") {
  const Exploration explored = explore_and_check(
      "snapshots and transfer",
      {.elections = {1, 1, 0}, .proposals = {2, 0, 0}, .snapshots = {1, 0, 0}, .states = kNoBound});
  CHECK(explored.exhausted);
  CHECK(explored.states > 4'000'000);
  CHECK(explored.installed >= 1);
}

}  // namespace photon::paxos::testing
