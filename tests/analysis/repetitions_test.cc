// J-P12: requests to the registry are repeated for a cause.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr Duration kTimeOut = 2s;
// A fast clock, and a moment of work, shorten it by this at most.
constexpr Duration kUnsure = 1ms + 400us;

struct Asked {
  explicit Asked(JudgeConfig config = priced()) : world(std::move(config)) { prepare(world, 2); }
  static JudgeConfig priced() {
    JudgeConfig config = World::standard();
    config.request_repeat = kTimeOut;
    config.lookup_repeat = 4s;
    config.dispatcher_lookup_timeout = 9s;
    config.request_pause = 50ms;
    return config;
  }
  // An attempt so long after the record before.
  void insert(Duration after = 1ms, std::uint64_t request = 7, std::uint32_t click = 1) {
    world.wait(after - world.step);
    world.sent(kJoiner, kReplica1,
               RegistryAsk{click_id(click), world.token(kJoiner, click), request,
                           RegistryOperation::insert, ShardId{0}});
  }
  void look_up(Duration after, std::uint64_t request = 7) { look_up_at(kReplica1, after, request); }
  void look_up_at(NodeId replica, Duration after, std::uint64_t request = 7,
                  LookupMode mode = LookupMode::queue_ordered) {
    world.wait(after - world.step);
    world.sent(
        kJoiner, replica,
        RegistryAsk{click_id(1), Token{}, request, RegistryOperation::lookup, ShardId{0}, mode});
  }
  void answer_lookup(NodeId replica, RegistryCode code, std::uint64_t request = 7) {
    world.delivered(replica, kJoiner,
                    RegistryAnswer{click_id(1), Token{}, request, 1, RegistryOperation::lookup,
                                   code, ShardId{0}});
  }
  void answer(RegistryCode code, std::uint32_t click = 1, std::uint64_t request = 7) {
    world.delivered(kReplica1, kJoiner,
                    RegistryAnswer{click_id(click), world.token(kJoiner, click), request, 1,
                                   RegistryOperation::insert, code, ShardId{0}});
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P12") == reported);
  }
  World world;
};

JudgeConfig with_history() {
  JudgeConfig config = Asked::priced();
  config.sharding_group = 1;
  return config;
}

}  // namespace

TEST_CASE("J-P12 silence pays for an attempt after the time-out, which doubles with each round") {
  Asked scene;
  scene.insert();
  SECTION("a moment too early") {
    scene.insert(kTimeOut - kUnsure - 1ns);
    scene.check(1);
  }
  SECTION("at the same moment, in another message") {
    scene.world.message_number = 1;
    scene.insert(0ns);
    scene.check(1);
  }
  SECTION("three at the time-out, three at twice, and so on up to sixteen times") {
    const bool hasty = GENERATE(false, true);
    Duration wait = kTimeOut;
    for (std::uint32_t attempt = 1; attempt <= 20; ++attempt) {
      const bool last_of_round = attempt % 3 == 0 && wait < 16 * kTimeOut;
      scene.insert(wait);
      if (last_of_round && !hasty) wait *= 2;
    }
    scene.check(hasty ? 20 - 3 : 0);
  }
}

TEST_CASE("J-P12 answers that are not definitive pay for two attempts at once, then for a pause") {
  Asked scene;
  scene.insert();
  for (std::uint32_t i = 0; i < 2; ++i) {
    scene.answer(RegistryCode::not_master);
    scene.insert();
  }
  scene.answer(RegistryCode::not_master);
  SECTION("a third at once") {
    scene.insert();
    scene.check(1);
  }
  SECTION("a pause, and two more") {
    scene.insert(50ms);
    for (std::uint32_t i = 0; i < 2; ++i) {
      scene.answer(RegistryCode::unavailable);
      scene.insert();
    }
    scene.check(0);
    scene.answer(RegistryCode::unavailable);
    scene.insert();
    scene.check(1);
  }
  SECTION("one answer pays for one attempt") {
    scene.insert(50ms);
    scene.insert();
    scene.check(1);
  }
}

TEST_CASE("J-P12 what was answered is not sent again") {
  Asked scene;
  scene.world.step = 0ns;
  scene.insert(0ns, 7, 1);
  scene.insert(0ns, 7, 2);
  scene.world.step = 1ms;
  SECTION("a part of a request") {
    scene.answer(RegistryCode::inserted, 1);
    const std::uint32_t again = GENERATE(1U, 2U);
    scene.insert(kTimeOut, 7, again);
    scene.check(again == 1 ? 1 : 0);
  }
  SECTION("all of it") {
    scene.answer(RegistryCode::inserted, 1);
    scene.answer(RegistryCode::too_old, 2);
    scene.insert(1h, 7, 2);
    scene.check(1);
  }
  SECTION("an answer to another request, or to a look-up, settles nothing") {
    scene.answer(RegistryCode::inserted, 1, 6);
    scene.world.delivered(kReplica1, kJoiner,
                          RegistryAnswer{click_id(1), Token{}, 7, 1, RegistryOperation::lookup,
                                         RegistryCode::exists, ShardId{0}});
    scene.insert(kTimeOut, 7, 1);
    scene.check(0);
  }
}

TEST_CASE("J-P12 reads have a time-out of their own, and a deadline") {
  Asked scene;
  scene.look_up(1ms);
  SECTION("the shorter of the two") {
    scene.look_up(kTimeOut - kUnsure - 1ns);
    scene.check(1);
  }
  SECTION("within the deadline") {
    for (const Duration wait : {kTimeOut, kTimeOut, kTimeOut}) scene.look_up(wait);
    scene.check(0);
    scene.look_up(kTimeOut);  // behind three silences it is twice as long
    scene.check(1);
  }
  SECTION("behind it") {
    scene.look_up(10s);
    scene.check(1);
  }
}

TEST_CASE("J-P12 an insert moves to another request after a wrong shard, or after silence") {
  Asked scene(GENERATE(true, false) ? with_history() : Asked::priced());
  const bool moves = scene.world.judge.config().sharding_group == 1;
  CAPTURE(moves);
  scene.insert();
  SECTION("for nothing") {
    scene.insert(1s, 8);
    scene.check(1);
  }
  SECTION("a server refused it as the wrong shard") {
    scene.answer(RegistryCode::wrong_shard);
    scene.insert(1ms, 8);
    scene.check(moves ? 0 : 1);
  }
  SECTION("silence, which is also why the client leaves the replica of the first shard") {
    scene.world.wait(kTimeOut - scene.world.step);
    scene.world.sent(kJoiner, kReplica3,
                     RegistryAsk{click_id(1), scene.world.token(kJoiner, 1), 8,
                                 RegistryOperation::insert, ShardId{1}});
    if (moves) scene.look_up_at(kReplica2, 1ms, 9);
    scene.check(moves ? 0 : 1);
  }
  SECTION("silence") {
    scene.insert(kTimeOut, 8);
    scene.check(moves ? 0 : 1);
    scene.insert(kTimeOut, 7);  // the first request is over
    scene.check(moves ? 1 : 2);
  }
  SECTION("another life") {
    scene.world.crash(kJoiner);
    scene.world.restart(kJoiner);
    scene.insert(1ms, 8);
    scene.check(0);
  }
}

TEST_CASE("J-P12 a client keeps to a replica until that one gives it a cause") {
  Asked scene;
  scene.look_up_at(kReplica1, 1ms, 7);
  SECTION("for nothing") {
    scene.look_up_at(kReplica2, 1ms, 8);
    scene.check(1);
    scene.look_up_at(kReplica2, 1ms, 9);
    scene.check(1);
  }
  SECTION("it refuses; and another one refuses what it was asked before") {
    scene.answer_lookup(kReplica1, RegistryCode::not_master);
    scene.look_up_at(kReplica2, 1ms, 7);
    scene.check(0);
    scene.answer_lookup(kReplica1, RegistryCode::not_master);  // once more, late
    scene.look_up_at(kReplica3, 1ms, 8);
    scene.check(1);
  }
  SECTION("unavailable is no refusal") {
    scene.answer_lookup(kReplica1, RegistryCode::unavailable);
    scene.look_up_at(kReplica2, 50ms, 7);
    scene.check(1);
  }
  SECTION("another one serves") {
    scene.look_up_at(kReplica2, kTimeOut, 7);
    scene.answer_lookup(kReplica1, RegistryCode::not_found, 7);
    scene.look_up_at(kReplica1, 1ms, 8);
    scene.check(0);
  }
  SECTION("it is silent; what was sent to it before counts no more") {
    scene.look_up_at(kReplica1, 1s, 8);
    scene.look_up_at(kReplica2, 1s, 7);
    scene.check(0);
    scene.look_up_at(kReplica2, 1s, 8);  // it was sent to the first one
    scene.check(0);
    scene.look_up_at(kReplica3, 500ms, 9);
    scene.check(1);
  }
  SECTION("its answer comes after the deadline: the read was given up before") {
    scene.world.wait(10s);
    scene.answer_lookup(kReplica1, RegistryCode::not_found, 7);
    scene.look_up_at(kReplica2, 1ms, 8);
    scene.check(0);
  }
  SECTION("each shard has its own") {
    scene.world.sent(kJoiner, kReplica2,
                     RegistryAsk{click_id(2), Token{}, 8, RegistryOperation::lookup, ShardId{1}});
    scene.check(0);
  }
  SECTION("any replica may answer") {
    scene.look_up_at(kReplica2, 1ms, 8, LookupMode::replica);
    scene.look_up_at(kReplica3, 1ms, 9, LookupMode::replica);
    scene.look_up_at(kReplica1, 1ms, 10);
    scene.check(0);
  }
  SECTION("another life has forgotten it") {
    scene.world.crash(kJoiner);
    scene.world.restart(kJoiner);
    scene.look_up_at(kReplica2, 1ms, 8);
    scene.check(0);
  }
}

TEST_CASE("J-P12 joiners without tokens and joiners from outside are exempt") {
  JudgeConfig config = Asked::priced();
  if (GENERATE(true, false)) {
    config.tokens = false;
  } else {
    config.request_repeat = 0s;
  }
  Asked scene(config);
  scene.insert();
  scene.insert(1ms);
  scene.check(0);
}

}  // namespace photon::analysis::testing
