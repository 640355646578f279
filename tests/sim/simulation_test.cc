#include "sim/simulation.h"

#include "sim/random_faults.h"
#include "tests/sim/busy_node.h"
#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

// What is changed, late, in an otherwise equal run.
enum class Change : std::uint8_t { nothing, body_bit, draw, delivery, crash_time };

struct Outcome {
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0;
  std::uint64_t trace = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Two extra processes make the late change; the other four are busy with everything, under all
// faults.
Outcome play(std::uint64_t seed, Change change) {
  LinkFaults links;
  links.loss = Chance(0.02);
  links.duplicate = Chance(0.02);
  links.reorder = Chance(0.05);
  links.reorder_delay = 3ms;
  SimWorld world(seed, links);
  world.delays.jitter = 2ms;
  world.storage.jitter = 1ms;
  for (std::uint32_t node = 0; node < 4; ++node) {
    BusyNode::Settings settings;
    settings.peers = 4;
    settings.log = VolumeId(node / 2 * 2 + node % 2);
    world.run.set_factory(NodeId(node),
                          [settings] { return std::make_unique<BusyNode>(settings); });
  }
  world.hooks[4].start = [](Context& context) { context.set_timer(0, mono(900ms)); };
  world.hooks[4].timer = [change](Context& context, TimerKind) {
    Bytes text = bytes_of("late");
    if (change == Change::body_bit) text[3] ^= std::byte{1};
    const std::uint64_t word = context.random(change == Change::draw ? 1 : 0);
    context.send(NodeId(5), Body::make(Note{word, text}));
    if (change == Change::delivery) context.send(NodeId(5), Body::make(Note{word, text}));
  };
  std::vector<RandomFaults> random(2);
  random[0].until = random[1].until = at(800ms);
  random[0].mean_between = 160ms;
  for (const NodeId node : world.run.topology().processes_matching("*/worker/1")) {
    random[0].candidates.push_back({CrashProcess{{node}, std::nullopt}});
  }
  random[0].shortest = random[0].longest = 20ms;
  for (const DatacenterInfo& place : world.run.topology().datacenters()) {
    random[1].candidates.push_back(
        {Partition{against_all_others({place.id}, world.run.topology())}});
  }
  random[1].mean_between = 270ms;
  random[1].shortest = random[1].longest = 30ms;
  const Duration when = change == Change::crash_time ? 950ms + 1ns : 950ms;
  std::vector<Fault> faults = expand(random, seed);
  faults.push_back(crash(when, 5, 10ms));
  sort_by_time(faults);
  world.run.set_faults(std::move(faults));
  world.run.start();
  world.to(1s);
  world.run.heal_all();
  world.to(1100ms);
  std::uint64_t trace = 0;
  for (const trace::Record& record : world.sink.records) {
    trace = combine(trace, hash_bytes(std::as_bytes(std::span(&record, 1))));
  }
  return {world.run.fingerprint(), world.run.events(), trace};
}

}  // namespace

TEST_CASE("J-S17 the same seed gives the same events, trace and fingerprint") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    const Outcome first = play(seed, Change::nothing);
    CHECK(first.events > 10'000);
    CHECK(first == play(seed, Change::nothing));
  }
  CHECK(play(1, Change::nothing).fingerprint != play(2, Change::nothing).fingerprint);
}

TEST_CASE("J-S17 a late change of a body bit, draw, delivery or crash changes the fingerprint") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Outcome plain = play(seed, Change::nothing);
    for (const Change change :
         {Change::body_bit, Change::draw, Change::delivery, Change::crash_time}) {
      INFO("seed " << seed << ", change " << static_cast<int>(change));
      CHECK(play(seed, change).fingerprint != plain.fingerprint);
    }
  }
}

TEST_CASE("slicing a run into many run_until calls changes nothing") {
  const auto run = [](Duration slice) {
    SimWorld world(4);
    for (std::uint32_t node = 0; node < 6; ++node) {
      BusyNode::Settings settings;
      settings.peers = 6;
      settings.log = VolumeId(node / 2 * 2);
      world.run.set_factory(NodeId(node),
                            [settings] { return std::make_unique<BusyNode>(settings); });
    }
    world.run.start();
    for (Duration time = slice; time <= 200ms; time += slice) world.to(time);
    return world.run.fingerprint();
  };
  CHECK(run(200ms) == run(1ms));
}

TEST_CASE("a failed check ends the run with place, time, process and event number") {
  SimWorld world;
  world.hooks[3].start = [](Context& context) { context.set_timer(0, mono(7ms)); };
  world.hooks[3].timer = [](Context&, TimerKind) { PHOTON_CHECK(1 + 1 == 3, "arithmetic"); };
  world.hooks[1].start = [](Context& context) { context.send(NodeId(5), Body::make(Note{})); };
  world.run.start();
  try {
    world.to(1s);
    FAIL("the check did not end the run");
  } catch (const CheckFailed& failed) {
    CHECK(failed.message == "arithmetic");
    CHECK(std::string(failed.site.condition) == "1 + 1 == 3");
    CHECK(failed.at == at(7ms));
    CHECK(failed.target == ActorId(3));
    CHECK(failed.event_number == 1);
    CHECK(std::string(failed.what()).find("arithmetic") != std::string::npos);
  }
}

namespace {

class Clockwork final : public EnvironmentActor {
 public:
  explicit Clockwork(std::uint64_t salt) : salt_(salt) {}
  void on_start(Environment& environment) override { environment.wake_at(at(1ms), 1); }
  void on_wake(Environment& environment, std::uint64_t argument) override {
    environment.emit(DatacenterId(1), trace::LogVisible{argument + salt_, 0});
    if (argument == 5) environment.stop();
    environment.wake_at(environment.now() + 1ms, argument + 1);
  }

 private:
  std::uint64_t salt_;
};

}  // namespace

TEST_CASE("an environment actor wakes itself, emits records in the fingerprint, and can stop") {
  std::vector<std::uint64_t> fingerprints;
  for (const std::uint64_t salt : {0U, 0U, 1U}) {
    SimWorld world;
    Clockwork clockwork(salt);
    world.run.add(clockwork);
    world.run.start();
    world.to(1s);
    CHECK(world.run.now() == at(5ms));
    CHECK(world.sink.count(trace::Kind::log_visible) == 5);
    CHECK(world.sink.records.back().header.source == trace::Source::environment);
    CHECK(world.sink.records.back().header.datacenter == DatacenterId(1));
    fingerprints.push_back(world.run.fingerprint());
  }
  CHECK(fingerprints[0] == fingerprints[1]);
  CHECK(fingerprints[0] != fingerprints[2]);
}

TEST_CASE("the trace is in order of time and starts with the run's phases") {
  SimWorld world;
  world.run.start();
  world.to(10ms);
  world.run.heal_all();
  REQUIRE(world.sink.records.size() == 8);
  CHECK(world.sink.records.front().as<trace::RunPhase>().phase == trace::Phase::started);
  CHECK(world.sink.records.back().as<trace::RunPhase>().phase == trace::Phase::faults_ended);
  CHECK(std::ranges::is_sorted(world.sink.records, {},
                               [](const trace::Record& record) { return record.header.at; }));
}

}  // namespace photon::sim
