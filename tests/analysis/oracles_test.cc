// Each oracle with traces that satisfy it and traces that break it. A healthy world stays silent in
// every test (World::total), so a finding is the doing of the one record that was bent.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

// Exactly this oracle speaks.
void check_only(const World& world, std::string_view oracle, std::uint64_t times = 1) {
  INFO(world.findings());
  CHECK(world.count(oracle) == times);
  CHECK(world.total() == times);
}

void check_both(const World& world, std::string_view one, std::string_view other) {
  INFO(world.findings());
  CHECK((world.count(one) == 1 && world.count(other) == 1));
  CHECK(world.total() == 2);
}

void prepare(World& world, std::uint32_t clicks = 1) {
  world.boot();
  for (std::uint32_t i = 1; i <= clicks; ++i) world.generate(i);
  world.ship_all(clicks);
}

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

TEST_CASE("a healthy run of both pipelines violates nothing and adds up") {
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
  SECTION("asked twice, durable once") {
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
  SECTION("applied, but the OK never came (M-16)") {
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
  SECTION("refused although nobody owns it") {
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
  SECTION("retry, loser and repetition by replicas are fine (B-25, B-44)") {
    world.transaction(1, {{1, first},
                          {1, first, RegistryCode::inserted, 0},
                          {1, second, RegistryCode::already_exists, 0}});
    CHECK(world.total() == 0);
  }
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
    world.delivered(NodeId{99}, kJoiner, IncarnationGranted{kJoiner.value(), 41});
    check_only(world, "J-S10");
  }
  SECTION("retries of the attempt and a fresh token for the next are fine (D-11)") {
    world.ask_insert(kJoiner, 1, token, 2);
    world.ask_insert(kJoiner, 2, world.token(kJoiner, 2));
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S12 caps") {
  JudgeConfig config = World::standard();
  config.joiner_max_in_flight = 2;
  config.joiner_max_outstanding_registry = 2;
  config.joiner_window_bound = 3;
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
    world.answer_join(NodeId{12}, kDispatcher, 1, 1, JoinOutcome::query_not_found);
    world.ask_join(kDispatcher, kJoiner2, 4, 4);
    world.wait(11s);
    world.ask_join(kDispatcher, kJoiner2, 5, 5);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S13 definitive answers repeat what their sender has applied") {
  World world;
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  const Token other = world.token(kFarJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  SECTION("before anything is applied (M-08, M-09)") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    check_only(world, "J-S13");
  }
  SECTION("applied by others, not by the answerer") {
    world.choose(1, 0x101, 0x5001);
    world.apply(kReplica2, 1, 0x5001, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    check_only(world, "J-S13");
  }
  SECTION("another code than the applied one") {
    world.transaction(1, {{1, token}, {1, other, RegistryCode::already_exists, 0}});
    world.answer_insert(kReplica1, kFarJoiner, 1, other, 1, RegistryCode::inserted);
    check_only(world, "J-S13");
  }
  SECTION("slot 0") {
    world.answer_insert(kReplica1, kJoiner, 1, token, 0, RegistryCode::already_exists);
    check_both(world, "J-S13", "J-S4");  // it exists, and nobody else can have inserted it
  }
  SECTION("a look-up sees an insert that is not applied") {
    world.transaction(1, {{2, world.token(kJoiner, 2)}});
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    check_only(world, "J-S13");
  }
  SECTION("a look-up misses an insert that is applied") {
    world.transaction(1, {{1, token}});
    world.transaction(2, {});
    world.answer_lookup(kReplica1, kDispatcher, 1, 2, RegistryCode::not_found);
    check_both(world, "J-S13", "J-S9");
  }
  SECTION("duplicates of the network and of the answer are fine") {
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    CHECK(world.total() == 0);
  }
  SECTION("retriable answers claim nothing") {
    world.answer_insert(kReplica2, kJoiner, 1, token, 0, RegistryCode::not_master);
    CHECK(world.total() == 0);
  }
}

namespace {

// Slot 1 holds click 2; click 1 is asked to be inserted with the token returned.
Token prepare_lookups(World& world) {
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(1, {{2, world.token(kJoiner, 2)}});
  return token;
}

// J-S13 found that so far, and no other oracle found anything but J-S4, as a client sees it.
enum class Stale : std::uint8_t { no, yes };
void check_stale(const World& world, Stale stale) {
  INFO(world.findings());
  CHECK(world.count("J-S13") == (stale == Stale::yes ? 1 : 0));
  if (stale == Stale::no) CHECK(world.count("J-S4") == 0);
  CHECK(world.total() == world.count("J-S13") + world.count("J-S4"));
}

}  // namespace

TEST_CASE("J-S13 J-S4 a look-up answers from what was applied when it was asked, or later") {
  World world;
  const Token token = prepare_lookups(world);
  SECTION("asked before the insert: it may miss it, in its slot and before (B-26)") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.transaction(2, {{1, token}});
    const std::uint64_t slot = GENERATE(1, 2);
    world.reply_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::not_found);
    check_stale(world, Stale::no);
  }
  SECTION("asked after it: it may not, whatever slot the answer names") {
    world.transaction(2, {{1, token}});
    const std::uint64_t slot = GENERATE(0, 1, 2);
    world.answer_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::not_found);
    check_stale(world, Stale::yes);
  }
  SECTION("the copy that came first counts; the next request counts by itself") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.transaction(2, {{1, token}});
    world.delivered(kDispatcher, kReplica1,
                    RegistryAsk{click_id(1), Token{}, 2, RegistryOperation::lookup, ShardId{0}});
    for (int copy = 0; copy < 2; ++copy) {
      world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    }
    check_stale(world, Stale::no);
    world.ask_lookup(kDispatcher, kReplica1, 1, 3);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found, 3);
    check_stale(world, Stale::yes);
  }
  SECTION("a right answer from a slot that was old when it was asked is luck") {
    world.transaction(2, {});
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
  }
  SECTION("answers without a question, or twice, or by another life") {
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    check_stale(world, Stale::yes);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found);
    CHECK(world.count("J-S13") == 2);
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.crash(kReplica1);
    world.restart(kReplica1);
    world.reply_lookup(kReplica1, kDispatcher, 1, 0, RegistryCode::not_found);
    CHECK(world.count("J-S13") == 3);
  }
}

TEST_CASE("J-S13 J-S4 a look-up's answer agrees with the boundary (B-62, B-65)") {
  JudgeConfig config = World::standard();
  config.gc_age = 10ms;  // the boundary moves soon after the clicks
  World world(config);
  const Token token = prepare_lookups(world);
  SECTION("too old: not before the boundary moved, not at a slot before it") {
    world.ask_lookup(kDispatcher, kReplica1, 1);
    world.ask_lookup(kDispatcher, kReplica1, 1, 3);
    world.move_boundary(2, 2);
    const std::uint64_t slot = GENERATE(1, 2);
    world.reply_lookup(kReplica1, kDispatcher, 1, slot, RegistryCode::too_old);
    check_stale(world, slot == 1 ? Stale::yes : Stale::no);
    world.reply_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::not_found, 3);  // as of then
    check_stale(world, slot == 1 ? Stale::yes : Stale::no);
  }
  SECTION("too old: an id at the boundary is not (BC-13)") {
    world.move_boundary(2, 2);
    world.answer_lookup(kReplica1, kDispatcher, 2, 2, RegistryCode::too_old);
    check_stale(world, Stale::yes);
  }
  SECTION("not found and exists: not for an id that was below the boundary when it was asked") {
    world.transaction(2, {{1, token}});
    world.move_boundary(3, 2);
    const auto code = GENERATE(RegistryCode::not_found, RegistryCode::exists);
    world.answer_lookup(kReplica1, kDispatcher, 1, 3, code);
    check_stale(world, Stale::yes);
  }
  SECTION("too old at slot 0") {
    world.answer_lookup(kReplica1, kDispatcher, 1, 0, RegistryCode::too_old);
    check_stale(world, Stale::yes);
  }
}

TEST_CASE("J-S14 a persisted offset covers only what is finished or saved") {
  World world;
  prepare(world, 3);
  world.join(1, 1);
  SECTION("an unfinished click is covered (M-28)") {
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("finished at the other pipeline does not help") {
    world.emit(Source::durable, kFarDispatcher, OffsetSaved{100, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("saved but not durable") {
    world.emit(Source::issued, kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("saved, covered, then removed without a success (M-29)") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    world.emit(Source::durable, kDispatcher, OffsetSaved{200, kClickFile});
    CHECK(world.total() == 0);
    world.stored(kDispatcher, RetryRemoved{click_id(2)});
    check_only(world, "J-S14");
  }
  SECTION("healthy: offset up to the saved one, a regress, an offset inside a record") {
    world.stored(kDispatcher, RetrySaved{click_id(2), LocalTime{}, 1});
    for (const std::uint64_t offset : {200ULL, 100ULL, 299ULL}) {
      world.emit(Source::durable, kDispatcher, OffsetSaved{offset, kClickFile});
    }
    world.answer_lookup(kReplica1, kDispatcher, 1, 1, RegistryCode::exists);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S14 a rewritten journal holds every unfinished click that it covers") {
  World world;
  prepare(world, 3);
  world.join(1, 1);
  for (const std::uint32_t i : {2U, 3U}) {
    world.stored(kDispatcher, RetrySaved{click_id(i), LocalTime{}, 1});
  }
  world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
  const auto rewrite = [&](std::initializer_list<std::uint32_t> clicks, std::uint64_t offset) {
    world.emit(Source::durable, kDispatcher, JournalReplaced{1});
    for (const std::uint32_t i : clicks) {
      world.emit(Source::durable, kDispatcher, RetrySaved{click_id(i), LocalTime{}, 1});
    }
    if (offset > 0) world.emit(Source::durable, kDispatcher, OffsetSaved{offset, kClickFile});
    world.emit(Source::durable, kDispatcher, JournalRestated{1});
  };
  SECTION("one of two is left out (P-13)") {
    rewrite({2}, 300);
    check_only(world, "J-S14");
    rewrite({2}, 300);  // said once
    CHECK(world.total() == 1);
  }
  SECTION("both") {
    rewrite({}, 300);
    check_only(world, "J-S14", 2);
  }
  SECTION("issued is not yet durable") {
    world.emit(Source::issued, kDispatcher, JournalReplaced{0});
    world.emit(Source::issued, kDispatcher, JournalRestated{0});
    CHECK(world.total() == 0);
    rewrite({2, 3}, 300);
    CHECK(world.total() == 0);
  }
  SECTION("the journal of another dispatcher says nothing about this one") {
    world.emit(Source::durable, kFarDispatcher, JournalReplaced{0});
    world.emit(Source::durable, kFarDispatcher, JournalRestated{0});
    CHECK(world.total() == 0);
  }
  SECTION("a lower offset makes it read again; covered again, it must be saved again") {
    rewrite({2}, 200);
    INFO(world.findings());
    CHECK(world.total() == 0);
    world.emit(Source::durable, kDispatcher, OffsetSaved{300, kClickFile});
    check_only(world, "J-S14");
  }
  SECTION("an empty journal covers nothing") {
    rewrite({}, 0);
    INFO(world.findings());
    CHECK(world.total() == 0);
  }
  SECTION("what is finished may be left out") {
    world.move_boundary(2, 3);
    world.answer_lookup(kReplica1, kDispatcher, 2, 2, RegistryCode::too_old);
    CHECK(world.judge.open_clicks() == 3);
    rewrite({3}, 300);
    CHECK(world.count("J-S14") == 0);
  }
}

TEST_CASE(
    "J-P0 a finished click that stays in the retry store keeps the run from its rest (M-26)") {
  World world;
  prepare(world, 1);
  world.stored(kFarDispatcher, RetrySaved{click_id(1), LocalTime{}, 1});
  world.join(1, 1);
  CHECK(world.judge.open_clicks() == 0);
  world.learn(1, 1);
  CHECK(world.judge.open_clicks() == 1);
  SECTION("never removed") {
    world.wait(31s);
    world.quiesce();
    world.judge.finish();
    check_only(world, "J-P0");
  }
  SECTION("told a moment ago") {
    world.quiesce();
    world.judge.finish();
    CHECK(world.total() == 0);
  }
  SECTION("removed") {
    world.stored(kFarDispatcher, RetryRemoved{click_id(1)});
    CHECK(world.judge.open_clicks() == 0);
    world.wait(31s);
    world.quiesce();
    world.judge.finish();
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S15 J-S16 the right query, the right content, nothing from nowhere") {
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
