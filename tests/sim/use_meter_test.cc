#include "sim/use_meter.h"

#include <map>
#include <tuple>

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

using trace::Resource;
using trace::ResourceUsed;

// A world whose processes hold what a test says, sampled every 10 ms.
struct Measured : SimWorld {
  explicit Measured(Duration interval = 10ms)
      : SimWorld(1, {}, three_datacenters(), nullptr, interval) {}

  // Records of a resource of a process or, with kNoNode, of a volume.
  std::vector<std::pair<SimTime, ResourceUsed>> samples(Resource resource, NodeId node) const {
    std::vector<std::pair<SimTime, ResourceUsed>> found;
    for (const trace::Record& record : sink.records) {
      if (record.header.kind != trace::Kind::resource_used || record.header.node != node) continue;
      const auto& used = record.as<ResourceUsed>();
      if (used.resource == resource) found.emplace_back(record.header.at, used);
    }
    return found;
  }
};

// Process 1 changes what it uses at these times.
void use_at(Measured& world, const std::vector<std::tuple<Duration, int, int>>& changes,
            std::uint64_t limit, std::pair<std::uint64_t, std::uint64_t>& state) {
  world.hooks[1].use = [&state, limit](UseSink& sink) {
    sink.use({Resource::joiner_clicks, state.first, limit, state.second});
  };
  world.hooks[1].message = [&state, changes](Context&, NodeId, const Body& body) {
    const auto& [when, used, waiting] = changes[body.as<Note>().value];
    state = {static_cast<std::uint64_t>(used), static_cast<std::uint64_t>(waiting)};
  };
  // A message inside the datacenter takes 1 ms.
  world.hooks[0].start = [changes](Context& context) {
    context.set_timer(0, context.now() + std::get<0>(changes.front()) - 1ms);
  };
  world.hooks[0].timer = [changes, next = std::size_t{0}](Context& context, TimerKind) mutable {
    context.send(NodeId(1), Body::make(Note{next, {}}));
    if (++next < changes.size()) {
      const Duration pause = std::get<0>(changes[next]) - std::get<0>(changes[next - 1]);
      context.set_timer(0, context.now() + pause);
    }
  };
}

TEST_CASE("use meter: the sums are integrals over time, whatever the boundaries") {
  Measured world;
  std::pair<std::uint64_t, std::uint64_t> state{0, 0};
  // 3 used from 4 ms on, 5 (the limit) and 2 waiting from 8 ms, 1 used from 23 ms on.
  use_at(world, {{4ms, 3, 0}, {8ms, 5, 2}, {23ms, 1, 0}, {41ms, 1, 0}}, 5, state);
  world.run.start();
  world.to(60ms);
  const auto samples = world.samples(Resource::joiner_clicks, NodeId(1));
  REQUIRE(samples.size() >= 4);
  const auto ms = [](double value) { return static_cast<std::uint64_t>(value * 1'000'000); };
  CHECK(samples[0].first == at(10ms));
  CHECK(samples[0].second.nanoseconds == Duration(10ms).count());
  CHECK(samples[0].second.used_sum == ms(3 * 4 + 5 * 2));
  CHECK(samples[0].second.waiting_sum == ms(2 * 2));
  CHECK(samples[0].second.full_nanoseconds == ms(2));
  CHECK(samples[0].second.used_max == 5);
  CHECK(samples[0].second.waiting_max == 2);
  CHECK(samples[0].second.limit == 5);
  CHECK(samples[1].second.used_sum == ms(5 * 10));
  CHECK(samples[1].second.full_nanoseconds == ms(10));
  CHECK(samples[1].second.waiting_sum == ms(2 * 10));
  CHECK(samples[2].second.used_sum == ms(5 * 3 + 1 * 7));
  CHECK(samples[2].second.used_max == 5);
  CHECK(samples[3].second.used_max == 1);
}

TEST_CASE("use meter: the work of a process, and what waits for it") {
  Measured world;
  ServiceTimes times;
  times.add(
      ServiceTimes::Message{2, Note::kType, 4ms, [](const Body&) -> std::uint64_t { return 1; }});
  world.run.set_service_times(std::move(times));
  // Three messages at 1 ms: busy from 1 to 13 ms; two wait, then one from 5 to 9 ms.
  world.hooks[0].start = [](Context& context) {
    for (std::uint64_t i = 0; i < 3; ++i) context.send(NodeId(1), Body::make(Note{i, {}}));
    context.set_timer(0, context.now() + 50ms);
  };
  world.run.start();
  world.to(60ms);
  const auto samples = world.samples(Resource::processor, NodeId(1));
  REQUIRE(samples.size() >= 2);
  const auto ms = [](std::uint64_t value) { return value * 1'000'000; };
  CHECK(samples[0].second.used_sum == ms(9));
  CHECK(samples[0].second.waiting_sum == ms(2 * 4 + 1 * 4));
  CHECK(samples[0].second.waiting_max == 2);
  CHECK(samples[1].first == at(20ms));
  CHECK(samples[1].second.used_sum == ms(3));
}

TEST_CASE("use meter: a process that crashes uses nothing") {
  Measured world;
  std::pair<std::uint64_t, std::uint64_t> state{0, 0};
  use_at(world, {{2ms, 4, 1}, {45ms, 0, 0}}, 8, state);
  world.run.set_faults({crash(15ms, 1, 1s)});
  world.run.start();
  world.to(60ms);
  const auto samples = world.samples(Resource::joiner_clicks, NodeId(1));
  REQUIRE(samples.size() == 2);  // nothing after the crash
  CHECK(samples[0].second.used_sum == 4 * 8 * 1'000'000);
  CHECK(samples[1].second.used_sum == 4 * 5 * 1'000'000);
}

TEST_CASE("use meter: requests to a volume that are under way, those of a dead process as well") {
  Measured world;
  world.hooks[1].start = [](Context& context) {
    VolumeRequest append = request(VolumeOperation::append, 0);
    append.data = bytes_of("x");
    context.submit(std::move(append));
    context.submit(request(VolumeOperation::list, 1));
    context.set_timer(0, context.now() + 25ms);
  };
  world.run.start();
  world.to(30ms);
  std::uint64_t sum = 0;
  for (const trace::Record& record : world.sink.records) {
    if (record.header.kind != trace::Kind::resource_used) continue;
    const auto& used = record.as<ResourceUsed>();
    if (used.resource != Resource::volume) continue;
    CHECK(record.header.node == kNoNode);
    CHECK(used.limit == 0);
    sum += used.used_sum;
  }
  // Processes 1, 3 and 5 share the hooks of their own number: only process 1 asks. 2 ms each.
  CHECK(sum == 2 * 2 * 1'000'000);
}

TEST_CASE("use meter: records come at each boundary in order, and change no event of the run") {
  const auto fingerprint = [](Duration interval) {
    Measured world(interval);
    std::pair<std::uint64_t, std::uint64_t> state{0, 0};
    use_at(world, {{4ms, 3, 0}, {8ms, 5, 2}, {23ms, 1, 0}, {41ms, 1, 0}}, 5, state);
    world.run.start();
    world.to(60ms);
    SimTime last{};
    for (const trace::Record& record : world.sink.records) {
      CHECK(record.header.at >= last);
      last = record.header.at;
    }
    return std::pair(world.run.fingerprint(), world.run.events());
  };
  CHECK(fingerprint(10ms) == fingerprint(Duration{0}));
  CHECK(fingerprint(10ms) == fingerprint(7ms));
}

}  // namespace
}  // namespace photon::sim
