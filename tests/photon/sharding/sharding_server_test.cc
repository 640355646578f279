#include "core_impl/photon/sharding/sharding_server.h"

#include <set>

#include "tests/photon/sharding/config_group.h"
#include "tests/support/catch.h"
#include "tests/support/paxos_payload.h"

namespace photon::testing {

using namespace std::chrono_literals;

TEST_CASE("B-54 B-55 B-57 a change is announced, confirmed and then read by every client") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest();
  const ShardingReply done = group.answered(0, group.change(0, master, 0, start, 2));
  CHECK(done.code == ShardingCode::ok);
  const ShardingReply seen = group.answered(0, group.read(master));
  CHECK(seen.version == 2);
  CHECK(seen.decided_below == ShardMap::kEnd);
  REQUIRE(seen.intervals.size() == 2);
  CHECK(seen.intervals[1] == ShardInterval{start, ShardMap::kEnd, 2});
}

TEST_CASE("B-10 B-55 the trace counts one operation in a slot of the history, none in another") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const ShardingReply done = group.answered(0, group.change(0, master, 0, group.soonest(), 2));
  REQUIRE(done.code == ShardingCode::ok);
  group.world.run_for(5s);
  std::set<std::uint64_t> slots;
  for (const trace::Record& record : group.world.decisions) {
    if (record.header.kind != trace::Kind::sharding_applied) continue;
    slots.insert(record.as<trace::ShardingApplied>().slot);
  }
  CHECK(slots.size() == 2);  // announced and confirmed
  std::size_t counted = 0;
  for (const trace::Record& record : group.world.decisions) {
    if (record.header.kind != trace::Kind::slot_applied) continue;
    const auto applied = record.as<trace::SlotApplied>();
    counted += applied.operations;
    CHECK(applied.operations == (slots.contains(applied.slot) ? 1 : 0));
  }
  CHECK(counted == 2 * group.servers().size());
}

TEST_CASE("B-54 BC-17 a change that starts within S of now is refused, and nothing is announced") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest() - 1s;
  CHECK(group.answered(0, group.change(0, master, 0, start, 8)).code == ShardingCode::too_early);
  CHECK(group.at(master).history().version() == 0);
}

TEST_CASE("G-22 B-54 t2 = t1 + S, the paper's own example, is accepted only where configured") {
  ShardingServerOptions options;
  options.change_rule = GENERATE(ChangeRule::strict, ChangeRule::unchecked);
  ConfigGroup group(options);
  const NodeId master = group.wait_for_master();
  const Stamp start = stamp_from(group.world.context(master).true_time().latest) + kMargin;
  const ShardingReply reply = group.answered(0, group.change(0, master, 0, start, 120));
  if (options.change_rule == ChangeRule::strict) {
    CHECK(reply.code == ShardingCode::too_early);
  } else {
    CHECK(reply.code == ShardingCode::ok);
    REQUIRE(reply.intervals.size() == 2);
    CHECK(reply.intervals[1] == ShardInterval{start, ShardMap::kEnd, 120});
  }
}

TEST_CASE("B-60b unneeded intervals are forgotten by every replica, by compare-and-set") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest();
  REQUIRE(group.answered(0, group.change(0, master, 0, start, 2)).code == ShardingCode::ok);
  const auto forget = [&](std::uint64_t version) {
    group.world.context(master).send(master, Body::make(ShardingForget{1, version, start}));
    group.world.run_for(5s);
  };
  forget(1);
  CHECK(group.at(master).history().map().intervals().size() == 2);
  forget(2);
  for (const NodeId server : group.servers()) {
    CHECK(group.at(server).history().map() == ShardMap(2));
    CHECK(group.at(server).history().version() == 3);
  }
  std::size_t traced = 0;
  for (const trace::Record& record : group.world.decisions) {
    if (record.header.kind != trace::Kind::sharding_applied) continue;
    const auto applied = record.as<trace::ShardingApplied>();
    if (applied.action != ShardingAction::forget) continue;
    ++traced;
    CHECK(applied.start == start);
    CHECK(applied.shards == 0);  // it announces no count
  }
  CHECK(traced == 2 * group.servers().size());
}

TEST_CASE("B-60d BC-19 the commit is delayed until after t2 - S: the change is cancelled") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest();
  // The announcement reaches the followers' disks, their answers are lost: the choice is unknown.
  group.world.drop = [](const Sent& sent) {
    return testing::payload_in<paxos::Accepted>(sent.body) != nullptr;
  };
  group.change(0, master, 0, start, 8);
  group.world.run_for(10 * kMargin);
  for (const NodeId server : group.servers()) {
    CHECK_FALSE(group.at(server).history().open_change().has_value());
  }
  group.world.drop = nullptr;
  group.wait_for_master();
  group.world.run_for(20s);
  for (const NodeId server : group.servers()) {
    const ShardHistory& history = group.at(server).history();
    CHECK(history.version() == 2);  // announced and cancelled
    CHECK_FALSE(history.open_change().has_value());
    CHECK(history.map() == ShardMap(4));
  }
}

TEST_CASE(
    "B-60d the master dies with an open announcement: its successor decides, in time or not") {
  const bool in_time = GENERATE(true, false);
  CAPTURE(in_time);
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest() + (in_time ? Duration(1h) : Duration{});
  // It dies at the moment in which it has applied the announcement; its decision is lost.
  const paxos::Slot announcement = group.at(master).driver().applied_slot() + 1;
  group.world.drop = [=](const Sent& sent) {
    const auto* accept = testing::payload_in<paxos::Accept>(sent.body);
    return sent.from == master && accept != nullptr && accept->first_slot > announcement;
  };
  group.change(0, master, 0, start, 8);
  REQUIRE(group.world.run_until(
      [&] { return group.at(master).history().open_change().has_value(); }, 5s));
  group.world.crash(master);
  group.wait_for_master();
  group.world.run_for(20s);
  for (const NodeId server : group.servers()) {
    if (!group.world.alive(server)) continue;
    CHECK_FALSE(group.at(server).history().open_change().has_value());
    CHECK(group.at(server).history().map().max_shards() == (in_time ? 8U : 4U));
  }
}

TEST_CASE("B-60a two operators at once: one change is made, the other operator gets a conflict") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest();
  const auto first = group.change(0, master, 0, start, 8);
  const auto second = group.change(1, master, 0, start + 1s, 16);
  const ShardingCode one = group.answered(0, first).code;
  const ShardingCode two = group.answered(1, second).code;
  CHECK((one == ShardingCode::ok) != (two == ShardingCode::ok));
  CHECK((one == ShardingCode::undecided || two == ShardingCode::undecided));
  // A decision on an old version gets a conflict.
  CHECK(group.answered(1, group.change(1, master, 0, group.soonest() + 1min, 16)).code ==
        ShardingCode::conflict);
}

TEST_CASE("B-60a a copy of a change under way is ignored, another operator's same number is not") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  const Stamp start = group.soonest();
  group.change(0, master, 0, start, 8, 77);
  group.change(0, master, 0, start, 8, 77);
  group.change(1, master, 0, start, 16, 77);
  CHECK(group.answered(1, 77).code == ShardingCode::undecided);
  const ShardingReply done = group.answered(0, 77);
  CHECK(done.code == ShardingCode::ok);
  CHECK(done.intervals.back().shards == 8);
  // Once it is answered, a copy is a request like any other, and the version has grown.
  group.forget_replies(0);
  group.change(0, master, 0, start, 8, 77);
  CHECK(group.answered(0, 77).code == ShardingCode::conflict);
}

TEST_CASE("B-14 B-60a a replica that is not master names the master and states nothing else") {
  ConfigGroup group;
  const NodeId master = group.wait_for_master();
  REQUIRE(group.answered(0, group.change(0, master, 0, group.soonest(), 2)).code ==
          ShardingCode::ok);
  group.world.run_for(5s);
  const NodeId follower = group.servers()[master == group.servers()[0] ? 1 : 0];
  REQUIRE(group.at(follower).history().version() == 2);
  const std::uint64_t read = group.read(follower);
  const std::uint64_t change = group.change(0, follower, 2, group.soonest(), 3);
  for (const std::uint64_t request : {read, change}) {
    const ShardingReply reply = group.answered(0, request);
    CHECK(reply.code == ShardingCode::not_master);
    CHECK(reply.master_hint == master);
    CHECK(reply.version == 0);
    CHECK(reply.decided_below == Stamp{});
    CHECK(reply.horizon == Stamp{});
    CHECK(reply.intervals.empty());
  }
  // Nor does it keep a request to forget for the time when it is master.
  const Stamp start = group.at(master).history().map().intervals()[1].start;
  group.world.context(master).send(follower, Body::make(ShardingForget{1, 2, start}));
  group.world.run_for(1s);
  group.world.crash(master);
  group.wait_for_master();
  group.world.run_for(30s);
  CHECK(group.at(follower).history().version() == 2);
}

TEST_CASE("B-14 a deposed master answers no read") {
  ConfigGroup group;
  const NodeId old = group.wait_for_master();
  group.world.cut(old);
  const NodeId now = group.wait_for_master();
  REQUIRE(now != old);
  REQUIRE(group.answered(0, group.change(0, now, 0, group.soonest(), 8)).code == ShardingCode::ok);
  group.world.heal();
  // Asked at the moment of healing, before it has received from its successor.
  const ShardingReply reply = group.answered(0, group.read(old));
  CHECK((reply.code == ShardingCode::not_master || reply.version == 2));
}

TEST_CASE("B-60c the horizon is kept ahead, and a change below it is refused") {
  ShardingServerOptions options;
  options.horizon_ahead = 60s;
  ConfigGroup group(options);
  const NodeId master = group.wait_for_master();
  group.world.run_for(30s);
  const Stamp horizon = group.at(master).history().horizon();
  CHECK(horizon > group.soonest() - kMargin + 40s);
  CHECK(group.answered(0, group.change(0, master, 0, horizon - 1s, 8)).code ==
        ShardingCode::refused);
  CHECK(group.answered(0, group.change(0, master, 0, horizon + 1h, 8)).code == ShardingCode::ok);
}

TEST_CASE("B-60c the horizon follows true time by its period, whatever else happens") {
  ShardingServerOptions options;
  options.horizon_ahead = 60s;
  options.horizon_period = 20ms;
  ConfigGroup group(options);
  const NodeId master = group.wait_for_master();
  group.world.run_for(1s);
  for (int step = 0; step < 300; ++step) {
    group.world.run_for(7ms);
    const Stamp latest = stamp_from(group.world.context(master).true_time().latest);
    CHECK(group.at(master).history().horizon() > latest + 60s - 35ms);  // and a commit
    CHECK(group.at(master).history().horizon() <= latest + 60s);
  }
}

}  // namespace photon::testing
