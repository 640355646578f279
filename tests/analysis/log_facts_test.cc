// J-S19, and the losses that logs and output storage cause: L-input, L-storage.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr NodeId kLogStore{30};

void ask_query(World& world, std::uint32_t click, std::uint64_t request,
               QueryTier tier = QueryTier::logs) {
  world.message(kJoiner, kLogStore, QueryAsk{query_id(click), request, tier});
}
void answer_query(World& world, std::uint32_t click, std::uint64_t request, QueryStatus status,
                  EventId returned = {}, QueryTier tier = QueryTier::logs) {
  world.message(kLogStore, kJoiner, QueryAnswer{query_id(click), returned, request, status, tier});
}

// The query of click `n` is the n-th record of its file.
void ship_queries(World& world, std::uint64_t count) {
  world.ship(kDispatcher, kQueryFile, count * kRecordBytes);
}

void damage(World& world, NodeId place, bool is_click, std::uint32_t n) {
  world.environment(place,
                    InputDamaged{is_click ? click_id(n) : query_id(n), (n - 1) * kRecordBytes,
                                 n * kRecordBytes, is_click ? kClickFile : kQueryFile, 0,
                                 static_cast<std::uint16_t>(is_click ? 1 : 0)});
}

// With verification, which needs up to five minutes.
JudgeConfig verified() {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  return config;
}

// Click 2, registered in slot 1 and written: what the storage may lose.
Token join_second(World& world) {
  const Token token = world.token(kJoiner, 2);
  world.ask_insert(kJoiner, 2, token);
  world.transaction(1, {{2, token}});
  world.answer_insert(kReplica1, kJoiner, 2, token, 1);
  world.stored(kJoiner, world.output(2, token));
  return token;
}

}  // namespace

TEST_CASE("J-S19 a query that could be read when it was asked for is not `not found`") {
  World world;
  world.boot();
  for (std::uint32_t i = 1; i <= 3; ++i) world.generate(i);
  world.ship(kDispatcher, kClickFile, 300);
  world.read(kDispatcher, 2);
  world.ask_join(kDispatcher, kJoiner, 2, 1);
  SECTION("it could") {
    ship_queries(world, 2);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    check_only(world, "J-S19");
  }
  SECTION("it arrived a moment after the request") {
    ask_query(world, 2, 77);
    ship_queries(world, 2);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
  SECTION("only a part of it could be read") {
    world.ship(kDispatcher, kQueryFile, 2 * kRecordBytes - 1);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
  SECTION("only the other datacenter has it") {
    world.ship(kFarDispatcher, kQueryFile, 300);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
  SECTION("an error is not false, and a miss of the cache claims nothing") {
    ship_queries(world, 2);
    ask_query(world, 2, 76, QueryTier::cache);
    answer_query(world, 2, 76, QueryStatus::not_found, {}, QueryTier::cache);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::error);
    CHECK(world.total() == 0);
  }
  SECTION("its record cannot be read there") {
    ship_queries(world, 2);
    damage(world, kDispatcher, false, 2);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S19 records removed by a truncation may be missed until they are back") {
  World world;
  world.boot();
  for (std::uint32_t i = 1; i <= 3; ++i) world.generate(i);
  world.ship(kDispatcher, kClickFile, 300);
  world.read(kDispatcher, 2);
  world.ask_join(kDispatcher, kJoiner, 2, 1);
  SECTION("removed when it was requested") {
    ship_queries(world, 3);
    ship_queries(world, 1);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
  SECTION("removed and restored between request and answer") {
    ship_queries(world, 3);
    ask_query(world, 2, 77);
    ship_queries(world, 1);
    ship_queries(world, 2);
    answer_query(world, 2, 77, QueryStatus::not_found);
    CHECK(world.total() == 0);
  }
  SECTION("restored before the request") {
    ship_queries(world, 3);
    ship_queries(world, 1);
    ship_queries(world, 2);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    check_only(world, "J-S19");
  }
  SECTION("another record was removed") {
    ship_queries(world, 3);
    ship_queries(world, 2);
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::not_found);
    check_only(world, "J-S19");
  }
}

TEST_CASE("J-S19 a joiner does not deny a query that was readable when the join was requested") {
  World world;
  world.boot();
  for (std::uint32_t i = 1; i <= 3; ++i) world.generate(i);
  world.ship(kDispatcher, kClickFile, 300);
  world.read(kDispatcher, 2);
  const auto ask = [&] { world.ask_join(kDispatcher, kJoiner, 2, 1); };
  const auto deny = [&] {
    world.answer_join(kJoiner, kDispatcher, 2, 1, JoinOutcome::query_not_found);
  };
  SECTION("it asked the cache alone, or nothing (M-34, M-35)") {
    ship_queries(world, 2);
    ask();
    ask_query(world, 2, 76, QueryTier::cache);
    answer_query(world, 2, 76, QueryStatus::not_found, {}, QueryTier::cache);
    deny();
    check_only(world, "J-S19");
  }
  SECTION("it arrived after the request") {
    ask();
    ship_queries(world, 2);
    deny();
    CHECK(world.total() == 0);
  }
  SECTION("it was found") {
    ship_queries(world, 2);
    const bool grouped = GENERATE(true, false);  // that of another click of the group was not
    world.step = 0ms;                            // simultaneous clicks arrived in one message
    ask();
    if (grouped) world.ask_join(kDispatcher, kJoiner, 3, 2);
    world.step = 1ms;
    ask_query(world, 2, 77);
    answer_query(world, 2, 77, QueryStatus::found, query_id(2));
    deny();
    CHECK(world.count("J-S19") == (grouped ? 0 : 1));
  }
  SECTION("its record cannot be read there") {
    ship_queries(world, 2);
    damage(world, kDispatcher, false, 2);
    ask();
    deny();
    CHECK(world.total() == 0);
  }
}

TEST_CASE("J-S19 the query found is the one requested, by either tier") {
  World world;
  prepare(world, 2);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  const QueryTier tier = GENERATE(QueryTier::cache, QueryTier::logs);
  ask_query(world, 1, 77, tier);
  SECTION("it is") {
    answer_query(world, 1, 77, QueryStatus::found, query_id(1), tier);
    CHECK(world.total() == 0);
  }
  SECTION("it is another one") {
    answer_query(world, 1, 77, QueryStatus::found, query_id(2), tier);
    check_only(world, "J-S19", 2);  // sent and delivered
  }
}

TEST_CASE(
    "J.2 A-24 given up while its query was truncated: unjoinable; truncated later: not exempt") {
  const bool cut_before = GENERATE(true, false);
  const auto ship = [](World& world, std::uint64_t length) {
    world.wait(5s);
    world.ship(kDispatcher, kQueryFile, length);
  };
  World world;
  world.boot();
  world.generate(1);
  world.ship(kDispatcher, kClickFile, 100);
  ship(world, 100);
  if (cut_before) ship(world, 50);
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (i == 2) world.wait(11s);
    world.ask_join(kDispatcher, kJoiner, 1, i + 1, i);
    world.miss(kJoiner, 1);
    const JoinOutcome outcome = i < 2 ? JoinOutcome::query_not_found : JoinOutcome::unjoinable;
    world.answer_join(kJoiner, kDispatcher, 1, i + 1, outcome);
  }
  if (!cut_before) ship(world, 50);
  ship(world, 80);
  ship(world, 100);
  judge_at_end(world);
  constexpr auto unjoinable = static_cast<std::size_t>(NeverJoinable::unjoinable);
  CHECK(world.judge.accounting().never_joinable[unjoinable] == (cut_before ? 1 : 0));
  CHECK((world.total() == 0) == cut_before);
}

TEST_CASE("J.2 A-26 L-input: no copy of the click, or of its query, can be read") {
  World world;
  prepare(world, 4);
  world.join(4, 1);
  world.learn(4, 1);
  std::uint64_t expected = 0;
  SECTION("the click in both copies") {
    damage(world, kDispatcher, true, 1);
    damage(world, kFarDispatcher, true, 1);
    expected = 1;
  }
  SECTION("its query in both") {
    damage(world, kDispatcher, false, 1);
    damage(world, kFarDispatcher, false, 1);
    expected = 1;
  }
  SECTION("the click here, the query there") {
    damage(world, kDispatcher, true, 1);
    damage(world, kFarDispatcher, false, 1);
    expected = 1;
  }
  SECTION("the other copy is sound") { damage(world, kDispatcher, true, 1); }
  SECTION("nothing is damaged") {}
  judge_at_end(world);
  CHECK(lost(world, LossClass::input) == expected);
  CHECK(world.judge.accounting().lost_total() == expected);
  // Clicks 2 and 3, and click 1 where it could be joined, were not processed at all.
  CHECK(world.judge.accounting().pending == 3 - expected);
  CHECK(world.count("J-P0") == 3 - expected);
  CHECK(world.total() == 3 - expected);
}

TEST_CASE(
    "J.2 A-26 D-06 a click whose query is lost: whether an adapter skips it is indeterminate") {
  World world;
  world.boot();
  world.environment(kNoNode, ClickGenerated{click_id(1), query_id(1), 100, 100, joined_hash(1),
                                            kClickFile, kQueryFile, 1});
  world.ship_all(1);
  damage(world, kDispatcher, false, 1);
  const bool everywhere = GENERATE(true, false);
  if (everywhere) damage(world, kFarDispatcher, false, 1);
  judge_at_end(world);
  const auto lost_input = static_cast<std::size_t>(NeverJoinable::input_lost);
  CHECK(world.judge.accounting().never_joinable[lost_input] == (everywhere ? 1 : 0));
  CHECK(world.count("J-P0") == (everywhere ? 0 : 1));
}

TEST_CASE("J-S14 A-26 an offset may pass a click whose record cannot be read in this copy") {
  World world;
  prepare(world, 2);
  SECTION("this copy") {
    damage(world, kDispatcher, true, 1);
    world.emit(Source::durable, kDispatcher, OffsetSaved{100, kClickFile});
    CHECK(world.total() == 0);
  }
  SECTION("the other copy") {
    damage(world, kFarDispatcher, true, 1);
    world.emit(Source::durable, kDispatcher, OffsetSaved{100, kClickFile});
    check_only(world, "J-S14");
  }
}

TEST_CASE("J.2 A-26 L-storage: durable, then lost by the cell; joined once more it is not lost") {
  World world;
  prepare(world, 2);
  world.join(1, 1);
  world.learn(1, 1);
  world.join(2, 2);
  world.learn(2, 2);
  const Token token = world.token(kJoiner, 1);
  std::uint64_t expected = 0;
  std::uint64_t violations = 0;
  SECTION("lost") {
    world.environment(kJoiner, OutputLost{click_id(1), token});
    expected = 1;
  }
  SECTION("of another attempt than the one that joined") {
    world.environment(kJoiner, OutputLost{click_id(1), Token{9, 9, 9}});
  }
  SECTION("another datacenter holds a copy") {
    world.emit(Source::durable, kFarJoiner, world.output(1, token));
    world.environment(kJoiner, OutputLost{click_id(1), token});
  }
  SECTION("present again: not lost, and for readers a second record (J-S1)") {
    world.environment(kJoiner, OutputLost{click_id(1), token});
    world.stored(kJoiner, world.output(1, token));
    violations = 1;
  }
  judge_at_end(world);
  CHECK(lost(world, LossClass::storage) == expected);
  CHECK(world.judge.accounting().lost_total() == expected);
  CHECK(world.judge.accounting().joined == 2 - expected);
  CHECK(world.count("J-S1") == violations);
  CHECK(world.total() == violations);
}

TEST_CASE("J-P4 F-14 a verifier's \"indeterminate\" is compared with what storage has lost") {
  World world(verified());
  prepare(world, 2);
  const Token other = join_second(world);
  const Token token = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, token);
  world.transaction(2, {{1, token}});
  world.crash(kJoiner);
  const auto lose = [&](const Token& of) {
    world.environment(kJoiner, OutputLost{click_id(2), of});
  };
  std::uint64_t believed = 0;
  SECTION("that life's file has lost a record") {
    lose(other);
    believed = 1;
  }
  SECTION("another life's file has") { lose(Token{other.address, other.incarnation + 1, 1}); }
  SECTION("none has") {}
  SECTION("one has, whose token had been cleared long before") {
    world.message(kDispatcher, kReplica1,
                  RegistryAsk{click_id(2), other, 9, RegistryOperation::clear, ShardId{0}});
    world.transaction(3, {{2, other, RegistryCode::cleared, 1, RegistryOperation::clear}});
    world.restart(kJoiner);
    world.wait(6min);
    lose(other);
  }
  world.decide(kFarDispatcher, ClickVerified{click_id(1), Verified::indeterminate, 0});
  if (believed == 0) lose(other);  // too late
  world.wait(30min);
  world.quiesce();
  world.judge.finish();
  CHECK(lost(world, LossClass::indeterminate) == believed);
  CHECK(lost(world, LossClass::crash) == 1 - believed);
  CHECK(world.count("J-P4") == 1 - believed);
}

TEST_CASE("J.2 an owner that was refused and lives: recovery has time, or the click is too old") {
  World world(verified());  // N: one hour
  prepare(world, 2);
  join_second(world);
  const Token first = world.token(kFarJoiner, 1);
  world.ask_insert(kFarJoiner, 1, first);
  const Token late = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, late);
  world.transaction(2, {{1, first}, {1, late, RegistryCode::already_exists, 0}});
  world.crash(kFarJoiner);
  world.restart(kFarJoiner);
  world.answer_insert(kReplica1, kJoiner, 1, late, 2, RegistryCode::already_exists);
  for (const NodeId dispatcher : {kDispatcher, kFarDispatcher}) {
    world.ask_lookup(dispatcher, kReplica1, 1, 1);
    world.answer_lookup(kReplica1, dispatcher, 1, 2, RegistryCode::exists);
  }
  const bool in_time = GENERATE(true, false);
  world.wait(in_time ? 30min : 57min);
  world.transaction(3, {{1, first, RegistryCode::removed, 1, RegistryOperation::remove}});
  const bool registered = GENERATE(true, false);
  if (registered) world.transaction(4, {{1, late}});
  world.wait(1h);
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(lost(world, LossClass::crossed_n) == (in_time ? 0 : 1));
  CHECK(world.count("J.2") == (in_time && registered ? 1 : 0));
  CHECK(world.count("J-P0") == (in_time && !registered ? 1 : 0));
}

TEST_CASE("J.2 F-14 an owner that was refused and lives is indeterminate by the same evidence") {
  World world(verified());
  prepare(world, 2);
  const Token other = join_second(world);
  // The first owner of click 1 dies, the second is refused, and gets the id when it is free again.
  const Token first = world.token(kFarJoiner, 1);
  world.ask_insert(kFarJoiner, 1, first);
  world.transaction(2, {{1, first}});
  world.crash(kFarJoiner);
  const Token late = world.token(kJoiner, 1);
  world.ask_insert(kJoiner, 1, late);
  const auto answer = [&](RegistryCode code) {
    world.answer_insert(kReplica1, kJoiner, 1, late, 2, code);
  };
  const auto lose = [&] { world.environment(kJoiner, OutputLost{click_id(2), other}); };
  auto expected = LossClass::unclassified;
  SECTION("and its file has lost a record") {
    answer(RegistryCode::already_exists);
    lose();
    expected = LossClass::indeterminate;
  }
  SECTION("but its file is whole") { answer(RegistryCode::already_exists); }
  SECTION("but it received the OK for the id, and does not write") {
    answer(RegistryCode::inserted);
    lose();
  }
  world.transaction(3, {{1, first, RegistryCode::removed, 1, RegistryOperation::remove}});
  world.transaction(4, {{1, late}});
  world.decide(kFarDispatcher, ClickVerified{click_id(1), Verified::indeterminate, 0});
  world.wait(30min);
  world.quiesce();
  world.judge.finish();
  INFO(world.findings());
  CHECK(lost(world, expected) == 1);
  CHECK(world.count("J.2") == (expected == LossClass::unclassified ? 1 : 0));
}

}  // namespace photon::analysis::testing
