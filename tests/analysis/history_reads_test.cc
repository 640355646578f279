// J-S5, B-60c: what the configuration group answers, and what a client does with an open change.
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using namespace trace;

constexpr NodeId kHolder{4}, kHolder2{5};
constexpr std::uint32_t kHistoryGroup = 4;
constexpr Stamp kChange{Duration(50ms)};

// Two replicas hold the history. The oracle of accepted ids reports operations that no disk holds;
// they are not counted here.
struct History {
  History() : world(config()) {}
  static JudgeConfig config() {
    JudgeConfig config = World::standard();
    config.shards = 5;
    config.sharding_group = kHistoryGroup;
    config.first_shards = 2;
    return config;
  }
  void apply(NodeId node, std::uint64_t slot, ShardingAction action, std::uint64_t version,
             Stamp start = {}, std::uint32_t shards = 0) {
    world.decide(node,
                 ShardingApplied{slot, version, start, action, shards, ShardId(kHistoryGroup)});
    ignored = world.count("J-S5") - found;
  }
  void announce(NodeId node = kHolder) { apply(node, 1, ShardingAction::announce, 0, kChange, 4); }
  void answer(NodeId node, std::uint64_t version, Stamp newest = {}) {
    world.sent(node, kDispatcher, ShardingAnswer{1, version, newest, ShardingCode::ok, {}});
  }
  void read(std::uint64_t version, std::uint64_t request = 1, std::uint64_t answered = 1) {
    world.sent(kDispatcher, kHolder, ShardingRead{request});
    world.delivered(kHolder, kDispatcher,
                    ShardingAnswer{answered, version, {}, ShardingCode::ok, {}});
  }
  void look_up(Stamp stamp, std::uint64_t request = 7) {
    world.sent(kDispatcher, kReplica1,
               RegistryAsk{EventId{100, 1, stamp}, Token{}, request, RegistryOperation::lookup,
                           ShardId{0}});
  }
  void check(std::uint64_t reported) {
    INFO(world.findings());
    found = world.count("J-S5") - ignored;
    CHECK(found == reported);
  }
  World world;
  std::uint64_t ignored = 0;
  std::uint64_t found = 0;
};

}  // namespace

TEST_CASE("J-S5 an answer states the history that the log makes") {
  History scene;
  scene.answer(kHolder, 0);
  scene.announce();
  scene.answer(kHolder, 1);
  scene.answer(kHolder2, 0);  // it has not applied the slot yet
  scene.check(0);
  SECTION("an older version than its slots make, and one that it cannot know") {
    scene.answer(kHolder, 0);
    scene.check(1);
    scene.answer(kHolder2, 1);
    scene.check(2);
    scene.answer(kHolder, 2);
    scene.check(3);
  }
  SECTION("the newest interval, and what is forgotten") {
    scene.apply(kHolder, 2, ShardingAction::confirm, 1);
    scene.answer(kHolder, 2, kChange);
    scene.check(0);
    scene.answer(kHolder, 2, kChange + 1ns);
    scene.check(1);
    scene.apply(kHolder, 3, ShardingAction::forget, 2, kChange);
    scene.answer(kHolder, 2, kChange);
    scene.check(2);
    scene.answer(kHolder, 3, Stamp{});
    scene.check(2);
    scene.answer(kHolder, 3, kChange);
    scene.check(3);
  }
  SECTION("a snapshot brings the slots that it covers") {
    scene.world.decide(kHolder2, StateRestored{1, 7, ShardId(kHistoryGroup)});
    scene.ignored = scene.world.count("J-S5");
    scene.answer(kHolder2, 0);
    scene.check(1);
  }
  SECTION("an answer of the moment in which a slot is applied may have been made before") {
    scene.world.step = 0ns;
    scene.world.wait(1ms);
    scene.apply(kHolder, 2, ShardingAction::cancel, 1);
    scene.answer(kHolder, 1);
    scene.check(0);
    scene.world.wait(1ns);
    scene.answer(kHolder, 1);
    scene.check(1);
  }
  SECTION("another life has applied what it has applied itself") {
    scene.world.lives[kHolder.value()] = Incarnation{2};
    scene.answer(kHolder, 0);
    scene.check(0);
  }
}

TEST_CASE("J-S5 B-60c no id of an open change is sent to a shard") {
  History scene;
  scene.announce();
  SECTION("the first stamp of the change is one of them") {
    scene.read(1);
    scene.look_up(kChange - 1ns, 7);
    scene.check(0);
    scene.look_up(kChange, 8);
    scene.check(1);
  }
  SECTION("until a version in which it is decided") {
    scene.read(1);
    scene.apply(kHolder, 2, ShardingAction::confirm, 1);
    scene.look_up(kChange);
    scene.check(1);
    scene.read(2, 2, 2);
    scene.look_up(kChange, 8);
    scene.check(1);
  }
  SECTION("a repetition may have been routed before") {
    scene.read(0);
    scene.look_up(kChange, 8);
    scene.read(1, 2, 2);
    scene.look_up(kChange, 7);
    scene.look_up(kChange, 8);
    scene.check(0);
    scene.look_up(kChange, 9);
    scene.check(1);
  }
  SECTION("a second answer to a read that was refused teaches nothing") {
    scene.world.sent(kDispatcher, kHolder, ShardingRead{1});
    for (const ShardingCode code : {ShardingCode::not_master, ShardingCode::ok}) {
      scene.world.delivered(kHolder, kDispatcher, ShardingAnswer{1, 1, {}, code, {}});
    }
    scene.look_up(kChange);
    scene.check(0);
  }
  SECTION("the answer to an earlier read, and an older version, teach nothing") {
    scene.read(1, 2, 1);
    scene.look_up(kChange);
    scene.check(0);
    scene.read(1, 3, 3);
    scene.read(0, 4, 4);
    scene.look_up(kChange, 8);
    scene.check(1);
  }
  SECTION("another life knows nothing") {
    scene.read(1);
    scene.world.lives[kDispatcher.value()] = Incarnation{2};
    scene.look_up(kChange);
    scene.check(0);
  }
}

}  // namespace photon::analysis::testing
