#include <algorithm>
#include <map>

#include "sim/fault_injector.h"
#include "sim/random_faults.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

template <class Kind>
const Kind& as(const Fault& fault) {
  return fault.action.as<Kind>();
}

template <class Kind>
bool is(const Fault& fault) {
  return (fault.action.get_if<Kind>() != nullptr);
}

std::vector<std::vector<Action>> crashes_of(const Topology& topology) {
  std::vector<std::vector<Action>> candidates;
  for (const NodeId node : topology.processes_matching("*/worker/0")) {
    candidates.push_back({CrashProcess{{node}, std::nullopt}});
  }
  return candidates;
}

RandomFaults crashes(const Topology& topology) {
  RandomFaults spec;
  spec.from = at(10s);
  spec.until = at(110s);
  spec.mean_between = 1s;
  spec.shortest = 100ms;
  spec.longest = 300ms;
  spec.candidates = crashes_of(topology);
  return spec;
}

// Each datacenter alone, or one way: a group for each of them.
RandomFaults partitions(const Topology& topology, Direction direction) {
  RandomFaults spec;
  spec.until = at(100s);
  spec.mean_between = 2s;
  spec.shortest = spec.longest = 2s;
  for (const DatacenterInfo& place : topology.datacenters()) {
    std::vector<Action>& group = spec.candidates.emplace_back();
    if (direction == Direction::both) {
      group.emplace_back(Partition{against_all_others({place.id}, topology)});
      continue;
    }
    for (const DatacenterInfo& other : topology.datacenters()) {
      if (other.id != place.id) group.emplace_back(Partition{{{place.id}, {other.id}}, direction});
    }
  }
  return spec;
}

Fault outage(Duration when, Duration lasting, ComponentMask components) {
  Fault fault;
  fault.at = at(when);
  fault.duration = lasting;
  fault.action = Outage{DatacenterId(0), components};
  return fault;
}

}  // namespace

TEST_CASE("random faults: same seed, same list; another seed, another list; sorted and in range") {
  const Topology topology = three_datacenters();
  const std::vector<RandomFaults> specs{crashes(topology), partitions(topology, Direction::both)};
  const auto first = expand(specs, 1);
  CHECK(first == expand(specs, 1));
  CHECK_FALSE(first == expand(specs, 2));
  CHECK(std::ranges::is_sorted(first, {}, [](const Fault& fault) { return fault.at; }));
  std::size_t crashed = 0;
  for (const Fault& fault : first) {
    if (!is<CrashProcess>(fault)) continue;
    ++crashed;
    CHECK(fault.at >= at(10s));
    CHECK(fault.at < at(110s));
    CHECK(fault.duration >= 100ms);
    CHECK(fault.duration <= 300ms);
    REQUIRE(as<CrashProcess>(fault).processes.size() == 1);
    CHECK(as<CrashProcess>(fault).processes[0].value() % 2 == 0);
  }
  CHECK(crashed > 60);
  CHECK(crashed < 140);
  CHECK(first.size() - crashed > 25);
  CHECK(first.size() - crashed < 90);
}

TEST_CASE("adding a spec of random faults leaves those of the others as they were") {
  const Topology topology = three_datacenters();
  const auto alone = expand({crashes(topology)}, 7);
  auto both = expand({crashes(topology), partitions(topology, Direction::both)}, 7);
  std::erase_if(both, is<Partition>);
  CHECK(both == alone);
}

TEST_CASE("each group of candidates is drawn equally often, whatever its size") {
  const Topology topology = three_datacenters();
  RandomFaults spec = partitions(topology, Direction::one_way);
  spec.mean_between = 20ms;
  spec.candidates[0].resize(1);  // one of its two ways is removed
  std::map<std::pair<DatacenterId, DatacenterId>, int> drawn;
  for (const Fault& fault : expand({spec}, 3)) {
    const auto& sides = as<Partition>(fault).sides;
    REQUIRE(sides.size() == 2);
    ++drawn[{sides[0][0], sides[1][0]}];
  }
  CHECK(drawn.size() == 5);
  for (const auto& [pair, count] : drawn) {
    const int expected = pair.first == DatacenterId(0) ? 1666 : 833;
    CHECK(count > expected - 170);
    CHECK(count < expected + 170);
  }
}

TEST_CASE("a fault describes itself") {
  const Topology topology = three_datacenters();
  CHECK(describe(crash(5ns, 3, 7ns), topology) ==
        "process_crash b/worker/1 at 0.000000005s for 0.000000007s");
  CHECK(describe(outage(1ns, kForever, mask_of(kFrontComponent) | mask_of(kCellComponent)),
                 topology) == "outage a front+cell at 0.000000001s for good");
  Fault partition{
      at(1s), 2s, Partition{{{DatacenterId(0)}, {DatacenterId(1), DatacenterId(2)}}}, {}};
  CHECK(describe(partition, topology) == "partition a | b,c at 1s for 2s");
  partition.kind = "flapping";
  CHECK(describe(partition, topology) == "flapping a | b,c at 1s for 2s");
  CHECK(name_of(partition) == "flapping");
}

TEST_CASE("E-08 a process that loses its memory is back at once; effective if it had some") {
  class Memory final : public Probe {
   public:
    bool keeps_in_memory(const Node&) const override { return something; }
    std::optional<std::uint64_t> version_in(const Body&) const override { return {}; }
    std::optional<Statement> statement_in(const Body&) const override { return {}; }
    bool something = false;
  };
  SimWorld world;
  Memory memory;
  int lives = 0;
  int heard = 0;
  world.hooks[1].start = [&](Context&) { ++lives; };
  world.hooks[1].message = [&](Context&, NodeId, const Body&) { ++heard; };
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(1ms)); };
  world.hooks[0].timer = [](Context& context, TimerKind) {
    context.send(NodeId(1), Body::make(Silent{}));
    if (context.now() < mono(100ms)) context.set_timer(0, context.now() + 1ms);
  };
  const auto loss = [](Duration when) {
    return Fault{at(when), Duration::zero(), LoseMemory{NodeId(1)}, "cache_loss"};
  };
  world.run.set_faults({loss(20ms), loss(40ms), crash(60ms, 1, 20ms), loss(70ms)});
  world.run.set_probe(memory);
  world.run.start();
  world.to(30ms);
  memory.something = true;
  world.to(1s);
  CHECK(lives == 4);  // the crash's among them; a process that is down loses nothing
  CHECK(heard >= 78);
  CHECK(heard <= 82);
  CHECK_FALSE(world.run.faults().effective(0));
  CHECK(world.run.faults().effective(1));
  CHECK_FALSE(world.run.faults().effective(3));
  CHECK(describe(world.run.faults().list()[1], world.run.topology()) ==
        "cache_loss a/worker/1 at 0.04s for 0s");
}

TEST_CASE("a victim given by its role is searched when the fault begins") {
  class Part final : public VictimChooser {
   public:
    std::optional<NodeId> choose(const Victim& victim) override {
      asked.push_back(victim.number);
      return chosen;
    }
    std::optional<NodeId> chosen{};
    std::vector<std::uint32_t> asked{};
  };
  SimWorld world;
  Part part;
  Fault fault;
  fault.at = at(10ms);
  fault.duration = 20ms;
  fault.action = CrashProcess{{}, Victim{7, "the leader"}};
  CHECK(describe(fault, world.run.topology()) == "process_crash the leader at 0.01s for 0.02s");
  world.run.set_faults({fault});
  world.run.set_chooser(part);
  world.run.start();
  world.to(35ms);  // no process has the role yet
  CHECK(part.asked == std::vector<std::uint32_t>{7, 7, 7});
  CHECK_FALSE(world.run.faults().effective(0));
  part.chosen = NodeId(3);
  world.to(45ms);
  CHECK_FALSE(world.run.processes().at(NodeId(3)).up());
  CHECK(world.run.faults().effective(0));
  CHECK(world.sink.count(trace::Kind::process_crashed) == 1);
  part.chosen = NodeId(4);  // the fault stays with its victim when the role moves
  world.to(70ms);
  CHECK(world.run.processes().at(NodeId(3)).incarnation() == Incarnation(2));
  CHECK(world.run.processes().at(NodeId(4)).incarnation() == Incarnation(1));
}

TEST_CASE("A-25 an outage hits the processes of its component class only, and ends") {
  SimWorld world;
  world.run.set_faults({outage(10ms, 20ms, mask_of(kFrontComponent))});
  world.run.start();
  world.to(15ms);
  CHECK_FALSE(world.run.processes().at(NodeId(0)).up());
  CHECK(world.run.processes().at(NodeId(1)).up());
  CHECK(world.run.processes().at(NodeId(2)).up());
  world.to(40ms);
  CHECK(world.run.processes().at(NodeId(0)).incarnation() == Incarnation(2));
  CHECK(world.sink.count(trace::Kind::outage_began) == 1);
  CHECK(world.sink.count(trace::Kind::outage_ended) == 1);
  CHECK(world.sink.count(trace::Kind::fault_effect) == 1);
}

TEST_CASE("DESIGN-6 the effect of a fault is recorded where it happened") {
  SimWorld world;
  world.hooks[5].start = [](Context& context) {
    context.set_timer(0, context.now() + Duration(100ms));
  };
  world.hooks[5].timer = [](Context& context, TimerKind) {
    context.send(NodeId(0), Body::make(Note{}));
  };
  Fault partition;
  partition.at = at(30ms);
  partition.duration = 500ms;
  partition.action = Partition{against_all_others({DatacenterId(2)}, world.run.topology())};
  world.run.set_faults({crash(10ms, 2, 1ms), partition});
  world.run.start();
  world.to(1s);
  std::vector<DatacenterId> places;
  for (const trace::Record& record : world.sink.records) {
    if (record.header.kind == trace::Kind::fault_effect) {
      places.push_back(record.header.datacenter);
    }
  }
  CHECK(places == std::vector{DatacenterId(1), DatacenterId(2)});
}

TEST_CASE("a process held down by two faults restarts when the last one ends") {
  SimWorld world;
  world.run.set_faults({crash(10ms, 0, 50ms), outage(20ms, 10ms, kAllComponents),
                        crash(22ms, 0, 1ms), crash(70ms, 0, kForever)});
  world.run.start();
  world.to(45ms);
  CHECK_FALSE(world.run.processes().at(NodeId(0)).up());
  CHECK(world.run.processes().at(NodeId(1)).incarnation() == Incarnation(2));
  world.to(65ms);
  CHECK(world.run.processes().at(NodeId(0)).incarnation() == Incarnation(2));
  CHECK(world.run.faults().effective(0));
  CHECK(world.run.faults().effective(1));  // it killed the other process
  CHECK_FALSE(world.run.faults().effective(2));
  CHECK_FALSE(world.run.faults().effective(3));
}

namespace {

// Which of the faults had an effect, once all of them are over. All take down process 0.
std::vector<bool> effective(std::vector<Fault> faults) {
  SimWorld world;
  const std::size_t count = faults.size();
  world.run.set_faults(std::move(faults));
  world.run.start();
  world.to(1s);
  CHECK(world.run.processes().at(NodeId(0)).up());
  std::vector<bool> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(world.run.faults().effective(i));
  const auto effects = static_cast<std::size_t>(std::ranges::count(result, true));
  CHECK(world.sink.count(trace::Kind::fault_effect) == effects);
  return result;
}

}  // namespace

TEST_CASE("a fault that only keeps down what another has killed is effective if it lasts longer") {
  const ComponentMask front = mask_of(kFrontComponent);
  using Effects = std::vector<bool>;
  SECTION("whatever its kind") {
    CHECK(effective({crash(10ms, 0, 10ms), crash(15ms, 0, 10ms)}) == Effects{true, true});
    CHECK(effective({crash(10ms, 0, 10ms), outage(15ms, 10ms, front)}) == Effects{true, true});
    CHECK(effective({outage(10ms, 10ms, kAllComponents), host_crash(15ms, 10ms)}) ==
          Effects{true, true});
  }
  SECTION("also when it begins at the very time at which the other ends") {
    CHECK(effective({outage(4ms, 5ms, kAllComponents), outage(9ms, 20ms, front)}) ==
          Effects{true, true});
  }
  SECTION("not when the other lasts as long, or longer") {
    CHECK(effective({crash(10ms, 0, 20ms), outage(15ms, 10ms, front)}) == Effects{true, false});
    CHECK(effective({crash(10ms, 0, 20ms), outage(20ms, 10ms, front)}) == Effects{true, false});
  }
}

TEST_CASE("of several faults that hold a process, the redundant ones are inert") {
  using Effects = std::vector<bool>;
  SECTION("a chain: each takes over from its predecessor") {
    CHECK(effective({crash(10ms, 0, 10ms), crash(18ms, 0, 10ms), crash(26ms, 0, 10ms)}) ==
          Effects{true, true, true});
  }
  SECTION("the longest takes over; one inside it has no effect") {
    CHECK(effective({crash(10ms, 0, 10ms), crash(12ms, 0, 20ms), crash(14ms, 0, 40ms)}) ==
          Effects{true, false, true});
  }
  SECTION("two of a kind: one of them is needed") {
    const auto both = effective({crash(10ms, 0, 10ms), crash(12ms, 0, 20ms), crash(12ms, 0, 20ms)});
    CHECK(std::ranges::count(both, true) == 2);
  }
  SECTION("a fault that comes after the succession is settled waits its turn") {
    CHECK(effective({crash(10ms, 0, 10ms), crash(12ms, 0, 30ms), crash(25ms, 0, 5ms),
                     crash(35ms, 0, 30ms)}) == Effects{true, true, false, true});
  }
}

TEST_CASE("J-P0 a fault whose process is kept down until all is healed is effective") {
  SimWorld world;
  world.run.set_faults({crash(10ms, 0, 10ms), crash(15ms, 0, kForever), crash(16ms, 0, kForever)});
  world.run.start();
  world.to(50ms);
  CHECK_FALSE(world.run.faults().effective(1));  // not known before it ends
  world.run.heal_all();
  CHECK(world.run.processes().at(NodeId(0)).up());
  CHECK(world.sink.count(trace::Kind::fault_effect) == 2);
}

TEST_CASE("J-P0 heal_all ends every fault, restarts every process, clears the network's faults") {
  LinkFaults links;
  links.loss = Chance(1.0);
  SimWorld world(1, links);
  int received = 0;
  Fault cut;
  cut.at = at(5ms);
  cut.action = Partition{against_all_others({DatacenterId(1)}, world.run.topology())};
  world.run.set_faults(
      {crash(1ms, 0, kForever), cut, outage(6ms, 1h, kAllComponents), crash(1s, 4, 1ms)});
  world.hooks[2].start = [](Context& context) { context.set_timer(0, mono(30ms)); };
  world.hooks[2].timer = [](Context& context, TimerKind) {
    context.send(NodeId(0), Body::make(Note{}));
  };
  world.hooks[0].message = [&](Context&, NodeId, const Body&) { ++received; };
  world.run.start();
  world.to(20ms);
  CHECK_FALSE(world.run.processes().at(NodeId(1)).up());
  world.run.heal_all();
  world.to(2h);
  for (std::uint32_t node = 0; node < 6; ++node) CHECK(world.run.processes().at(NodeId(node)).up());
  CHECK(received == 1);
  CHECK(world.run.processes().at(NodeId(4)).incarnation() == Incarnation(1));  // never arrived
}

namespace {

Fault stop(Duration when, std::uint32_t node, Duration down) {
  Fault fault = crash(when, node, down);
  fault.action = StopProcess{NodeId(node), std::nullopt};
  return fault;
}

// Process 0 needs `drain` from its stop request on.
struct Draining {
  explicit Draining(std::vector<Fault> faults, Duration drain = 30ms) {
    world.hooks[0].stop = [this, drain](Context& context) {
      ++asked;
      context.set_timer(1, context.now() + drain);
      drained = false;
    };
    world.hooks[0].timer = [this](Context&, TimerKind) { drained = true; };
    world.hooks[0].may_end = [this] { return drained; };
    world.run.set_faults(std::move(faults));
    world.run.start();
  }
  Process& process() { return world.run.processes().at(NodeId(0)); }
  SimWorld world;
  int asked = 0;
  bool drained = false;
};

}  // namespace

TEST_CASE("D-23 a process with a stop request is ended when it is ready, and then restarted") {
  Draining run({stop(10ms, 0, 20ms)});
  run.world.to(35ms);
  CHECK(run.asked == 1);
  CHECK(run.process().incarnation() == Incarnation(1));
  CHECK(run.process().up());
  run.world.to(55ms);
  CHECK_FALSE(run.process().up());
  CHECK(run.world.run.faults().effective(0));
  run.world.to(100ms);
  CHECK(run.process().incarnation() == Incarnation(2));
  CHECK(run.asked == 1);
  const auto ended = std::ranges::find_if(run.world.sink.records, [](const trace::Record& record) {
    return record.header.kind == trace::Kind::process_crashed;
  });
  REQUIRE(ended != run.world.sink.records.end());
  CHECK(ended->as<trace::ProcessCrashed>().in_order == 1);
}

TEST_CASE("D-23 a process that crashes while it stops is exempt from the stop") {
  Draining run({stop(10ms, 0, 20ms), crash(15ms, 0, 5ms)});
  run.world.to(500ms);
  CHECK(run.process().incarnation() == Incarnation(2));
  CHECK_FALSE(run.world.run.faults().effective(0));
  CHECK(run.world.run.faults().effective(1));
  CHECK(run.world.sink.count(trace::Kind::process_crashed) == 1);
}

TEST_CASE("D-23 J-P0 a process with a stop request at healing still ends, and restarts at once") {
  Draining run({stop(10ms, 0, 1h), stop(3s, 0, 1h)}, 2s);
  run.world.to(100ms);
  run.world.run.heal_all();
  CHECK(run.process().incarnation() == Incarnation(1));
  run.world.to(5s);
  CHECK(run.process().incarnation() == Incarnation(2));
  CHECK(run.process().up());
  CHECK(run.world.run.faults().effective(0));
  CHECK(run.asked == 1);  // planned faults are forgotten
}

TEST_CASE("J-P0 heal_all ends a pause") {
  SimWorld world;
  std::vector<Duration> ticks;
  world.hooks[0].start = [](Context& context) { context.set_timer(0, mono(15ms)); };
  world.hooks[0].timer = [&](Context& context, TimerKind) {
    ticks.push_back(context.now() - MonotonicTime{});
  };
  Fault pause = crash(10ms, 0, 1h);
  pause.action = PauseProcess{NodeId(0)};
  world.run.set_faults({pause});
  world.run.start();
  world.to(40ms);
  CHECK(ticks.empty());
  world.run.heal_all();
  world.to(2h);
  CHECK(ticks == std::vector<Duration>{40ms});
}

TEST_CASE("D-23 a stop describes itself") {
  CHECK(describe(stop(5ns, 3, 7ns), three_datacenters()) ==
        "graceful_restart b/worker/1 at 0.000000005s for 0.000000007s");
}

}  // namespace photon::sim
