// J-S11: a removal is asked for only after each datacenter's auditor has answered that the file of
// that very life lacks the click.
#include <initializer_list>

#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr NodeId kVerifier{30}, kAuditor{31}, kFarAuditor{32};
constexpr std::uint32_t kDeadLife = 3;

struct Proof {
  Proof() : world(config()) {}
  static JudgeConfig config() {
    JudgeConfig config = World::standard();
    config.recovery_bound = 1h;
    return config;
  }
  // One question to both auditors, about the file of that life.
  void ask(std::initializer_list<std::uint32_t> clicks, std::uint32_t life = kDeadLife) {
    ++request;
    for (const NodeId auditor : {kAuditor, kFarAuditor}) {
      std::uint32_t place = 0;
      for (const std::uint32_t click : clicks) {
        world.sent(kVerifier, auditor, OutputAsk{click_id(click), request, kJoiner, life, place++});
      }
    }
  }
  void answer(NodeId auditor, std::initializer_list<Presence> presences) {
    std::uint32_t place = 0;
    for (const Presence each : presences) {
      world.delivered(auditor, kVerifier, OutputAnswer{request, place++, each, {}});
    }
  }
  void remove(std::uint32_t click, std::uint32_t life = kDeadLife, NodeId by = kVerifier,
              std::uint64_t sequence = 1, NodeId owner = kJoiner) {
    world.sent(by, kReplica1,
               RegistryAsk{click_id(click), Token{owner.value(), life, sequence}, 9,
                           RegistryOperation::remove, ShardId{0}});
  }
  void check(std::uint64_t reported) const {
    INFO(world.findings());
    CHECK(world.count("J-S11") == reported);
  }
  World world;
  std::uint64_t request = 0;
};

}  // namespace

TEST_CASE("J-S11 F-06 each auditor's answer counts, for its own click and life") {
  Proof scene;
  scene.ask({1, 2});
  scene.answer(kAuditor, {Presence::absent, Presence::absent});
  SECTION("both have answered") {
    scene.answer(kFarAuditor, {Presence::absent, Presence::absent});
    scene.remove(1);
    scene.remove(2);
    scene.check(0);
    CHECK(scene.world.judge.obligations("J-S11") == 2);
    scene.remove(1);  // again
    scene.check(0);
  }
  SECTION("a copy of one answer is no other answer") {
    scene.answer(kAuditor, {Presence::absent, Presence::absent});
    scene.remove(1);
    scene.check(1);
  }
  SECTION("one of them does not know, or has it") {
    const Presence other = GENERATE(Presence::indeterminate, Presence::unknown, Presence::present);
    scene.answer(kFarAuditor, {Presence::absent, other});
    scene.remove(1);
    scene.check(0);
    scene.remove(2);
    scene.check(1);
  }
  SECTION("a click that was not asked for, another life, another joiner's") {
    scene.answer(kFarAuditor, {Presence::absent, Presence::absent});
    scene.remove(3);
    scene.check(1);
    scene.remove(1, kDeadLife + 1);
    scene.check(2);
    scene.remove(1, kDeadLife, kVerifier, 1, kJoiner2);
    scene.check(3);
  }
  SECTION("a second token of that life needs a proof of its own") {
    scene.answer(kFarAuditor, {Presence::absent, Presence::absent});
    scene.remove(1);
    scene.remove(1, kDeadLife, kVerifier, 2);
    scene.check(1);
    scene.ask({1});
    scene.answer(kAuditor, {Presence::absent});
    scene.answer(kFarAuditor, {Presence::absent});
    scene.remove(1, kDeadLife, kVerifier, 2);
    scene.check(1);
  }
  SECTION("answers to another question") {
    scene.ask({1, 2});
    scene.answer(kFarAuditor, {Presence::absent, Presence::absent});
    scene.remove(1);
    scene.check(1);
  }
}

TEST_CASE("J-S11 F-08 a proof outlives its verifier, and belongs to its pipeline") {
  Proof scene;
  scene.ask({1});
  SECTION("an intended removal is repeated by the next life, or another verifier there") {
    scene.answer(kAuditor, {Presence::absent});
    scene.answer(kFarAuditor, {Presence::absent});
    scene.world.lives[kVerifier.value()] = Incarnation{2};
    scene.remove(1);
    scene.remove(1, kDeadLife, NodeId{33});
    scene.check(0);
    scene.remove(1, kDeadLife, kFarJoiner);
    scene.check(1);
  }
  SECTION("answers to the question of an earlier life prove nothing") {
    scene.answer(kAuditor, {Presence::absent});
    scene.world.lives[kVerifier.value()] = Incarnation{2};
    scene.answer(kFarAuditor, {Presence::absent});
    scene.remove(1);
    scene.check(1);
  }
  SECTION("two auditors that are asked about two lives prove nothing") {
    ++scene.request;
    std::uint32_t life = kDeadLife;
    for (const NodeId auditor : {kAuditor, kFarAuditor}) {
      scene.world.sent(kVerifier, auditor,
                       OutputAsk{click_id(1), scene.request, kJoiner, life++, 0});
      scene.answer(auditor, {Presence::absent});
    }
    scene.remove(1);
    scene.check(1);
  }
  SECTION("answers from memory, without an owner, prove nothing") {
    scene.ask({2}, 0);
    scene.answer(kAuditor, {Presence::absent});
    scene.answer(kFarAuditor, {Presence::absent});
    scene.remove(2, 0);
    scene.check(1);
  }
}

}  // namespace photon::analysis::testing
