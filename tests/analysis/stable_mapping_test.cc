// J-S5 on handmade traces: what it must report, and what it must not.
#include "core_impl/base/bytes.h"
#include "core_impl/base/codec.h"
#include "core_impl/base/hash.h"
#include "tests/analysis/trace_builder.h"
#include "tests/support/catch.h"

namespace photon::analysis::testing {
namespace {

using trace::RegistryCode;
using trace::ShardingAction;

constexpr NodeId kConfig{4};
constexpr NodeId kConfig2{5};

// Two shards at the beginning; the third group holds the history.
struct Sharded : World {
  Sharded() : World(config_of()) { boot(); }

  static JudgeConfig config_of() {
    JudgeConfig config = standard();
    config.shards = 5;
    config.sharding_group = 4;
    config.first_shards = 2;
    return config;
  }
  static ShardId owner(std::uint32_t click, std::uint32_t shards) {
    return ShardId(static_cast<std::uint32_t>(hash_of(click_id(click)) % shards));
  }
  // The first click from `from` on that two and four shards map to different shards.
  static std::uint32_t moving(std::uint32_t from) {
    while (owner(from, 2) == owner(from, 4)) ++from;
    return from;
  }
  static Stamp stamp_of(std::uint32_t click) { return click_id(click).stamp; }

  void insert(std::uint32_t click, ShardId shard, RegistryCode code = RegistryCode::inserted) {
    trace::OperationApplied applied{};
    applied.id = click_id(click);
    applied.token = token(kJoiner, ++sequence);
    applied.slot = ++slots.at(shard.value());
    applied.code = code;
    applied.operation = trace::RegistryOperation::insert;
    applied.shard = shard;
    applied.fresh = code == RegistryCode::inserted ? 1 : 0;
    decide(kReplica1, applied);
  }
  void look_up(std::uint32_t click, ShardId shard, RegistryCode code,
               trace::LookupMode mode = trace::LookupMode::queue_ordered) {
    trace::RegistryAnswer answer{};
    answer.lookups = mode;
    answer.id = click_id(click);
    answer.request = 1;
    answer.operation = trace::RegistryOperation::lookup;
    answer.code = code;
    answer.shard = shard;
    message(kReplica1, kDispatcher, answer);
  }
  void configure(NodeId node, std::uint64_t slot, ShardingAction action, std::uint64_t version,
                 Stamp start = {}, std::uint32_t shards = 0) {
    const trace::ShardingApplied applied{slot, version, start, action, shards, ShardId(4)};
    if (node == kConfig) write(slot, value_of(applied));
    decide(node, applied);
  }
  // What the slot holds with that operation, as the disks have it.
  static std::uint64_t value_of(const trace::ShardingApplied& applied) {
    Bytes bytes;
    Encoder encode(bytes);
    encode(std::uint8_t{1}, applied.action, applied.version, applied.start, applied.shards);
    return hash_bytes(bytes);
  }
  // A majority's disks hold the value in that slot.
  void write(std::uint64_t slot, std::uint64_t value) {
    for (const NodeId node : {kConfig, kConfig2}) {
      emit(trace::Source::durable, node, trace::PaxosLogWritten{1, slot * 1000, 0, 0, ShardId(4)});
      emit(trace::Source::durable, node, trace::PaxosAccepted{1, slot, value, ShardId(4)});
    }
  }
  // The change with which version 0 ends.
  void reshard(Stamp start, std::uint32_t shards) {
    configure(kConfig, 1, ShardingAction::announce, 0, start, shards);
    configure(kConfig, 2, ShardingAction::confirm, 1);
  }
  std::uint64_t found() const { return count("J-S5"); }

  std::uint64_t sequence = 0;
  std::array<std::uint64_t, 4> slots{};
};

TEST_CASE("J-S5 B-50 ids at their own shards, before and after a change, are not reported") {
  Sharded world;
  for (std::uint32_t click = 1; click < 50; ++click) world.insert(click, Sharded::owner(click, 2));
  world.reshard(Sharded::stamp_of(50), 4);
  for (std::uint32_t click = 50; click < 99; ++click) world.insert(click, Sharded::owner(click, 4));
  // An old id that arrives late still goes to its old shard (B-53).
  world.look_up(7, Sharded::owner(7, 2), RegistryCode::exists);
  world.insert(7, Sharded::owner(7, 2), RegistryCode::already_exists);
  CHECK(world.found() == 0);
}

TEST_CASE("J-S5 an id that a shard accepted and does not own is reported, once per id") {
  Sharded world;
  world.insert(1, ShardId(1 - Sharded::owner(1, 2).value()));
  CHECK(world.found() == 1);
}

TEST_CASE("J-S5 look-ups are acceptances too; too_old and retriable answers are not") {
  Sharded world;
  const std::uint32_t click = 3;
  const ShardId other(1 - Sharded::owner(click, 2).value());
  world.look_up(click, other, RegistryCode::too_old);
  world.look_up(click, other, RegistryCode::wrong_shard);
  world.look_up(click, other, RegistryCode::not_master);
  CHECK(world.found() == 0);
  world.look_up(click, other, RegistryCode::not_found);
  CHECK(world.found() == 1);
  world.insert(click, Sharded::owner(click, 2));  // the right shard, but the second one
  CHECK(world.found() == 2);
}

TEST_CASE("J-S5 B-60c a client that still routes by the old number is found at its first id") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  const std::uint32_t click = Sharded::moving(50);
  world.insert(click, Sharded::owner(click, 2));
  CHECK(world.found() == 1);
}

TEST_CASE("J-S5 B-54 a change below ids that are already registered is reported when it is made") {
  Sharded world;
  world.insert(60, Sharded::owner(60, 2));
  SECTION("announced and confirmed: reported before any id occurs twice") {
    world.reshard(Sharded::stamp_of(60), 4);
    CHECK(world.found() == 1);
  }
  SECTION("just above it: nothing is remapped") {
    world.reshard(Sharded::stamp_of(61), 4);
    CHECK(world.found() == 0);
  }
  SECTION("announced and cancelled: the old mapping is in force") {
    world.configure(kConfig, 1, ShardingAction::announce, 0, Sharded::stamp_of(60), 4);
    world.configure(kConfig, 2, ShardingAction::cancel, 1);
    CHECK(world.found() == 0);
    world.look_up(60, Sharded::owner(60, 2), RegistryCode::exists);
    CHECK(world.found() == 0);
  }
}

TEST_CASE("J-S5 B-60a a change that lost against another one has no effect") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  // Based on an old version, or deciding what is decided: void, so nothing moves.
  world.insert(60, Sharded::owner(60, 4));
  world.configure(kConfig, 3, ShardingAction::announce, 0, Sharded::stamp_of(40), 3);
  world.configure(kConfig, 4, ShardingAction::confirm, 1);
  world.insert(61, Sharded::owner(61, 4));
  CHECK(world.found() == 0);
}

TEST_CASE("J-S5 B-60a a scheduled change may be replaced while no id of it was accepted") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  const bool used = GENERATE(false, true);
  if (used) world.insert(55, Sharded::owner(55, 4));
  world.configure(kConfig, 3, ShardingAction::announce, 2, Sharded::stamp_of(50), 2);
  world.configure(kConfig, 4, ShardingAction::confirm, 3);
  CHECK(world.found() == (used ? 1 : 0));
  const std::uint32_t click = Sharded::moving(56);
  world.insert(click, Sharded::owner(click, 2));
  CHECK(world.found() == (used ? 1 : 0));
}

TEST_CASE(
    "J-S5 B-60b numbers of shards are forgotten only when every shard calls their ids too old") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  const Stamp end = Sharded::stamp_of(50);
  const bool all = GENERATE(false, true);
  for (std::uint32_t shard = 0; shard < 4; ++shard) {
    const Stamp boundary = shard == 2 && !all ? end - Duration(1) : end;
    world.decide(kReplica1, trace::BoundaryMoved{9, boundary, ShardId(shard)});
  }
  world.configure(kConfig, 3, ShardingAction::forget, 2, end);
  CHECK(world.found() == (all ? 0 : 1));
  // A forgotten number still binds: the id went to a shard of the old number.
  const std::uint32_t click = Sharded::moving(10);
  world.look_up(click, Sharded::owner(click, 4), RegistryCode::too_old);
  CHECK(world.found() == (all ? 0 : 1));
  world.look_up(click, Sharded::owner(click, 4), RegistryCode::not_found);
  CHECK(world.found() == (all ? 1 : 2));
}

TEST_CASE("J-S5 B-60b a replica need not know yet that an id of forgotten numbers is too old") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  for (std::uint32_t shard = 0; shard < 4; ++shard) {
    world.decide(kReplica1, trace::BoundaryMoved{9, Sharded::stamp_of(50), ShardId(shard)});
  }
  const std::uint32_t click = Sharded::moving(10);
  const ShardId other = Sharded::owner(click, 4);
  const bool forgotten = GENERATE(true, false);
  if (forgotten) world.configure(kConfig, 3, ShardingAction::forget, 2, Sharded::stamp_of(50));
  world.look_up(click, other, RegistryCode::not_found, trace::LookupMode::replica);
  CHECK(world.found() == (forgotten ? 0 : 1));
  // That it is present, or the master's answer, is a different case.
  const RegistryCode code = GENERATE(RegistryCode::exists, RegistryCode::not_found);
  const auto mode =
      code == RegistryCode::exists ? trace::LookupMode::replica : trace::LookupMode::queue_ordered;
  if (forgotten) world.look_up(click, other, code, mode);
  CHECK(world.found() == 1);
}

TEST_CASE("J-S5 B-60b a shard whose numbers were forgotten need not advance for later ones") {
  Sharded world;
  const auto change = [&](std::uint64_t slot, std::uint64_t version, std::uint32_t from,
                          std::uint32_t shards) {
    world.configure(kConfig, slot, ShardingAction::announce, version, Sharded::stamp_of(from),
                    shards);
    world.configure(kConfig, slot + 1, ShardingAction::confirm, version + 1);
  };
  const auto pass = [&](std::uint64_t slot, std::uint32_t shards, std::uint32_t click) {
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      world.decide(kReplica1, trace::BoundaryMoved{slot, Sharded::stamp_of(click), ShardId(shard)});
    }
  };
  change(1, 0, 50, 4);
  change(3, 2, 80, 2);
  pass(9, 4, 80);
  world.configure(kConfig, 5, ShardingAction::forget, 4, Sharded::stamp_of(80));
  CHECK(world.found() == 0);
  change(6, 5, 99, 3);
  // The fourth shard is retired since: its boundary stays where it was. The third is in use again.
  const bool all = GENERATE(true, false);
  pass(10, all ? 3 : 2, 99);
  world.configure(kConfig, 8, ShardingAction::forget, 7, Sharded::stamp_of(99));
  CHECK(world.found() == (all ? 0 : 1));
}

TEST_CASE("J-S5 replicas of the configuration group that apply different operations are reported") {
  Sharded world;
  world.reshard(Sharded::stamp_of(50), 4);
  world.configure(kConfig2, 1, ShardingAction::announce, 0, Sharded::stamp_of(50), 4);
  CHECK(world.found() == 0);
  world.configure(kConfig2, 2, ShardingAction::cancel, 1);
  CHECK(world.found() == 1);
}

TEST_CASE("J-S5 claims about the configuration must match the disks") {
  Sharded world;
  const ShardId group(4);
  const trace::ShardingApplied announced{1, 0,    Sharded::stamp_of(50), ShardingAction::announce,
                                         4, group};
  SECTION("another start than the log's") {
    trace::ShardingApplied claimed = announced;
    claimed.start = Sharded::stamp_of(40);
    world.write(1, Sharded::value_of(announced));
    world.decide(kConfig, claimed);
    CHECK(world.found() == 1);
  }
  SECTION("nothing is chosen there") {
    world.decide(kConfig, announced);
    CHECK(world.found() == 1);
  }
  SECTION("an operation that no record mentions") {
    world.write(1, Sharded::value_of(announced));
    world.decide(kConfig, trace::SlotApplied{1, Sharded::value_of(announced), 7, group, 1});
    CHECK(world.found() == 1);
  }
  SECTION("a slot with nothing in it, and one with an admission") {
    world.decide(kConfig, trace::SlotApplied{1, 0, 7, group, 0});
    world.emit(trace::Source::durable, kConfig, trace::PaxosAdmission{99, group, 1, 2});
    world.decide(kConfig, trace::SlotApplied{2, 99, 7, group, 0});
    CHECK(world.found() == 0);
  }
}

}  // namespace
TEST_CASE("J-S5 B-60c a client routes an id by a history that was read late enough for it") {
  JudgeConfig config = World::standard();
  config.history_skew = 10ms;
  World world(config);
  world.boot();
  std::uint64_t number = 0;
  const auto read = [&] {
    world.sent(kDispatcher, kConfig, trace::ShardingRead{++number});
    return world.now;
  };
  const auto answer = [&](std::uint64_t request, trace::ShardingCode code) {
    world.delivered(kConfig, kDispatcher, trace::ShardingAnswer{request, 0, {}, code, {}});
  };
  const auto look_up = [&](SimTime stamp) {
    const EventId id{100, 1, Stamp(stamp.time_since_epoch())};
    world.sent(kDispatcher, kReplica1,
               trace::RegistryAsk{id, Token{}, 7, trace::RegistryOperation::lookup, ShardId{0}});
  };
  const auto check = [&](std::uint64_t times) {
    INFO(world.findings());
    CHECK(world.count("J-S5") == times);
  };
  SECTION("up to S after the read began; its answer is late and counts from the question") {
    const SimTime begun = read();
    world.wait(50ms);
    answer(1, trace::ShardingCode::ok);
    look_up(begun + 10ms);
    check(0);
    look_up(begun + 10ms + 1ns);
    check(1);
  }
  SECTION(
      "a read that is open or refused says nothing; one that began earlier takes nothing back") {
    const SimTime begun = read();
    read();
    answer(2, trace::ShardingCode::ok);
    answer(1, trace::ShardingCode::ok);
    look_up(begun + 11ms);
    check(0);
    world.wait(50ms);
    read();
    look_up(world.now);
    check(1);
    answer(3, trace::ShardingCode::not_master);
    look_up(world.now);
    check(2);
  }
  SECTION("a later life must read for itself") {
    read();
    answer(1, trace::ShardingCode::ok);
    world.crash(kDispatcher);
    world.restart(kDispatcher);
    look_up(SimTime{});
    check(1);
  }
}

}  // namespace photon::analysis::testing
