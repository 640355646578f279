// Small groups of three replicas, explored breadth first (explorer.h): a second.
//
// tests/mutants/ shows that they detect breaks (the patches M-01, M-03 and M-05 name them). Also
// tried by hand, with the number of states until the violation:
//   votes and promises of every generation counted: "a disk lost", 315
//   an admission chosen with the vote of the disk that it admits: "a disk lost", 3,610
//   Prepare for dropped slots answered with an empty report: "snapshots and transfer", 810
#include "tests/paxos/explorer.h"

#include "tests/support/catch.h"
#include "tests/support/effort.h"

namespace photon::paxos::testing {

using photon::testing::effort;

TEST_CASE("J-S6 explorer: two proposers, one command: to exhaustion") {
  const Exploration explored =
      explore_and_check("two proposers, one command",
                        {.elections = {1, 1, 0}, .proposals = {1, 0, 0}, .states = 50'000});
  CHECK(explored.exhausted);
}

TEST_CASE("J-S6 explorer: two proposers, a command each") {
  explore_and_check("two proposers, a command each",
                    {.elections = {1, 1, 0}, .proposals = {1, 1, 0}, .states = effort(50'000)});
}

TEST_CASE("J-S6 B-16 explorer: a master that comes back after another") {
  explore_and_check("a master comes back",
                    {.elections = {2, 1, 0}, .proposals = {1, 1, 0}, .states = effort(100'000)});
}

TEST_CASE("J-S6 B-12 B-18 explorer: two proposers, one crash anywhere") {
  explore_and_check("two proposers, one crash", {.elections = {1, 1, 0},
                                                 .proposals = {1, 0, 0},
                                                 .crashes = 1,
                                                 .writes = Writes::explored,
                                                 .states = effort(100'000)});
}

TEST_CASE("J-S6 B-18 explorer: snapshots and state transfer") {
  const Exploration explored =
      explore_and_check("snapshots and transfer", {.elections = {1, 1, 0},
                                                   .proposals = {2, 0, 0},
                                                   .snapshots = {1, 0, 0},
                                                   .states = effort(100'000)});
  CHECK(explored.installed >= 1);
}

TEST_CASE("J-S6 B-18 explorer: a disk lost and admitted again") {
  const Exploration explored = explore_and_check(
      "a disk lost",
      {.elections = {1, 1, 0}, .proposals = {1, 0, 0}, .losses = {0, 0, 1}, .states = 100'000});
  CHECK(explored.admitted >= 1);
}

}  // namespace photon::paxos::testing
