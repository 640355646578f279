// DESIGN 6: a fault with a duration counts when it changed something, not when it was applied.
#include "sim/effect_tracker.h"

#include <set>

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

// Process 0 sends a note to process 2 every `every`, ten in all, from 10 ms on; all other processes
// are idle, but for a timer of process 2.
struct Notes {
  Notes(std::vector<Fault> faults, Duration every, std::optional<Duration> timer = {},
        Duration jitter = {}) {
    world.delays.jitter = jitter;
    world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(10ms)); };
    world.hooks[0].timer = [this, every](Context& context, TimerKind) {
      context.send(NodeId(2), Body::make(Silent{sent++}));
      if (sent < 10) context.set_timer(0, context.now() + every);
    };
    world.hooks[2].start = [timer](Context& context) {
      if (timer) context.set_timer(0, MonotonicTime(*timer));
    };
    world.hooks[2].message = [this](Context&, NodeId, const Body& body) {
      came.push_back(body.as<Silent>().value);
    };
    world.run.set_faults(std::move(faults));
    world.run.start();
    world.to(20s);
  }
  bool effective() { return world.run.faults().effective(0); }

  SimWorld world;
  std::uint64_t sent = 0;
  std::vector<std::uint64_t> came;
};

Fault fault_with(MessageFault effect, Duration from = 0s, Duration lasting = 20s) {
  LinkFault fault;
  fault.from = {NodeId(0)};
  fault.to = {NodeId(2)};
  fault.effect = effect;
  return {at(from), lasting, std::move(fault), {}};
}

Fault pause(Duration when, Duration length, Duration least = kLeastWait) {
  return {at(when), length, PauseProcess{NodeId(2), least}, {}};
}

}  // namespace

TEST_CASE("DESIGN-6 a delay counts when another event came first") {
  const auto delay = [](Duration by) { return fault_with({FixedDelay{by}, Chance(1.0)}); };
  // All of them a nanosecond late: each comes after its predecessor and before its successor.
  CHECK_FALSE(Notes({delay(1ns)}, 100ms).effective());
  // However late: they arrive in the order in which they were sent, with nothing in between.
  CHECK_FALSE(Notes({delay(90ms)}, 100ms).effective());
  // The first would have come at 20 ms.
  CHECK_FALSE(Notes({delay(50ms)}, 1s, 19ms).effective());
  CHECK(Notes({delay(50ms)}, 1s, 21ms).effective());
  CHECK_FALSE(Notes({delay(50ms)}, 1s, 71ms).effective());
  // A second one arrives when the first was due, and so on.
  CHECK(Notes({delay(150ms)}, 100ms).effective());
}

TEST_CASE("DESIGN-6 each of two delays of a message is compared with the run without it") {
  const auto delay = [](Duration by) { return fault_with({FixedDelay{by}, Chance(1.0)}); };
  // It arrives at 20 + 50 + 5 ms, and another event at 72 ms: in time without either.
  Notes both({delay(50ms), delay(5ms)}, 1s, 72ms);
  CHECK(both.effective());
  CHECK(both.world.run.faults().effective(1));
  Notes one({delay(50ms), delay(5ms)}, 1s, 40ms);
  CHECK(one.effective());
  CHECK_FALSE(one.world.run.faults().effective(1));  // it would have been late anyway
}

TEST_CASE("DESIGN-6 a clog counts when another event came while it held messages back") {
  const Fault clog = fault_with({Clog{}, Chance(1.0)}, 5ms, 500ms);
  CHECK_FALSE(Notes({clog}, 1s).effective());
  CHECK(Notes({clog}, 1s, 300ms).effective());
  CHECK_FALSE(Notes({clog}, 1s, 600ms).effective());
}

TEST_CASE("DESIGN-6 reordering counts when a message was overtaken by one sent later") {
  const auto reordering = [](Duration by) { return fault_with({Reordering{by}, Chance(0.5)}); };
  Notes apart({reordering(99ms)}, 100ms, 25ms);
  CHECK(std::ranges::is_sorted(apart.came));
  CHECK_FALSE(apart.effective());
  // The delays differ enough for messages to overtake each other without the fault.
  Notes anyway({reordering(1ns)}, 1ms, {}, 5ms);
  CHECK_FALSE(std::ranges::is_sorted(anyway.came));
  CHECK_FALSE(anyway.effective());
  Notes mixed({reordering(1s)}, 100ms);
  CHECK_FALSE(std::ranges::is_sorted(mixed.came));
  CHECK(mixed.effective());
}

TEST_CASE("DESIGN-6 messages that race on a link count when they arrive, and only there") {
  struct Heard final : FaultEffects {
    void took_effect(std::uint32_t fault) override { faults.insert(fault); }
    bool had_effect(std::uint32_t fault) const override { return faults.contains(fault); }
    std::set<std::uint32_t> faults;
  } heard;
  EffectTracker tracker(heard);
  const EffectTracker::Link link{NodeId(0), NodeId(2)};
  const EffectTracker::Link other{NodeId(1), NodeId(2)};
  const auto comes = [&](std::uint64_t item, const EffectTracker::Link& on, Duration when) {
    tracker.arrived(item, {on, at(when), at(0s)});
  };
  tracker.reordered(1, 0, at(10ms), link);
  tracker.reordered(2, 1, at(90ms), link);
  tracker.reordered(3, 2, at(20ms), other);
  tracker.reordered(4, 3, at(20ms), link);
  comes(5, other, 30ms);  // overtakes 3
  comes(4, link, 40ms);   // overtakes 1; 2 is not late yet
  CHECK(heard.faults.empty());
  comes(2, link, 95ms);
  CHECK(heard.faults.empty());
  comes(1, link, 99ms);  // no other message races on its link any more
  CHECK(heard.faults == std::set<std::uint32_t>{0});
  CHECK(tracker.any());
  comes(3, other, 99ms);
  CHECK(heard.faults == std::set<std::uint32_t>{0, 2});
  CHECK_FALSE(tracker.any());
}

TEST_CASE(
    "DESIGN-6 a copy counts when both have arrived, a late one when an event came in between") {
  const MessageFault twice{Duplication{}, Chance(1.0)};
  const MessageFault again{LateDuplication{40ms}, Chance(1.0)};
  CHECK(Notes({fault_with(twice)}, 100ms).effective());
  CHECK_FALSE(Notes({fault_with(again)}, 100ms).effective());
  CHECK(Notes({fault_with({LateDuplication{2s}, Chance(1.0)})}, 100ms).effective());
  // A receiver that is down when the copies arrive gets nothing twice.
  const Fault down{at(15ms), 10s, CrashProcess{{NodeId(2)}, std::nullopt}, {}};
  Notes untargeted({fault_with(twice), down}, 100ms);
  CHECK(untargeted.came.empty());
  CHECK_FALSE(untargeted.effective());
}

TEST_CASE("DESIGN-6 a message lost anyway is neither late nor duplicated") {
  const Fault loss = fault_with({Loss{}, Chance(1.0)});
  Notes both({fault_with({Duplication{}, Chance(1.0)}), loss}, 100ms);
  CHECK_FALSE(both.effective());
  CHECK(both.world.run.faults().effective(1));
}

TEST_CASE("DESIGN-6 a pause counts when something waited for it") {
  // Notes come at 20, 120, ... ms.
  CHECK_FALSE(Notes({pause(30ms, 50ms)}, 100ms).effective());
  CHECK_FALSE(Notes({pause(20ms, 1ns)}, 100ms).effective());
  CHECK_FALSE(Notes({pause(20ms - 1ns, 500ns)}, 100ms).effective());
  CHECK(Notes({pause(100ms, 50ms)}, 100ms).effective());
  CHECK(Notes({pause(5ms, 30ms)}, 100ms, 20ms).effective());
}

TEST_CASE("DESIGN-6 a pause has the length for which something waited, whatever ended it") {
  const auto longer_than = [](Duration least) { return pause(10ms, 200ms, least); };
  CHECK(Notes({longer_than(190ms)}, 100ms).effective());  // the first arrived at 20 ms
  CHECK_FALSE(Notes({longer_than(191ms)}, 100ms).effective());
  // A crash at 110 ms ends it.
  const Fault crash{at(110ms), 10ms, CrashProcess{{NodeId(2)}, std::nullopt}, {}};
  CHECK(Notes({longer_than(90ms), crash}, 100ms).effective());
  CHECK_FALSE(Notes({longer_than(91ms), crash}, 100ms).effective());
}

TEST_CASE("DESIGN-6 slow steps count when something waited for the rest of one") {
  const auto slowed = [](std::uint64_t permille) {
    SimWorld world;
    world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(10ms)); };
    world.hooks[0].timer = [](Context& context, TimerKind) {
      static_cast<SimContext&>(context).consume(10ms);
    };
    // The step ends at 20 ms without it, and this message arrives 9.5 us later.
    world.hooks[3].start = [](Context& context) { context.set_timer(0, mono(10ms + 9500ns)); };
    world.hooks[3].timer = [](Context& context, TimerKind) {
      context.send(NodeId(0), Body::make(Silent{}));
    };
    world.run.set_faults({{at(0s), 1s, SlowDatacenter{DatacenterId(0), permille}, {}}});
    world.run.start();
    world.to(2s);
    return world.run.faults().effective(0);
  };
  CHECK_FALSE(slowed(1000));
  CHECK_FALSE(slowed(1001));  // the message waits for half a microsecond
  CHECK(slowed(1002));
}

}  // namespace photon::sim
