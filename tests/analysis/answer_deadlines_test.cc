// J-P7, J-S20 and J-P8: what is admitted is answered, a joiner answers last, a return follows a
// removal.
#include "tests/analysis/trace_builder.h"
#include "tests/analysis/world_checks.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

JudgeConfig with_answers() {
  JudgeConfig config = World::standard();
  config.answer_bound = 5s;
  config.replicas = {kReplica1, kReplica2, kReplica3};
  return config;
}

// Request `request` of a joiner is delivered to a server.
void ask_server(World& world, NodeId server, std::uint32_t click, std::uint64_t request) {
  world.delivered(kJoiner, server,
                  RegistryAsk{click_id(click), world.token(kJoiner, click), request,
                              RegistryOperation::insert, ShardId{0}});
}

void answer_request(World& world, NodeId server, std::uint32_t click, std::uint64_t request,
                    RegistryCode code = RegistryCode::not_master) {
  world.sent(
      server, kJoiner,
      RegistryAnswer{click_id(click), world.token(kJoiner, click), request,
                     is_definitive(code) ? 1U : 0U, RegistryOperation::insert, code, ShardId{0}});
}

// What a server says of its own in one moment.
void at_once(World& world, Duration step = 0ms) { world.step = step; }

void check_answers(World& world, std::uint64_t reported) {
  INFO(world.findings());
  CHECK(world.count("J-P7") == reported);
}

}  // namespace

TEST_CASE("J-P7 a master answers a request by the deadlines of its queue") {
  World world(with_answers());
  prepare(world, 3);
  ask_server(world, kReplica1, 1, 1);
  CHECK(world.judge.obligations("J-P7") == 1);
  SECTION("not before a later one is answered (B-20)") {
    ask_server(world, kReplica1, 2, 2);
    answer_request(world, kReplica1, 2, 2, RegistryCode::inserted);
    check_answers(world, 1);
  }
  SECTION("a later one may be refused before") {
    ask_server(world, kReplica1, 2, 2);
    answer_request(world, kReplica1, 2, 2, RegistryCode::overloaded);
    answer_request(world, kReplica1, 1, 1, RegistryCode::inserted);
    check_answers(world, 0);
  }
  SECTION("when the batch that left nothing waiting is applied") {
    world.decide(kReplica1, BatchProposed{1, 1, 0, ShardId{0}});
    ask_server(world, kReplica1, 2, 2);  // after it
    world.decide(kReplica1, SlotApplied{1, 7, 7, ShardId{0}, 1});
    at_once(world);
    const bool answered = GENERATE(true, false);
    if (answered) answer_request(world, kReplica1, 1, 1, RegistryCode::inserted);
    at_once(world, 1ms);
    world.decide(kReplica1, SlotApplied{2, 7, 7, ShardId{0}, 1});
    check_answers(world, answered ? 0 : 1);
  }
  SECTION("a batch that leaves requests waiting says nothing") {
    world.decide(kReplica1, BatchProposed{1, 1, 1, ShardId{0}});
    world.decide(kReplica1, SlotApplied{1, 7, 7, ShardId{0}, 1});
    world.decide(kReplica1, SlotApplied{2, 7, 7, ShardId{0}, 1});
    check_answers(world, 0);
  }
  SECTION("when its mastership ends (B-27)") {
    world.decide(kReplica1, MasterEnded{0x101, ShardId{0}});
    at_once(world);
    const bool answered = GENERATE(true, false);
    if (answered) answer_request(world, kReplica1, 1, 1);
    at_once(world, 1ms);
    ask_server(world, kReplica1, 2, 2);
    check_answers(world, answered ? 0 : 1);
  }
  SECTION("within the bound, although nothing later comes") {
    world.wait(4s);
    ask_server(world, kReplica1, 2, 2);
    check_answers(world, 0);
    world.wait(2s);
    ask_server(world, kReplica1, 3, 3);
    check_answers(world, 1);
  }
  SECTION("its life ends") {
    world.crash(kReplica1);
    world.restart(kReplica1);
    world.wait(1h);
    judge_at_end(world);
    check_answers(world, 0);
  }
}

TEST_CASE("J-P7 a replica that is not the master, and a look-up past the queue, answer at once") {
  World world(with_answers());
  prepare(world, 2);
  ask_server(world, kReplica2, 1, 1);
  SECTION("it does") {
    at_once(world);
    answer_request(world, kReplica2, 1, 1);
    at_once(world, 1ms);
    ask_server(world, kReplica2, 1, 1);  // a copy that comes after the answer is a new request
    at_once(world);
    answer_request(world, kReplica2, 1, 1);
    at_once(world, 1ms);
    judge_at_end(world);
    check_answers(world, 0);
    CHECK(world.judge.obligations("J-P7") == 2);
  }
  SECTION("it is silent") {
    judge_at_end(world);
    check_answers(world, 1);
  }
}

TEST_CASE("J-S20 a joiner answers only when its insert has a definitive answer") {
  World world;
  prepare(world, 2);
  const Token token = world.token(kJoiner, 1);
  world.ask_join(kDispatcher, kJoiner, 1, 1);
  world.ask_insert(kJoiner, 1, token);
  SECTION("before (D-12)") {
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::internal);
    check_only(world, "J-S20");
  }
  SECTION("after an answer that decides nothing") {
    world.answer_insert(kReplica2, kJoiner, 1, token, 0, RegistryCode::not_master);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::stopping);
    check_only(world, "J-S20");
  }
  SECTION("another request for the click is refused meanwhile (D-18)") {
    world.ask_join(kDispatcher, kJoiner, 1, 2);
    world.answer_join(kJoiner, kDispatcher, 1, 2, JoinOutcome::too_many_in_flight);
    CHECK(world.total() == 0);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::too_many_in_flight);
    check_only(world, "J-S20");
  }
  SECTION("two registrations for one request") {
    world.ask_insert(kJoiner, 1, world.token(kJoiner, 2), 2);
    check_only(world, "J-S20");
  }
  SECTION("its life ended, and the next one has a request of its own") {
    world.crash(kJoiner);
    world.restart(kJoiner);
    world.ask_join(kDispatcher, kJoiner, 1, 3);
    world.answer_join(kJoiner, kDispatcher, 1, 3, JoinOutcome::query_not_found);
    CHECK(world.count("J-S20") == 0);
  }
  SECTION("the answer came first") {
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.answer_join(kJoiner, kDispatcher, 1, 1, JoinOutcome::internal);
    CHECK(world.count("J-S20") == 0);
  }
}

namespace {

constexpr NodeId kVerifier{40};

// The verifier has asked for the removal of click 1, and it was applied in slot 2.
struct Removal {
  Removal() : world(config()) {
    prepare(world, 2);
    world.environment(kVerifier, ProcessStarted{0});
    world.ask_insert(kJoiner, 1, token);
    world.transaction(1, {{1, token}});
    world.answer_insert(kReplica1, kJoiner, 1, token, 1);
    world.crash(kJoiner);
    world.fence(kJoiner);
    ask();
    world.transaction(2, {{1, token, RegistryCode::removed, 1, RegistryOperation::remove}});
    world.restart(kJoiner);
  }
  static JudgeConfig config() {
    JudgeConfig config = World::standard();
    config.recovery_bound = 10min;
    config.commit_bound = 20s;
    config.restart_bound = 20s;
    return config;
  }
  void ask() {
    world.sent(kVerifier, kReplica1,
               RegistryAsk{click_id(1), token, 5, RegistryOperation::remove, ShardId{0}});
  }
  void answer(RegistryCode code = RegistryCode::removed) {
    world.message(
        kReplica1, kVerifier,
        RegistryAnswer{click_id(1), token, 5, 2, RegistryOperation::remove, code, ShardId{0}});
  }
  ClickReinjected back(std::uint32_t click) const { return {click_id(click), 2, 100, 77}; }
  void later(Duration wait) {
    world.wait(wait);
    world.message(kFarDispatcher, kReplica1,
                  RegistryAsk{click_id(2), Token{}, 9, RegistryOperation::lookup, ShardId{0}});
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-P8") == reported);
  }

  World world;
  Token token = world.token(kJoiner, 1);
};

}  // namespace

TEST_CASE("J-P8 what a verifier has removed it brings back in the moment when it knows") {
  Removal scene;
  World& world = scene.world;
  CHECK(world.judge.obligations("J-P8") == 1);
  SECTION("it does") {
    scene.answer();
    world.step = 0ms;
    world.emit(Source::issued, kVerifier, scene.back(1));
    world.step = 1ms;
    scene.later(1h);  // the storage takes its time
    world.emit(Source::durable, kVerifier, scene.back(1));
    scene.check(0);
  }
  SECTION("it does not") {
    scene.answer();
    scene.later(1ms);
    scene.check(1);
    world.stored(kVerifier, scene.back(1));
    scene.check(1);
  }
  SECTION("an append is under way: when that is durable") {
    world.emit(Source::issued, kVerifier, scene.back(2));
    scene.answer();
    scene.later(5s);
    scene.check(0);
    world.emit(Source::durable, kVerifier, scene.back(2));
    const bool next = GENERATE(true, false);
    world.step = 0ms;
    if (next) world.emit(Source::issued, kVerifier, scene.back(1));
    world.step = 1ms;
    scene.later(1ms);
    scene.check(next ? 0 : 1);
  }
  SECTION("registered anew, or with another owner") {
    const bool other = GENERATE(true, false);
    if (other) {
      scene.answer(RegistryCode::no_match);
    } else {
      world.transaction(3, {{1, world.token(kFarJoiner, 1)}});
    }
    scene.later(1h);
    scene.check(0);
  }
}

TEST_CASE("J-P8 a verifier learns of its removal within the bound, or after its restart") {
  Removal scene;
  World& world = scene.world;
  SECTION("no answer comes") {
    scene.later(19s);
    scene.check(0);
    scene.later(2s);
    scene.check(1);
  }
  SECTION("a fault suspends it") {
    world.crash(kFarJoiner);
    scene.later(10min);
    scene.check(0);
    world.restart(kFarJoiner);
    scene.later(19s);
    scene.check(0);
    scene.later(2s);
    scene.check(1);
  }
  SECTION("its next life has the time of a take-over more") {
    world.crash(kVerifier);
    scene.later(1min);
    world.restart(kVerifier);
    scene.later(39s);
    scene.check(0);
    const bool repeats = GENERATE(true, false);
    if (repeats) {
      scene.ask();
      scene.answer();
      world.step = 0ms;
      world.emit(Source::issued, kVerifier, scene.back(1));
      world.step = 1ms;
    }
    scene.later(2s);
    scene.check(repeats ? 0 : 1);
  }
}

}  // namespace photon::analysis::testing
