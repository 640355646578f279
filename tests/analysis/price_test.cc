// J-P9: a dispatcher's extra look-ups and joins have a cause.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig priced_config() {
  JudgeConfig config = World::standard();
  config.priced = true;
  config.dispatcher_lookup_timeout = 4s;
  config.lookup_repeat = 2s;
  config.dispatcher_send_timeout = 10s;
  config.retry_not_before = {1s, 3s};
  return config;
}

struct Priced {
  explicit Priced(JudgeConfig config = priced_config()) : world(std::move(config)) {
    prepare(world, 2);
  }
  void look_up(std::uint64_t request, Duration after = 0s) {
    world.wait(after);
    world.sent(kDispatcher, kReplica1,
               RegistryAsk{click_id(1), Token{}, request, RegistryOperation::lookup, ShardId{0}});
  }
  void answer(std::uint64_t request, RegistryCode code = RegistryCode::not_found) {
    world.delivered(kReplica1, kDispatcher,
                    RegistryAnswer{click_id(1), Token{}, request, 0, RegistryOperation::lookup,
                                   code, ShardId{0}});
  }
  void join(std::uint64_t request) {
    world.sent(kDispatcher, kJoiner, JoinAsk{click_id(1), query_id(1), request, 0});
  }
  void fail(std::uint64_t request, JoinOutcome outcome = JoinOutcome::query_not_found) {
    world.delivered(kJoiner, kDispatcher, JoinAnswer{click_id(1), request, outcome});
  }
  // One try from look-up to failure.
  void attempt(std::uint64_t number, Duration after = 0s) {
    look_up(number, after);
    answer(number);
    join(number);
    fail(number);
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P9") == reported);
  }

  World world;
};

}  // namespace

TEST_CASE("J-P9 a try follows the failure of the one before, after its pause") {
  Priced scene;
  scene.attempt(1);
  SECTION("pauses that grow with the failures") {
    scene.attempt(2, 1s);
    scene.attempt(3, 3s);
    scene.attempt(4, 3s);
    scene.check(0);
    CHECK(scene.world.judge.obligations("J-P9") == 8);
  }
  SECTION("too early") {
    scene.look_up(2, 900ms);
    scene.check(1);
  }
  SECTION("the pauses begin anew (M-30)") {
    scene.attempt(2, 1s);
    scene.look_up(3, 1s);
    scene.check(1);
  }
  SECTION("without a look-up (M-27)") {
    scene.world.wait(1s);
    scene.join(2);
    scene.check(1);
  }
}

TEST_CASE("J-P9 a join has a look-up of its own, and is alone") {
  Priced scene;
  SECTION("never looked up") {
    scene.join(1);
    scene.check(1);
  }
  SECTION("the look-up is not answered") {
    scene.look_up(1);
    scene.join(1);
    scene.check(1);
  }
  SECTION("two at a time") {
    scene.look_up(1);
    scene.answer(1);
    scene.join(1);
    scene.join(2);
    scene.check(1);
  }
  SECTION("the first answer counts, not that to a repetition of the look-up") {
    scene.look_up(1);
    scene.look_up(1, 2s);
    scene.answer(1);
    scene.answer(
        1, GENERATE(RegistryCode::exists, RegistryCode::not_master, RegistryCode::wrong_shard));
    scene.join(1);
    scene.check(0);
    scene.look_up(2);
    scene.check(1);  // nothing has failed
  }
  SECTION("a time-out is a failure") {
    scene.look_up(1);
    scene.answer(1);
    scene.join(1);
    const bool early = GENERATE(true, false);
    scene.look_up(2, early ? 10s : 11s);  // the time-out, and the pause after it
    scene.check(early ? 1 : 0);
  }
}

TEST_CASE("J-P9 a look-up is repeated after silence, or an answer that decides nothing") {
  Priced scene;
  scene.look_up(1);
  SECTION("silence") {
    scene.look_up(1, 2s);
    scene.check(0);
    scene.look_up(1, 1s);
    scene.check(1);
  }
  SECTION("refused") {
    scene.answer(1, RegistryCode::not_master);
    scene.look_up(1);
    scene.check(0);
    scene.look_up(1);
    scene.check(1);
  }
  SECTION("given up: a failure of its own") {
    scene.look_up(2, 4s);
    scene.check(1);
    scene.look_up(3, 5s);
    scene.check(1);
  }
  SECTION("answered") {
    scene.answer(1);
    scene.look_up(1, 2s);
    scene.check(1);
  }
}

TEST_CASE("J-P9 lives, partitions that are taken over and returns explain a try") {
  Priced scene;
  scene.look_up(1);
  scene.answer(1);
  scene.join(1);
  World& world = scene.world;
  SECTION("another life") {
    world.crash(kDispatcher);
    world.restart(kDispatcher);
    scene.attempt(2);
    scene.check(0);
  }
  SECTION("a partition that it takes over") {
    world.stored(kDispatcher, JournalOwned{7, 1'000'000'000, kDispatcher, 0});
    scene.attempt(2);
    scene.check(0);
    scene.look_up(3);
    scene.check(1);  // a renewal takes nothing over
  }
  SECTION("verification has brought it back: it may be open twice") {
    world.stored(NodeId{40}, ClickReinjected{click_id(1), 2, 100, 77});
    scene.attempt(2);
    scene.check(0);
  }
  SECTION("a success ends it") {
    scene.fail(1, JoinOutcome::joined);
    scene.look_up(2);
    scene.check(0);
  }
}

TEST_CASE("J-P9 a partition that is taken again: the look-up of before is repeated meanwhile") {
  const bool dynamic = GENERATE(false, true);
  JudgeConfig config = priced_config();
  if (dynamic) config.sharding_group = 3;
  Priced scene(config);
  scene.look_up(4);
  const bool renumbered = GENERATE(false, true);
  CAPTURE(dynamic, renumbered);
  if (renumbered) scene.answer(4, RegistryCode::wrong_shard);
  scene.world.stored(kDispatcher, JournalOwned{7, 1'000'000'000, kDispatcher, 0});
  scene.look_up(5);
  scene.look_up(renumbered ? 6 : 4);
  scene.check(0);
  scene.look_up(5);
  scene.check(renumbered ? 0 : 1);  // it has waited for no answer
}

TEST_CASE("J-P9 where shards change a look-up moves after silence: that is no second try") {
  JudgeConfig config = priced_config();
  config.sharding_group = 3;
  Priced scene(config);
  scene.look_up(4);
  scene.look_up(5, 2s);
  scene.answer(5);
  scene.join(5);
  scene.fail(5);
  scene.attempt(6, 1s);  // the pause of the first failure
  scene.check(0);
  scene.look_up(7, 2s);  // that of the second is longer
  scene.check(1);
}

TEST_CASE("J-P9 a partition that is taken again before a look-up is sent: both are sent then") {
  Priced scene;
  const bool twice = GENERATE(false, true);
  CAPTURE(twice);
  scene.world.stored(kDispatcher, JournalOwned{7, 1'000'000'000, kDispatcher, 0});
  scene.world.decide(kDispatcher, ClickRead{click_id(1), kRecordBytes, kClickFile});
  scene.world.stored(kDispatcher, JournalOwned{7, 2'000'000'000, kDispatcher, 0});
  if (twice) scene.world.decide(kDispatcher, ClickRead{click_id(1), kRecordBytes, kClickFile});
  scene.look_up(4);
  scene.look_up(5);
  scene.check(twice ? 0 : 1);
}

}  // namespace photon::analysis::testing
