// Oracle J-S7: leases, and the authority of answers.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

namespace {
constexpr ShardId kLeaseGroup{0};
}  // namespace

TEST_CASE("J-S7 lease intervals do not overlap (B-11)") {
  World world;
  prepare(world);  // node 1 holds it for ten minutes
  SECTION("another one extends meanwhile (M-04)") {
    world.elect(kReplica2, 0x202, 0);
    world.lease(kReplica2, 0x202);
    check_only(world, "J-S7");
  }
  SECTION("after it ran out") {
    world.wait(11min);
    world.elect(kReplica2, 0x202, 0);
    world.lease(kReplica2, 0x202);
    CHECK(world.total() == 0);
  }
  SECTION("after it was released, or its life ended") {
    world.decide(kReplica1, MasterEnded{0x101, kLeaseGroup});
    world.lease(kReplica2, 0x202);
    world.crash(kReplica2);
    world.lease(kReplica3, 0x303);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S7 only the master inside its lease answers with authority (B-14)") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{1, token}});
  SECTION("a replica that never had a lease") {
    world.answer_lookup(kReplica2, kDispatcher, 1, 1, RegistryCode::exists);
    check_only(world, "J-S7");
  }
  SECTION("after the lease ran out (M-04)") {
    world.wait(10min + 1s);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    check_only(world, "J-S7");
  }
  SECTION("after giving up") {
    world.decide(kReplica1, MasterEnded{0x101, kLeaseGroup});
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    check_only(world, "J-S7");
  }
  SECTION("inside the lease, and retriable answers by any replica") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    world.answer_lookup(kReplica2, kDispatcher, 1, 0, RegistryCode::not_master);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S7 a new master's look-ups include what was inserted before its election (B-13)") {
  World world;
  prepare(world);
  world.ask_lookup(kDispatcher, kReplica2, 1);  // and kept until it is master
  world.ask_insert(kJoiner, 1, world.token(kJoiner, 1));
  world.transaction(1, {{1, world.token(kJoiner, 1)}});
  world.decide(kReplica1, MasterEnded{0x101, kLeaseGroup});
  world.elect(kReplica2, 0x202, 1);
  world.lease(kReplica2, 0x202);
  const auto code = GENERATE(RegistryCode::not_found, RegistryCode::exists);
  world.reply_lookup(kReplica2, kDispatcher, 1, 1, code);
  INFO(world.findings());
  CHECK(world.count("J-S7") == (code == RegistryCode::not_found ? 1 : 0));
  CHECK(world.total() == world.count("J-S7"));
}

TEST_CASE("J-S7 a new master has applied what was chosen before (B-13)") {
  World world;
  prepare(world);
  world.choose(1, 0x101, 5);
  world.decide(kReplica1, MasterEnded{0x101, kLeaseGroup});
  SECTION("it has not") {
    world.elect(kReplica2, 0x202, 1);
    check_only(world, "J-S7");
  }
  SECTION("it answers a look-up from before") {
    world.apply(kReplica2, 1, 5);
    world.elect(kReplica2, 0x202, 1);
    world.lease(kReplica2, 0x202);
    world.answer_lookup(kReplica2, kDispatcher, 1, 0, RegistryCode::not_found);
    CHECK(world.count("J-S7") == 1);
    CHECK(world.count("J-S13") == 1);
  }
  SECTION("it has") {
    world.apply(kReplica2, 1, 5);
    world.elect(kReplica2, 0x202, 1);
    world.lease(kReplica2, 0x202);
    world.answer_lookup(kReplica2, kDispatcher, 1, 1, RegistryCode::not_found);
    CHECK(world.total() == 0);
  }
}

}  // namespace photon::analysis::testing
