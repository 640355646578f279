// Each oracle with traces that satisfy it and traces that break it. A healthy trace stays silent in
// every test (World::total), so a finding comes from the one record that was changed.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Up to the point where joiner 11 has its OK for click 1.
Token registered(World& world) {
  const Token token = world.token(kJoiner, 1);
  world.read(kDispatcher, 1);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.decide(kJoiner, AdapterDecided{click_id(1), query_id(1), 0});
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{1, token}});
  world.answer_insert(kReplica1, kJoiner, 1, token, 1);
  return token;
}

}  // namespace

TEST_CASE("a healthy run of both pipelines violates nothing, and its totals agree") {
  World world;
  prepare(world, 3);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    world.join(i, i);
    CHECK(world.judge.open_clicks() == 3 - i);
  }
  for (std::uint32_t i = 1; i <= 3; ++i) world.learn(i, 3);
  world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(world.total() == 0);
  CHECK(world.judge.accounting().joined == 3);
  CHECK(world.judge.accounting().adds_up());
}

TEST_CASE("J-S1 a second output is found, a replica of the same record is not") {
  World world;
  prepare(world);
  world.join(1, 1);
  SECTION("the same token twice in one datacenter (M-15)") {
    world.stored(kJoiner, world.output(1, world.token(kJoiner, 1)));
    INFO(world.findings());
    CHECK(world.count("J-S1") == 1);
    CHECK(world.judge.counters().duplicates == 1);
  }
  SECTION("another token") {
    world.emit(Source::durable, kFarJoiner, world.output(1, world.token(kFarJoiner, 1)));
    CHECK(world.count("J-S1") == 1);
  }
  SECTION("a copy in another datacenter is the same logical record") {
    trace::Record copy =
        trace::Record::make(world.records.back().header, world.output(1, world.token(kJoiner, 1)));
    copy.header.source = Source::durable;
    copy.header.datacenter = kFar;
    world.judge.record(copy);
    CHECK(world.total() == 0);
    CHECK(world.judge.counters().duplicates == 0);
  }
  SECTION("requested twice, durable once") {
    world.emit(Source::issued, kJoiner, world.output(1, world.token(kJoiner, 1)));
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S2 output needs the applied insert and the delivered OK of its own token") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  SECTION("no registration at all (M-13)") {
    world.stored(kJoiner, world.output(1, token));
    INFO(world.findings());
    CHECK(world.count("J-S2") == 2);
  }
  SECTION("applied, but the OK never arrived (M-16)") {
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});
    world.stored(kJoiner, world.output(1, token));
    check_only(world, "J-S2");
  }
  SECTION("another joiner's token owns the click") {
    registered(world);
    world.ask_insert(kJoiner2, 1, world.token(kJoiner2, 1));
    world.emit(Source::issued, kJoiner2, world.output(1, world.token(kJoiner2, 1)));
    check_only(world, "J-S2");
  }
  SECTION("the OK was for an earlier life") {
    registered(world);
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.emit(Source::issued, kJoiner, world.output(1, token));
    INFO(world.findings());
    CHECK(world.count("J-S2") == 1);
  }
}

TEST_CASE("J-S3 one owner per id") {
  World world;
  prepare(world);
  const Token first = world.token(kJoiner, 1);
  const Token second = world.token(kFarJoiner, 1);
  SECTION("two fresh inserts in one batch (M-07)") {
    world.transaction(1, {{1, first}, {1, second}});
    check_only(world, "J-S3");
  }
  SECTION("a foreign token taken for a retry (M-10)") {
    world.transaction(1, {{1, first}});
    world.transaction(2, {{1, second, RegistryCode::inserted, 0}});
    check_only(world, "J-S3");
  }
  SECTION("forgotten and inserted again with the same token") {
    world.transaction(1, {{1, first}});
    world.transaction(2, {{1, first}});
    check_both(world, "J-S3", "J-S9");
  }
  SECTION("refused although no joiner owns it") {
    world.transaction(1, {{1, first, RegistryCode::already_exists, 0}});
    check_only(world, "J-S3");
  }
  SECTION("the owner's retry refused (B-41)") {
    world.transaction(1, {{1, first}});
    world.transaction(2, {{1, first, RegistryCode::already_exists, 0}});
    check_only(world, "J-S3");
  }
  SECTION("an empty token (B-45)") {
    world.transaction(1, {{1, Token{}}});
    INFO(world.findings());
    CHECK(world.count("J-S3") == 1);
  }
  SECTION("retry, loser and repetition by replicas are valid (B-25, B-44)") {
    world.transaction(1, {{1, first},
                          {1, first, RegistryCode::inserted, 0},
                          {1, second, RegistryCode::already_exists, 0}});
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S10 an attempt continues if the answer was to a request refused as wrong shard") {
  World world;
  prepare(world);
  const Token token = world.token(kJoiner, 1);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.ask_insert(kJoiner, 1, token);
  const bool wrong_shard = GENERATE(true, false);
  if (wrong_shard) {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::wrong_shard);
  }
  world.transaction(1, {{1, token}});
  world.answer_insert(kReplica1, kJoiner, 1, token, 1);  // to a copy of the same request
  world.ask_insert(kJoiner, 1, token, 2);
  INFO(world.findings());
  CHECK(world.count("J-S10") == (wrong_shard ? 0 : 1));
}

TEST_CASE("J-S10 tokens name one attempt of one granted life") {
  World world;
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  SECTION("used for another click (M-12)") {
    world.ask_insert(kJoiner, 2, token);
    check_only(world, "J-S10");
  }
  SECTION("used by another joiner") {
    world.ask_insert(kJoiner2, 1, token);
    check_only(world, "J-S10");
  }
  SECTION("used by the next life") {
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.ask_insert(kJoiner, 1, token);
    check_only(world, "J-S10");
  }
  SECTION("a life that was never granted") {
    world.ask_insert(kJoiner, 2, Token{kJoiner.value(), 77, 1});
    check_only(world, "J-S10");
  }
  SECTION("another process's address") {
    world.ask_insert(kJoiner, 2, Token{kJoiner2.value(), world.granted(kJoiner2), 9});
    check_only(world, "J-S10");
  }
  SECTION("sent again after its definitive answer") {
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.ask_insert(kJoiner, 1, token);
    check_only(world, "J-S10");
  }
  SECTION("one number granted to two lives") {
    world.crash(kJoiner);
    world.lives[kJoiner.value()] = Incarnation{2};
    world.environment(kJoiner, ProcessStarted{0});
    world.delivered(NodeId{99}, kJoiner, IncarnationGranted{kJoiner.value(), 41, 2});
    check_only(world, "J-S10");
  }
  SECTION("a late copy of an earlier life's grant has no receiver") {
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.delivered(NodeId{99}, kJoiner, IncarnationGranted{kJoiner.value(), 41, 1});
    CHECK(world.total() == 0);
    // The life keeps its own number.
    world.ask_insert(kJoiner, 2, world.token(kJoiner, 9));
    CHECK(world.total() == 0);
  }
  SECTION("retries of the attempt and a fresh token for the next are valid (D-11)") {
    world.ask_insert(kJoiner, 1, token, 2);
    world.ask_insert(kJoiner, 2, world.token(kJoiner, 2));
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S10 a life is granted to a joiner only when its files are fenced") {
  World world;
  prepare(world, 2);
  SECTION("a number granted before the files are fenced against the lives below it (F-06)") {
    world.fence(kJoiner);
    const std::uint32_t next = world.granted(kJoiner) + 1;
    const bool fenced = GENERATE(true, false);
    world.sent(kRegistrar, kJoiner,
               IncarnationGranted{kJoiner.value(), fenced ? next : next + 1, 2});
    check_only(world, "J-S10", fenced ? 0 : 1);
  }
  SECTION("a number granted to a joiner whose files were never fenced (F-06)") {
    const bool joiner = GENERATE(true, false);
    const NodeId to = joiner ? kJoiner2 : kFarDispatcher;
    world.ask_join(kDispatcher, kJoiner2, 2, 2);  // shows the joiner as one
    world.answer_join(kJoiner2, kDispatcher, 2, 2, JoinOutcome::too_many_in_flight);
    world.sent(kRegistrar, to, IncarnationGranted{to.value(), 50, 2});
    check_only(world, "J-S10", joiner ? 1 : 0);
  }
}

TEST_CASE("J-S12 caps of requests") {
  JudgeConfig config = World::standard();
  config.joiner_max_in_flight = 2;
  World world(config);
  prepare(world, 6);
  SECTION("in flight: the third accepted request is seen when the fourth arrives") {
    for (std::uint32_t i = 1; i <= 3; ++i) world.ask_join(kDispatcher, kJoiner, i, i);
    CHECK(world.total() == 0);
    world.ask_join(kFarDispatcher, kJoiner, 4, 4);
    check_only(world, "J-S12");
  }
  SECTION("in flight: a rejection keeps the cap (D-02)") {
    for (std::uint32_t i = 1; i <= 3; ++i) world.ask_join(kDispatcher, kJoiner, i, i);
    world.answer_join(kJoiner, kDispatcher, 3, 3, JoinOutcome::too_many_in_flight);
    world.ask_join(kFarDispatcher, kJoiner, 4, 4);
    CHECK(world.total() == 0);
  }
  SECTION("in flight: a network duplicate counts once") {
    for (int i = 0; i < 5; ++i) {
      world.delivered(kDispatcher, kJoiner, JoinAsk{click_id(1), query_id(1), 1, 0});
    }
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S12 caps of registrations") {
  JudgeConfig config = World::standard();
  config.joiner_max_outstanding_registry = 2;
  config.joiner_window_bound = 3;
  World world(config);
  prepare(world, 6);
  SECTION("outstanding registrations (M-17)") {
    for (std::uint32_t i = 1; i <= 3; ++i) world.ask_insert(kJoiner, i, world.token(kJoiner, i));
    check_only(world, "J-S12");
  }
  SECTION("the window includes what is registered and not yet durable (D-15)") {
    for (std::uint32_t i = 1; i <= 4; ++i) {
      const Token token = world.token(kJoiner, i);
      world.ask_insert(kJoiner, i, token);
      world.transaction(i, {{i, token}});
      world.answer_insert(kReplica1, kJoiner, i, token, i);
    }
    check_only(world, "J-S12");
  }
  SECTION("a durable output leaves the window, retries do not count twice, a crash empties it") {
    for (std::uint32_t i = 1; i <= 4; ++i) {
      const Token token = world.token(kJoiner, i);
      world.ask_insert(kJoiner, i, token);
      world.ask_insert(kJoiner, i, token, 9);
      world.transaction(i, {{i, token}});
      world.answer_insert(kReplica1, kJoiner, i, token, i);
      if (i < 3) world.stored(kJoiner, world.output(i, token));
      if (i == 3) {
        world.crash(kJoiner);
        world.restart(kJoiner);
      }
    }
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("B-23 J-S12 a transaction holds no more operations than a batch may") {
  JudgeConfig config = World::standard();
  config.max_batch_operations = 2;
  World world(config);
  prepare(world, 3);
  const auto insert = [&](std::uint32_t click) {
    const Token token = world.token(kJoiner, click);
    world.ask_insert(kJoiner, click, token);
    return Insert{click, token};
  };
  SECTION("as many as it may") {
    world.transaction(1, {insert(1), insert(2)});
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("one more: accused once, and not at each replica") {
    world.transaction(1, {insert(1), insert(2), insert(3)});
    check_only(world, "J-S12");
  }
}

TEST_CASE("J-S12 a dispatcher's outstanding joins") {
  JudgeConfig config = World::standard();
  config.dispatcher_max_outstanding = 3;
  config.dispatcher_send_timeout = 10s;
  World world(config);
  prepare(world, 6);
  SECTION("one more than its cap") {
    for (std::uint32_t i = 1; i <= 4; ++i) world.ask_join(kDispatcher, NodeId{11 + i % 2}, i, i);
    INFO(world.findings());
    CHECK(world.count("J-S12") == 1);
  }
  SECTION("answered, timed out and forgotten joins are not outstanding") {
    for (std::uint32_t i = 1; i <= 3; ++i) world.ask_join(kDispatcher, NodeId{11 + i % 2}, i, i);
    world.answer_join(NodeId{12}, kDispatcher, 1, 1, JoinOutcome::event_store_error);
    world.ask_join(kDispatcher, kJoiner2, 4, 4);
    world.wait(11s);
    world.ask_join(kDispatcher, kJoiner2, 5, 5);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("C-33 J-S12 a dispatcher's outstanding look-ups") {
  JudgeConfig config = World::standard();
  config.dispatcher_max_lookups = 2;
  config.dispatcher_lookup_timeout = 10s;
  World world(config);
  prepare(world, 6);
  const auto ask = [&](std::uint32_t click, std::uint64_t request) {
    world.ask_lookup(kDispatcher, kReplica1, click, request);
  };
  ask(1, 1);
  ask(2, 2);
  SECTION("one more than its cap") {
    ask(3, 3);
    check_only(world, "J-S12");
  }
  SECTION("a repeated one counts once, also near its time-out") {
    for (int i = 0; i < 3; ++i) ask(1, 1);
    world.wait(10s - 10ms);
    ask(1, 1);
    world.wait(1s);
    ask(3, 3);
    ask(4, 4);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("a definitive answer ends one") {
    world.reply_lookup(kReplica1, kDispatcher, 1, 0, RegistryCode::not_master, 1);
    world.reply_lookup(kReplica1, kDispatcher, 2, 0, RegistryCode::not_found, 9);  // another's
    CHECK(world.count("J-S12") == 0);
    SECTION("none was") {
      ask(3, 3);
      CHECK(world.count("J-S12") == 1);
    }
    SECTION("one was") {
      world.reply_lookup(kReplica1, kDispatcher, 2, 0, RegistryCode::not_found, 2);
      ask(3, 3);
      CHECK(world.count("J-S12") == 0);
    }
  }
  SECTION("with a life its look-ups end") {
    world.crash(kDispatcher);
    world.restart(kDispatcher);
    ask(3, 3);
    ask(4, 4);
    CHECK(world.total() == 0);
  }
}

TEST_CASE(
    "C-33 J-S12 look-ups that waited for the sharding history: up to twice the cap seem open") {
  JudgeConfig config = World::standard();
  config.dispatcher_max_lookups = 2;
  config.dispatcher_lookup_timeout = 10s;
  config.sharding_group = 1;
  World world(config);
  prepare(world, 6);
  for (std::uint32_t i = 1; i <= 4; ++i) world.ask_lookup(kDispatcher, kReplica1, i, i);
  CHECK(world.count("J-S12") == 0);
  world.ask_lookup(kDispatcher, kReplica1, 5, 5);
  CHECK(world.count("J-S12") == 1);
}

TEST_CASE("J-S15 J-S16 the right query, the right content, no record without a source") {
  World world;
  prepare(world);
  const Token token = registered(world);
  OutputRecord record = world.output(1, token);
  SECTION("wrong query") {
    record.query = query_id(2);
    world.emit(Source::issued, kJoiner, record);
    check_only(world, "J-S15");
  }
  SECTION("wrong content (M-32)") {
    record.joined_hash ^= 1;
    world.emit(Source::issued, kJoiner, record);
    check_only(world, "J-S15");
  }
  SECTION("a phantom output and a phantom id") {
    world.transaction(2, {{9, world.token(kJoiner, 9)}});
    check_only(world, "J-S16");
    world.emit(Source::durable, kJoiner, world.output(8, token));
    CHECK(world.count("J-S16") == 2);
  }
  SECTION("two clicks with one id (M-42)") {
    world.generate(1);
    check_only(world, "J-S16");
  }
}

TEST_CASE("J-S16 no output for a click that the reference adapter skips") {
  World world;
  world.boot();
  world.environment(kNoNode, ClickGenerated{click_id(1), query_id(1), 100, 100, joined_hash(1),
                                            kClickFile, kQueryFile, 1});
  world.join(1, 1);
  INFO(world.findings());
  CHECK(world.count("J-S16") == 2);
}

}  // namespace photon::analysis::testing
