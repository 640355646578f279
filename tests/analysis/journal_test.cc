// J-S14 of a dispatcher's journal: the attempts that it states, its lease, its owner.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {

using namespace trace;

TEST_CASE("C-21 J-S14 the attempts of a saved click never decrease while a journal keeps it") {
  constexpr NodeId kOperator{30};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator};
  World world(config);
  prepare(world, 2);
  // Of the two numbers of an entry, the one that is the same in all of them is not meant.
  const bool tries = GENERATE(false, true);
  const auto save = [&](NodeId worker, std::uint32_t click, std::uint32_t number) {
    world.emit(Source::durable, worker,
               tries ? RetrySaved{click_id(click), LocalTime{}, 1, 4, number}
                     : RetrySaved{click_id(click), LocalTime{}, number, 4, 1});
  };
  const auto rewrite = [&](NodeId worker, std::initializer_list<std::uint32_t> attempts) {
    world.emit(Source::durable, worker, JournalReplaced{1, 4});
    for (const std::uint32_t each : attempts) save(worker, 1, each);
    world.emit(Source::durable, worker, JournalRestated{1, 4});
  };
  save(kDispatcher, 1, 3);
  SECTION("the owner states fewer") {
    save(kDispatcher, 1, 2);
    check_only(world, "J-S14");
  }
  SECTION("a new owner does not restore them") {
    rewrite(kJoiner2, {0});
    check_only(world, "J-S14");
  }
  SECTION("a rewrite is judged by what it states last") {
    rewrite(kDispatcher, {5, 3});
    save(kDispatcher, 1, 4);
    CHECK(world.total() == 0);
    rewrite(kDispatcher, {6, 3});
    check_only(world, "J-S14");
  }
  SECTION("another journal, another click, and an entry that was removed count for themselves") {
    world.stored(kDispatcher, RetrySaved{click_id(1), LocalTime{}, 1, 5});
    save(kDispatcher, 2, 1);
    CHECK(world.total() == 0);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::too_old);
    const std::uint64_t before = world.total();
    world.emit(Source::durable, kDispatcher, RetryRemoved{click_id(1), 4});
    save(kDispatcher, 1, 0);
    INFO(world.findings());
    CHECK(world.total() == before);
  }
  SECTION("a copy that verification brought back has a number of its own") {
    world.stored(NodeId{13}, ClickReinjected{click_id(1), 1, 50, 9});
    save(kDispatcher, 1, 1);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("an operator begins without state") {
    rewrite(kOperator, {});
    const std::uint64_t before = world.total();
    save(kDispatcher, 1, 1);
    INFO(world.findings());
    CHECK(world.total() == before);
  }
}

TEST_CASE("C-21 J-S14 a new owner of a damaged journal may restate an older state, as it was") {
  World world;
  prepare(world, 2);
  // Of the two numbers of an entry, the one that is the same in all of them is not meant.
  const bool tries = GENERATE(false, true);
  const auto save = [&](NodeId worker, std::uint32_t click, std::uint32_t number) {
    world.emit(Source::durable, worker,
               tries ? RetrySaved{click_id(click), LocalTime{}, 1, 4, number}
                     : RetrySaved{click_id(click), LocalTime{}, number, 4, 1});
  };
  save(kDispatcher, 1, 3);
  const auto owned = [&](NodeId worker, std::uint64_t epoch) {
    world.emit(Source::durable, worker, JournalOwned{epoch, 0, worker, 4});
  };
  const auto offset = [&](NodeId worker, std::uint64_t value) {
    world.emit(Source::durable, worker, OffsetSaved{value, kClickFile, 4});
  };
  owned(kDispatcher, 1);
  save(kDispatcher, 2, 1);
  offset(kDispatcher, 100);
  save(kDispatcher, 1, 4);
  save(kDispatcher, 2, 2);
  const auto take_over = [&](std::uint64_t lost_offset, std::uint32_t first, std::uint32_t second) {
    world.emit(Source::durable, kJoiner2, JournalReplaced{1, 4});
    owned(kJoiner2, 2);
    offset(kJoiner2, lost_offset);
    save(kJoiner2, 1, first);
    save(kJoiner2, 2, second);
    world.emit(Source::durable, kJoiner2, JournalRestated{1, 4});
  };
  SECTION("without the last two records") { take_over(100, 3, 1); }
  SECTION("without the last record") { take_over(100, 4, 1); }
  CHECK(world.total() == 0);
  SECTION("without a record before the last") {
    take_over(100, 3, 2);
    check_only(world, "J-S14");
  }
  SECTION("with an offset that is newer than what is lost") {
    save(kDispatcher, 1, 5);
    offset(kDispatcher, 150);
    take_over(150, 4, 2);
    check_only(world, "J-S14");
  }
  SECTION("with fewer attempts than it ever stated") {
    take_over(100, 2, 1);
    check_only(world, "J-S14");
  }
}

TEST_CASE("C-30 J-S14 a dispatcher sends clicks while it holds the lease of a journal") {
  JudgeConfig config = World::standard();
  config.journal_lease = 8s;
  World world(config);
  prepare(world, 3);
  const auto claim = [&](NodeId owner, NodeId writer, Duration lease) {
    world.stored(writer, JournalOwned{5, lease.count(), owner, 4});
  };
  SECTION("up to the end of the lease and a quarter; a renewal starts it again") {
    claim(kDispatcher, kDispatcher, 8s);
    world.wait(9s);
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    claim(kDispatcher, kDispatcher, 8s);
    world.wait(9s);
    world.ask_join(kDispatcher, kJoiner, 2, 2);
    INFO(world.findings());
    CHECK(world.total() == 0);
    world.wait(2s);
    world.ask_join(kDispatcher, kJoiner, 3, 3);
    check_only(world, "J-S14");
  }
  SECTION("without any, after a release, and by a claim of an earlier life") {
    world.ask_join(kDispatcher, kJoiner, 1, 1);
    check_only(world, "J-S14");
    claim(kNoNode, kDispatcher, 8s);
    world.ask_join(kDispatcher, kJoiner, 2, 2);
    CHECK(world.count("J-S14") == 2);
    claim(kDispatcher, kDispatcher, 8s);
    world.crash(kDispatcher);
    world.restart(kDispatcher);
    world.ask_join(kDispatcher, kJoiner, 3, 3);
    check_only(world, "J-S14", 3);
  }
  SECTION("a claim for twice the lease") {
    claim(kDispatcher, kDispatcher, 16s);
    check_only(world, "J-S14");
  }
}

TEST_CASE("C-06 J-S14 after a new owner's claim no other worker writes to the journal") {
  constexpr NodeId kOperator{30}, kOperator2{31};
  JudgeConfig config = World::standard();
  config.state_operators = {kOperator, kOperator2};
  World world(config);
  prepare(world, 2);
  const auto claim = [&](NodeId worker, std::uint64_t epoch) {
    world.emit(Source::durable, worker, JournalOwned{epoch, 0, worker, 4});
  };
  const auto save = [&](NodeId worker) {
    world.emit(Source::durable, worker, RetrySaved{click_id(1), LocalTime{}, 1, 4});
  };
  claim(kDispatcher, 5);
  save(kDispatcher);
  claim(kDispatcher, 5);
  claim(kJoiner2, 7);
  save(kJoiner2);
  INFO(world.findings());
  CHECK(world.total() == 0);
  SECTION("the former owner writes") {
    save(kDispatcher);
    check_only(world, "J-S14");
  }
  SECTION("the former owner claims it again with its epoch") {
    claim(kDispatcher, 5);
    check_only(world, "J-S14");
  }
  SECTION("two workers have one epoch") {
    claim(kDispatcher, 7);
    check_only(world, "J-S14");
  }
  SECTION("a later life of the owner goes on without a claim") {
    world.crash(kJoiner2);
    world.restart(kJoiner2);
    save(kJoiner2);
    check_only(world, "J-S14");
  }
  SECTION("operators of one round have one epoch, and no worker may share it") {
    claim(kOperator, 8);
    claim(kOperator2, 8);
    CHECK(world.total() == 0);
    claim(kDispatcher, 8);
    check_only(world, "J-S14");
  }
  SECTION("another journal, another owner") {
    world.emit(Source::durable, kDispatcher, JournalOwned{6, 0, kDispatcher, 3});
    CHECK(world.total() == 0);
  }
}

}  // namespace photon::analysis::testing
