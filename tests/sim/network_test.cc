#include "sim/network.h"

#include <map>

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

constexpr std::uint64_t kMessages = 20'000;

// Process 0 sends kMessages notes to process 2 (another datacenter), one per 100 us.
void send_stream(SimWorld& world) {
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(0ms)); };
  world.hooks[0].timer = [sent = std::uint64_t{0}](Context& context, TimerKind) mutable {
    context.send(NodeId(2), Body::make(Note{sent++}));
    if (sent < kMessages) context.set_timer(0, context.now() + 100us);
  };
}

double share(std::uint64_t count) {
  return static_cast<double>(count) / static_cast<double>(kMessages);
}

Fault cut_off(Duration when, Duration lasting, Direction direction) {
  Fault fault;
  fault.at = at(when);
  fault.duration = lasting;
  fault.action = Partition{{{DatacenterId(0)}, {DatacenterId(1), DatacenterId(2)}}, direction};
  return fault;
}

}  // namespace

TEST_CASE("loss, duplication and reordering occur at the configured rates, and are counted") {
  LinkFaults links;
  links.loss = Chance(0.1);
  links.duplicate = Chance(0.05);
  links.reorder = Chance(0.2);
  links.reorder_delay = 20ms;
  SimWorld world(5, links);
  std::uint64_t received = 0;
  std::uint64_t out_of_order = 0;
  std::uint64_t latest = 0;
  world.hooks[2].message = [&](Context&, NodeId, const Body& body) {
    ++received;
    const std::uint64_t value = body.as<Note>().value;
    if (value < latest) ++out_of_order;
    latest = std::max(latest, value);
  };
  send_stream(world);
  world.run.start();
  world.to(10s);
  const NetworkCounters& counters = world.run.network().counters();
  CHECK(counters.sent == kMessages);
  CHECK(share(counters.lost) == Approx(0.1).margin(0.01));
  CHECK(share(counters.duplicated) == Approx(0.9 * 0.05).margin(0.008));
  CHECK(share(counters.reordered) == Approx(0.9 * 0.2).margin(0.012));
  CHECK(counters.delivered == received);
  CHECK(received == kMessages - counters.lost + counters.duplicated);
  CHECK(out_of_order > kMessages / 20);
}

TEST_CASE("a message of a process to itself is neither lost nor duplicated") {
  LinkFaults links;
  links.loss = Chance(1.0);
  SimWorld world(1, links);
  int to_self = 0;
  int to_other = 0;
  world.hooks[0].start = [](Context& context) {
    context.send(context.self(), Body::make(Note{1}));
    context.send(NodeId(1), Body::make(Note{2}));
  };
  world.hooks[0].message = [&](Context&, NodeId, const Body&) { ++to_self; };
  world.hooks[1].message = [&](Context&, NodeId, const Body&) { ++to_other; };
  world.run.start();
  world.to(1s);
  CHECK(to_self == 1);
  CHECK(to_other == 0);
}

TEST_CASE("a one-way partition cuts one direction, from departure or on arrival, until healed") {
  for (const Direction direction : {Direction::one_way, Direction::both}) {
    SimWorld world;
    std::map<std::uint32_t, int> received;
    for (const std::uint32_t node : {0U, 2U}) {
      world.hooks[node].start = [](Context& context) { context.set_timer(0, mono(0ms)); };
      world.hooks[node].timer = [node](Context& context, TimerKind) {
        context.send(NodeId(2 - node), Body::make(Note{}));
        if (context.now() < mono(99ms)) context.set_timer(0, context.now() + 1ms);
      };
      world.hooks[node].message = [&received, node](Context&, NodeId, const Body&) {
        ++received[node];
      };
    }
    // Sent every ms, 10 ms on the way: cut are those that leave in [20, 60) or arrive in (20, 60).
    world.run.set_faults({cut_off(20'500us, 40ms, direction)});
    world.run.start();
    world.to(1s);
    CHECK(received[2] == 50);
    CHECK(received[0] == (direction == Direction::both ? 50 : 100));
    CHECK(world.run.network().counters().cut == (direction == Direction::both ? 100U : 50U));
    CHECK(world.run.faults().effective(0));
    const std::size_t pairs = direction == Direction::both ? 4 : 2;
    CHECK(world.sink.count(trace::Kind::partition_began) == pairs);
    CHECK(world.sink.count(trace::Kind::partition_healed) == pairs);
    CHECK(world.sink.count(trace::Kind::fault_effect) == 1);
  }
}

TEST_CASE("overlapping partitions heal one by one; one that cuts nothing has no effect") {
  SimWorld world;
  int received = 0;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(30ms)); };
  world.hooks[0].timer = [](Context& context, TimerKind) {
    context.send(NodeId(2), Body::make(Note{}));
    if (context.now() < mono(50ms)) context.set_timer(0, mono(60ms));
  };
  world.hooks[2].message = [&](Context&, NodeId, const Body&) { ++received; };
  world.run.set_faults({cut_off(10ms, 10ms, Direction::both), cut_off(15ms, 40ms, Direction::both),
                        cut_off(70'500us, 10ms, Direction::both)});
  world.run.start();
  world.to(1s);
  CHECK(received == 1);
  CHECK_FALSE(world.run.faults().effective(0));
  CHECK(world.run.faults().effective(1));
  CHECK_FALSE(world.run.faults().effective(2));
}

TEST_CASE("a body is shared inside a datacenter and cloned across; both carry the same digest") {
  SimWorld world;
  const void* original = nullptr;
  std::vector<const void*> seen(6, nullptr);
  world.hooks[0].start = [&](Context& context) {
    const Body body = Body::make(Note{5, bytes_of("text")});
    original = body.message();
    for (const std::uint32_t to : {1U, 2U, 4U}) context.send(NodeId(to), body);
  };
  for (const std::uint32_t node : {1U, 2U, 4U}) {
    world.hooks[node].message = [&seen, node](Context&, NodeId, const Body& body) {
      seen[node] = body.message();
      CHECK(text_of(body.as<Note>().text) == "text");
      CHECK(body.noted_digest() != 0);
    };
  }
  world.run.start();
  world.to(1s);
  CHECK(seen[1] == original);
  CHECK(seen[2] != original);
  CHECK(seen[4] != original);
}

TEST_CASE("messages are tapped at send and at delivery, with both ends; silent ones are not") {
  SimWorld world;
  world.hooks[0].start = [](Context& context) {
    context.send(NodeId(2), Body::make(Note{42}));
    context.send(NodeId(2), Body::make(Silent{43}));
  };
  world.run.start();
  world.to(1s);
  std::vector<trace::Record> notes;
  for (const trace::Record& record : world.sink.records) {
    if (record.header.kind == trace::Kind::log_visible) notes.push_back(record);
  }
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].header.source == trace::Source::sent);
  CHECK(notes[0].header.node == NodeId(0));
  CHECK(notes[0].header.peer == NodeId(2));
  CHECK(notes[1].header.source == trace::Source::delivered);
  CHECK(notes[1].header.node == NodeId(2));
  CHECK(notes[1].header.peer == NodeId(0));
  CHECK(notes[1].header.at == at(10ms));
  CHECK(notes[1].as<trace::LogVisible>().length == 42);
}

TEST_CASE("J-S17 losing one link's messages changes no other random draw") {
  // Arrival times at 3 of messages from 1, with and without total loss of 0 -> 2.
  const auto arrivals = [](bool lossy) {
    SimWorld world(9);
    world.delays.jitter = 5ms;
    LinkFaults links;
    links.loss = Chance(0.3);
    links.reorder = Chance(0.3);
    links.reorder_delay = 5ms;
    world.run.network().set_all_links(links);
    if (lossy) {
      links.loss = Chance(1.0);
      world.run.network().set_link(DatacenterId(0), DatacenterId(2), links);
    }
    std::vector<SimTime> times;
    for (const std::uint32_t node : {0U, 1U}) {
      world.hooks[node].start = [node](Context& context) {
        for (std::uint64_t i = 0; i < 200; ++i) {
          context.send(NodeId(node == 0 ? 4 : 3), Body::make(Silent{i}));
          if (node == 0) context.send(NodeId(2), Body::make(Silent{i}));
        }
      };
    }
    for (const std::uint32_t node : {2U, 3U}) {
      world.hooks[node].message = [&](Context&, NodeId, const Body&) {
        times.push_back(world.run.now());
      };
    }
    world.run.start();
    world.to(1s);
    return times;
  };
  const auto fault_free = arrivals(false);
  CHECK(fault_free.size() > 200);
  CHECK(fault_free.size() < 400);
  CHECK(fault_free == arrivals(true));
}

}  // namespace photon::sim
