#include "sim/process.h"

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {
using Times = std::vector<SimTime>;
}  // namespace

TEST_CASE("a timer fires once, at its time on the host's monotonic clock") {
  SimWorld world;
  world.clocks.drift_ppm[0] = 200;   // fast
  world.clocks.drift_ppm[1] = -200;  // slow
  Times fired;
  for (const std::uint32_t node : {0U, 2U}) {
    world.hooks[node].start = [](Context& context) { context.set_timer(3, mono(100s)); };
    world.hooks[node].timer = [&](Context& context, TimerKind kind) {
      CHECK(kind == 3);
      CHECK(context.now() >= mono(100s));
      CHECK(context.now() <= mono(100s + 1us));
      fired.push_back(world.run.now());
    };
  }
  world.run.start();
  world.to(200s);
  REQUIRE(fired.size() == 2);
  CHECK(fired[0] < at(99'981ms));
  CHECK(fired[1] > at(100'019ms));
}

TEST_CASE("a stepped calendar clock moves no timer") {
  SimWorld world;
  world.clocks.step_at = at(5s);
  world.clocks.step = -3s;
  std::vector<LocalTime> wall;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(4s)); };
  world.hooks[0].timer = [&](Context& context, TimerKind) {
    wall.push_back(context.wall());
    context.set_timer(0, context.now() + 2s);
  };
  world.run.start();
  world.to(6s);
  REQUIRE(wall.size() == 2);
  CHECK(wall[0] == LocalTime(4s));
  CHECK(wall[1] == LocalTime(3s));
}

TEST_CASE("a timer moves later, moves earlier, is cancelled") {
  SimWorld world;
  Times fired;
  world.hooks[0].timer = [&](Context&, TimerKind) { fired.push_back(world.run.now()); };
  world.hooks[0].start = [](Context& context) {
    context.set_timer(0, mono(10ms));
    context.set_timer(0, mono(50ms));
    context.set_timer(1, mono(40ms));
    context.set_timer(1, mono(20ms));
    context.set_timer(2, mono(30ms));
    context.cancel_timer(2);
  };
  world.run.start();
  world.to(1s);
  CHECK(fired == Times{at(20ms), at(50ms)});
  CHECK(world.run.kernel().pending() == 0);
}

TEST_CASE("re-arming a timer over and over keeps only a few events pending") {
  SimWorld world;
  int fired = 0;
  int far_fired = 0;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(10s)); };
  world.hooks[0].timer = [&](Context& context, TimerKind) {
    if (context.now() >= mono(10s)) {
      ++far_fired;
      return;
    }
    // Far, near, nearer: like a time-out that is set, shortened and set anew.
    context.set_timer(0, mono(10s));
    context.set_timer(0, context.now() + 2ms);
    context.set_timer(0, context.now() + 1ms);
    ++fired;
  };
  world.hooks[1].start = [](Context& context) { context.set_timer(0, mono(1ms)); };
  world.hooks[1].timer = world.hooks[0].timer;
  world.run.start();
  world.to(5s);
  CHECK(fired > 4000);
  CHECK(world.run.kernel().pending() <= 2 * Timer::kMostEvents);
  world.to(20s);
  CHECK(far_fired == 2);
}

TEST_CASE("a busy process takes deliveries later, in order, and its effects follow the work") {
  SimWorld world;
  std::vector<std::pair<SimTime, std::uint64_t>> seen;
  world.hooks[0].start = [](Context& context) {
    for (std::uint64_t i = 0; i < 3; ++i) context.send(NodeId(1), Body::make(Note{i}));
  };
  world.hooks[1].start = [](Context& context) { context.set_timer(0, mono(1500us)); };
  world.hooks[1].message = [&](Context& context, NodeId, const Body& body) {
    seen.emplace_back(world.run.now(), body.as<Note>().value);
    static_cast<SimContext&>(context).consume(2ms);
    context.send(NodeId(0), Body::make(Note{100 + body.as<Note>().value}));
  };
  world.hooks[1].timer = [&](Context&, TimerKind) { seen.emplace_back(world.run.now(), 77); };
  Times replies;
  world.hooks[0].message = [&](Context&, NodeId, const Body&) {
    replies.push_back(world.run.now());
  };
  world.run.start();
  world.to(100ms);
  CHECK(seen == std::vector<std::pair<SimTime, std::uint64_t>>{
                    {at(1ms), 0}, {at(3ms), 1}, {at(5ms), 2}, {at(7ms), 77}});
  CHECK(replies == Times{at(4ms), at(6ms), at(8ms)});
}

TEST_CASE("crash and restart: a new object, a new number, nothing of the dead life arrives") {
  SimWorld world;
  std::vector<std::uint32_t> lives;
  int timers = 0;
  int completions = 0;
  std::vector<std::uint64_t> values;
  world.hooks[0].start = [&](Context& context) {
    lives.push_back(context.incarnation().value());
    if (context.incarnation() != Incarnation(1)) return;
    context.set_timer(0, mono(50ms));
    world.storage.fixed = 45ms;
    context.submit(append(0, "x", 0));
    static_cast<SimContext&>(context).consume(60ms);
  };
  world.hooks[0].timer = [&](Context&, TimerKind) { ++timers; };
  world.hooks[0].io = [&](Context&, Ticket, IoResult&) { ++completions; };
  world.hooks[0].message = [&](Context&, NodeId, const Body& body) {
    values.push_back(body.as<Note>().value);
  };
  world.hooks[2].start = [](Context& context) {
    context.send(NodeId(0), Body::make(Note{1}));  // waits for the busy life and dies with it
    context.set_timer(0, mono(15ms));              // meets a process that is down
    context.set_timer(1, mono(35ms));              // sent while down, arrives at the successor
  };
  world.hooks[2].timer = [](Context& context, TimerKind kind) {
    context.send(NodeId(0), Body::make(Note{kind + 2U}));
  };
  world.run.set_faults({crash(20ms, 0, 20ms)});
  world.run.start();
  world.to(200ms);
  CHECK(lives == std::vector<std::uint32_t>{1, 2});
  CHECK(timers == 0);
  CHECK(completions == 0);
  CHECK(values == std::vector<std::uint64_t>{3});
  CHECK(world.run.network().counters().found_down == 1);
  CHECK(world.sink.count(trace::Kind::process_started) == 7);
  CHECK(world.sink.count(trace::Kind::process_crashed) == 1);
  CHECK(world.run.faults().effective(0));
}

TEST_CASE("what a dead life had sent still arrives") {
  SimWorld world;
  int arrived = 0;
  world.hooks[0].start = [](Context& context) {
    if (context.incarnation() == Incarnation(1)) context.send(NodeId(2), Body::make(Note{1}));
  };
  world.hooks[2].message = [&](Context&, NodeId from, const Body&) {
    CHECK(from == NodeId(0));
    ++arrived;
  };
  world.run.set_faults({crash(5ms, 0, 1s)});
  world.run.start();
  world.to(50ms);
  CHECK(arrived == 1);
}

TEST_CASE("a process's random words depend on seed, process, life and ordinal only") {
  std::vector<std::uint64_t> words;
  for (const std::uint64_t seed : {1U, 1U, 2U}) {
    SimWorld world(seed);
    for (const std::uint32_t node : {0U, 1U}) {
      world.hooks[node].start = [&](Context& context) {
        words.push_back(context.random(0));
        words.push_back(context.random(1));
      };
    }
    world.run.set_faults({crash(1ms, 0, 1ms)});
    world.run.start();
    world.to(5ms);
  }
  REQUIRE(words.size() == 18);
  const std::vector<std::uint64_t> first(words.begin(), words.begin() + 6);
  CHECK(first == std::vector<std::uint64_t>(words.begin() + 6, words.begin() + 12));
  std::ranges::sort(words);
  const auto rest = std::ranges::unique(words);
  CHECK(words.size() - rest.size() == 12);
}

TEST_CASE("the trace carries both clocks of the right host") {
  SimWorld world;
  world.clocks.offset[1] = 7ms;
  world.hooks[2].start = [](Context& context) { context.decide(trace::LogVisible{9, 1}); };
  world.run.start();
  const auto found = std::ranges::find_if(world.sink.records, [](const trace::Record& record) {
    return record.header.kind == trace::Kind::log_visible;
  });
  REQUIRE(found != world.sink.records.end());
  CHECK(found->header.source == trace::Source::decision);
  CHECK(found->header.node == NodeId(2));
  CHECK(found->header.incarnation == Incarnation(1));
  CHECK(found->header.datacenter == DatacenterId(1));
  CHECK(found->header.local == LocalTime(7ms));
  CHECK(found->as<trace::LogVisible>().length == 9);
}

}  // namespace photon::sim
