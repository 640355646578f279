// F-15: a bug after the commit, in a joiner that stays alive.
#include "tests/photon/verification/verifier_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

TEST_CASE("F-15 what a living joiner has dropped comes back when that joiner has been restarted") {
  VerifierWorld world;
  world.dead_until = VerifierWorld::kOwner.incarnation - 1;  // its present life is the owner
  // It has registered these and forgotten them: they stay out of every output.
  const EventId one = world.write_lost(1);
  const EventId other = world.write_lost(2);
  world.start();
  world.harness.run_for(24h);
  // Writing them again now would be a second output if the cause was slowness and no bug.
  CHECK(world.registry.removed.empty());
  CHECK(world.brought_back().empty());
  CHECK(world.verdicts().empty());  // and they are not given up
  CHECK(world.verifier->open_cases() == 2);
  // The operator restarts it: the life is over, and its files are fenced.
  world.dead_until = VerifierWorld::kOwner.incarnation;
  world.harness.run_for(2min);
  CHECK(world.registry.removed.size() == 2);
  CHECK_FALSE(world.registry.ids.contains(one));
  CHECK_FALSE(world.registry.ids.contains(other));
  CHECK(world.brought_back().size() == 2);
}
