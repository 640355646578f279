// Clearing and the recovery delete as the oracles read them: healthy ones, and variations.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr auto kClear = RegistryOperation::clear;
constexpr auto kRemove = RegistryOperation::remove;
constexpr auto kReadToken = RegistryOperation::read_token;

// Joiner 11 has registered click 1 in slot 1 and has its OK.
struct Scene {
  Scene() {
    world.boot();
    for (std::uint32_t click = 1; click <= 2; ++click) world.generate(click);
    world.ship_all(2);
    world.ask_insert(kJoiner, 1, dead);
    world.transaction(1, {{1, dead}});
    world.answer_insert(kReplica1, kJoiner, 1, dead, 1);
  }
  void die() {
    world.crash(kJoiner);
    world.fence(kJoiner);
  }
  Insert clear(const Token& token, RegistryCode code, std::uint32_t fresh) {
    ask(kClear, token);
    return {1, token, code, fresh, kClear};
  }
  Insert remove(const Token& token, RegistryCode code) {
    ask(kRemove, token);
    return {1, token, code, code == RegistryCode::removed ? 1U : 0U, kRemove};
  }
  void ask(RegistryOperation operation, const Token& token) {
    world.message(kDispatcher, kReplica1,
                  RegistryAsk{click_id(1), token, ++last_request, operation, ShardId{0}});
  }
  // Asked now, answered by the master of slot `slot`.
  void read(RegistryOperation operation, RegistryCode code, std::uint64_t slot, Token token = {}) {
    world.message(kFarDispatcher, kReplica1,
                  RegistryAsk{click_id(1), Token{}, 7, operation, ShardId{0}});
    world.message(kReplica1, kFarDispatcher,
                  RegistryAnswer{click_id(1), token, 7, slot, operation, code, ShardId{0}});
  }
  void check_only(std::string_view oracle) const {
    INFO(world.findings());
    CHECK(world.count(oracle) == 1);
    // J-S4 sees the same where a client can see it, J-S9 where an id is lost.
    CHECK(world.total() == 1 + world.count("J-S4") + world.count("J-S9"));
  }
  void check_silent() const {
    INFO(world.findings());
    CHECK(world.total() == 0);
  }

  World world;
  std::uint64_t last_request = 100;
  Token dead = world.token(kJoiner, 1);
  Token next = world.token(kFarJoiner, 1);
};

}  // namespace

TEST_CASE("J-S3 J-S11 a recovered click may be registered, looked up and written again") {
  Scene scene;
  World& world = scene.world;
  scene.die();
  world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
  scene.read(RegistryOperation::lookup, RegistryCode::not_found, 2);
  world.ask_insert(kFarJoiner, 1, scene.next);
  world.transaction(3, {{1, scene.next},
                        scene.remove(scene.dead, RegistryCode::no_match),
                        {1, scene.dead, RegistryCode::already_exists, 0}});
  world.answer_insert(kReplica1, kFarJoiner, 1, scene.next, 3);
  scene.read(kReadToken, RegistryCode::exists, 3, scene.next);
  world.stored(kFarJoiner, world.output(1, scene.next));
  world.transaction(4, {scene.clear(scene.next, RegistryCode::cleared, 1),
                        scene.clear(scene.next, RegistryCode::cleared, 0),
                        {1, scene.next, RegistryCode::already_exists, 0}});
  scene.read(kReadToken, RegistryCode::cleared, 4);
  scene.read(RegistryOperation::lookup, RegistryCode::exists, 4);
  scene.check_silent();
}

TEST_CASE("J-S11 a recovery delete removes the id only from a dead owner without output") {
  Scene scene;
  World& world = scene.world;
  SECTION("the owner lives (M-37)") {
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("its output is durable") {
    world.stored(kJoiner, world.output(1, scene.dead));
    scene.die();
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("another joiner's (M-38)") {
    scene.die();
    world.ask_insert(kFarJoiner, 1, scene.next);
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed), {1, scene.next}});
    world.transaction(3, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("an append of its may still be in flight (F-06)") {
    world.crash(kJoiner);
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("its output files are fenced only for earlier lives (F-06)") {
    world.crash(kJoiner);
    world.emit(Source::durable, kRegistrar, OutputFenced{kJoiner, scene.dead.incarnation});
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("another cell's directory of that name is fenced, where it writes nothing (F-06)") {
    world.crash(kJoiner);
    world.emit(Source::durable, kFarRegistrar, OutputFenced{kJoiner, scene.dead.incarnation + 1});
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("twice (M-06)") {
    scene.die();
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    world.transaction(3, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("a cleared one (B-45)") {
    world.stored(kJoiner, world.output(1, scene.dead));
    world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 1)});
    scene.die();
    world.transaction(3, {scene.remove(scene.dead, RegistryCode::removed)});
    INFO(world.findings());
    CHECK(world.count("J-S11") == 2);  // cleared, and in the output
  }
}

TEST_CASE("J-S11 a late insert of an attempt that was refused is removed from a living owner") {
  Scene scene;
  World& world = scene.world;
  // The far joiner's first copy is delayed; a repetition finds the id owned by joiner 11.
  world.ask_insert(kFarJoiner, 1, scene.next);
  world.transaction(2, {{1, scene.next, RegistryCode::already_exists, 0}});
  const bool answered = GENERATE(true, false);
  if (answered) {
    world.answer_insert(kReplica1, kFarJoiner, 1, scene.next, 2, RegistryCode::already_exists);
  }
  scene.die();
  world.transaction(3, {scene.remove(scene.dead, RegistryCode::removed)});
  world.transaction(4, {{1, scene.next}});  // the delayed copy
  SECTION("with its answer, or without") {
    world.transaction(5, {scene.remove(scene.next, RegistryCode::removed)});
    if (answered) {
      scene.check_silent();
    } else {
      scene.check_only("J-S11");  // it may still receive the OK, and write
    }
  }
  if (!answered) return;
  SECTION("but not while it writes nevertheless") {
    world.emit(Source::issued, kFarJoiner, world.output(1, scene.next));
    world.transaction(5, {scene.remove(scene.next, RegistryCode::removed)});
    CHECK(world.count("J-S11") == 1);
  }
}

TEST_CASE("J-S2 output of an owner that has lost the id meanwhile is found") {
  Scene scene;
  World& world = scene.world;
  world.emit(Source::issued, kJoiner, world.output(1, scene.dead));
  scene.die();
  world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
  scene.check_silent();
  world.emit(Source::durable, kJoiner, world.output(1, scene.dead));
  CHECK(world.count("J-S2") == 1);
}

TEST_CASE("J-S3 results of clear and remove must hold for the id") {
  Scene scene;
  World& world = scene.world;
  SECTION("no match, but it matches") {
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::no_match)});
    scene.check_only("J-S3");
  }
  SECTION("not found, but it is present") {
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::not_found)});
    scene.check_only("J-S3");
  }
  SECTION("no match with an id that is absent") {
    world.transaction(2, {{2, scene.dead, RegistryCode::no_match, 0, kRemove}});
    scene.check_only("J-S3");
  }
  SECTION("already_cleared, but it is not cleared") {
    world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 0)});
    scene.check_only("J-S3");
  }
  SECTION("cleared, but another token was stored") {
    world.stored(kJoiner, world.output(1, scene.dead));
    world.transaction(2, {scene.clear(scene.next, RegistryCode::cleared, 1)});
    scene.check_only("J-S3");
  }
  SECTION("a cleared value taken for the retry's (B-45)") {
    world.stored(kJoiner, world.output(1, scene.dead));
    world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 1)});
    world.transaction(3, {{1, scene.dead, RegistryCode::inserted, 0}});
    scene.check_only("J-S3");
  }
  SECTION("the key was removed with the token: it is free for the next insert (M-39)") {
    world.stored(kJoiner, world.output(1, scene.dead));
    world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 1)});
    world.ask_insert(kFarJoiner, 1, scene.next);
    world.transaction(3, {{1, scene.next}});
    scene.check_only("J-S3");
  }
}

TEST_CASE("J-S10 a token is cleared only when the output is durable (F-13)") {
  Scene scene;
  scene.world.emit(Source::issued, kJoiner, scene.world.output(1, scene.dead));
  scene.world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 1)});
  scene.check_only("J-S10");
}

TEST_CASE("J-S11 J-S10 F-14 output that was durable and is lost still counts as output") {
  Scene scene;
  World& world = scene.world;
  world.stored(kJoiner, world.output(1, scene.dead));
  scene.die();
  world.environment(kJoiner, OutputLost{click_id(1), scene.dead});
  SECTION("a verifier that removes the id cannot have proven that the output was absent") {
    world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed)});
    scene.check_only("J-S11");
  }
  SECTION("an auditor that has read it may clear its token") {
    world.transaction(2, {scene.clear(scene.dead, RegistryCode::cleared, 1)});
    scene.check_silent();
  }
}

TEST_CASE("J-S13 answers to clear, remove and read_token, and look-ups around a removal") {
  Scene scene;
  World& world = scene.world;
  scene.die();
  const auto answer = [&](RegistryOperation operation, RegistryCode code, std::uint64_t slot) {
    world.message(kReplica1, kFarDispatcher,
                  RegistryAnswer{click_id(1), scene.dead, 9, slot, operation, code, ShardId{0}});
  };
  SECTION("before it is applied") {
    answer(kRemove, RegistryCode::removed, 2);
    scene.check_only("J-S13");
  }
  world.transaction(2, {scene.remove(scene.dead, RegistryCode::removed),
                        scene.remove(scene.dead, RegistryCode::not_found)});
  SECTION("both of two in one slot may be answered as they were applied") {
    answer(kRemove, RegistryCode::removed, 2);
    answer(kRemove, RegistryCode::not_found, 2);
    scene.check_silent();
  }
  SECTION("another outcome, or another operation") {
    answer(kRemove, RegistryCode::no_match, 2);
    answer(kClear, RegistryCode::not_found, 2);
    INFO(world.findings());
    CHECK(world.count("J-S13") == 2);
    CHECK(world.total() == 2);
  }
  SECTION("a look-up requested after the removal may not find it") {
    scene.read(RegistryOperation::lookup, RegistryCode::exists, 2);
    scene.check_only("J-S13");
  }
  SECTION("a removed token is not read any more") {
    scene.read(kReadToken, RegistryCode::exists, 2, scene.dead);
    scene.check_only("J-S13");
  }
  world.ask_insert(kFarJoiner, 1, scene.next);
  world.transaction(3, {{1, scene.next}});
  SECTION("another token than the stored one") {
    scene.read(kReadToken, RegistryCode::exists, 3, scene.dead);
    scene.check_only("J-S13");
  }
  SECTION("cleared, but it is not") {
    scene.read(kReadToken, RegistryCode::cleared, 3);
    scene.check_only("J-S13");
  }
  SECTION("not found, but registered again") {
    scene.read(RegistryOperation::lookup, RegistryCode::not_found, 3);
    scene.check_only("J-S13");
  }
}

TEST_CASE("F-14 F-16 a click that several verifiers give up counts once") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  World world(config);
  prepare(world, 2);
  for (const NodeId verifier : {kDispatcher, kFarDispatcher, kDispatcher}) {
    world.decide(verifier, ClickVerified{click_id(1), Verified::output_lost, 0});
  }
  world.decide(kFarDispatcher, ClickVerified{click_id(2), Verified::output_lost, 0});
  world.decide(kFarDispatcher, ClickVerified{click_id(2), Verified::too_old, 0});
  CHECK(world.judge.recovery().verdicts(Verified::output_lost) == 2);
  CHECK(world.judge.recovery().verdicts(Verified::too_old) == 1);
}

TEST_CASE("J-S11 F-14 F-16 what verification reports of a click must hold") {
  World world;
  prepare(world, 2);
  const auto says = [&](std::uint32_t click, Verified verdict) {
    world.decide(kFarDispatcher, ClickVerified{click_id(click), verdict, 0});
    return world.count("J-S11");
  };
  SECTION("of one that was never joined") {
    CHECK(says(1, Verified::present) == 1);
    CHECK(says(1, Verified::output_lost) == 2);
    CHECK(says(1, Verified::too_old) == 3);
    CHECK(says(2, Verified::unregistered) == 3);
  }
  SECTION("of one that was joined") {
    world.join(1, 1);
    CHECK(says(1, Verified::present) == 0);
    CHECK(says(1, Verified::output_lost) == 1);
    world.environment(
        kJoiner, OutputLost{click_id(1), world.judge.evidence().registry().registration(0).owner});
    CHECK(says(1, Verified::output_lost) == 1);
    CHECK(says(1, Verified::present) == 1);  // it may have been present when it was requested
  }
  SECTION("of one that is N old") {
    world.wait(World::standard().gc_age);
    CHECK(says(1, Verified::too_old) == 0);
  }
}

TEST_CASE("F-16 discarded means: reported unregistered, and not joined since") {
  JudgeConfig config = World::standard();
  config.recovery_bound = 5min;
  World world(config);
  prepare(world, 2);
  for (const std::uint32_t click : {1U, 2U, 1U}) {
    world.decide(kFarDispatcher, ClickVerified{click_id(click), Verified::unregistered, 1});
  }
  CHECK(world.judge.recovery().discarded() == 2);
  world.join(1, 1);
  world.output(1, world.judge.evidence().registry().registration(0).owner);
  CHECK(world.judge.recovery().discarded() == 1);
  world.decide(kFarDispatcher, ClickVerified{click_id(1), Verified::unregistered, 1});
  CHECK(world.judge.recovery().discarded() == 1);  // too late to know
}

}  // namespace photon::analysis::testing
