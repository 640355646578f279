// The joiner's caps, its output under a failing volume, crashes and fencing.

#include <algorithm>
#include <set>

#include "core_impl/base/random.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "tests/photon/joiner/joiner_world.h"
#include "tests/support/catch.h"
#include "tests/support/resource_uses.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

using Outcomes = std::vector<JoinOutcome>;

}  // namespace

TEST_CASE("D-02 J-S12 beyond max_in_flight requests are refused at once") {
  JoinerWorld world;
  world.config.max_in_flight = 5;
  world.query_delay = 500ms;
  world.start();
  world.harness.run_for(100ms);
  std::vector<std::uint64_t> requests;
  for (std::uint32_t i = 0; i < 8; ++i) requests.push_back(world.ask(i));
  world.harness.run_for(100ms);
  CHECK(world.replies.size() == 3);
  for (const JoinReply& reply : world.replies) {
    CHECK(reply.outcome == JoinOutcome::too_many_in_flight);
  }
  CHECK(world.joiner->in_flight() == 5);
  world.harness.run_for(5s);
  CHECK(world.output().size() == 5);
}

TEST_CASE("D-14 J-S12 outstanding registrations stay below their cap, arrivals are throttled") {
  JoinerWorld world;
  world.config.max_outstanding_registry = 4;
  world.config.max_window = 10;
  world.registry_receives = false;
  world.start();
  world.harness.run_for(100ms);
  for (std::uint32_t i = 0; i < 12; ++i) world.ask(i);
  world.harness.run_for(2s);
  CHECK(world.most_inserts == 4);
  CHECK(world.joiner->window() == 4);
  CHECK(world.joiner->in_flight() == 12);  // the others wait, unregistered
  const auto late = world.ask(50);
  world.harness.run_for(2s);
  CHECK(world.answers_of(late) == Outcomes{JoinOutcome::registry_throttled});
  world.registry_receives = true;
  world.harness.run_for(20s);
  CHECK(world.output().size() == 12);
  CHECK(world.most_inserts == 4);
}

TEST_CASE("D-14 D-15 D-22 J-S12 a joiner reports its caps, what is below them, and what waits") {
  using enum trace::Resource;
  JoinerWorld world;
  world.config.max_in_flight = 50;
  world.config.max_outstanding_registry = 4;
  world.config.max_window = 10;
  world.config.max_outstanding_per_shard = GENERATE(0U, 3U);
  world.registry_receives = false;
  world.start();
  world.harness.run_for(100ms);
  for (std::uint32_t i = 0; i < 12; ++i) world.ask(i);
  world.harness.run_for(2s);
  const auto uses = uses_of(*world.joiner);
  if (world.config.max_outstanding_per_shard == 0) {
    CHECK(uses.size() == 3);
    CHECK(uses.at(joiner_clicks) == Use{12, 50, 0});
    CHECK(uses.at(joiner_registrations) == Use{4, 4, 8});
    CHECK(uses.at(joiner_window) == Use{4, 10, 8});
  } else {
    CHECK(uses.size() == 4);
    CHECK(uses.at(joiner_clicks) == Use{3, 50, 0});  // the others are refused
    CHECK(uses.at(joiner_registrations) == Use{3, 4, 0});
    CHECK(uses.at(joiner_shard) == Use{3, 3, 0});
    CHECK(uses.at(joiner_window) == Use{3, 10, 0});
  }
}

TEST_CASE("D-15 J-S12 M-17 the window runs until the output is durable, not until the reply") {
  JoinerWorld world;
  world.config.max_outstanding_registry = 6;
  world.config.max_window = 6;
  world.start();
  world.harness.run_for(100ms);
  CHECK(world.joiner->statistics().window_max == 0);  // nothing was registered
  world.harness.io_fate = [](const VolumeRequest&) { return IoFate::lost; };
  for (std::uint32_t i = 0; i < 40; ++i) {
    world.ask(i);
    world.harness.run_for(50ms);
  }
  CHECK(world.joiner->window() == 6);
  CHECK(world.most_window == 6);
  CHECK(world.registry.ids.size() == 6);  // what a crash now would lose
  CHECK(world.joiner->statistics().answered(JoinOutcome::registry_throttled) == 34);
  world.harness.io_fate = nullptr;
  world.harness.run_for(5s);
  CHECK(world.joiner->window() == 0);
  CHECK(world.output().size() == 6);
  CHECK(world.joiner->statistics().window_max == 6);
}

TEST_CASE("D-20 M-17 slow output and crash: exactly the attempts in the window are lost") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, Purpose::test, 3);
    std::uint64_t draw = 0;
    JoinerWorld world(seed);
    world.config.max_outstanding_registry = 20;
    world.config.max_window = 20;
    world.harness.io_delay = 200ms;
    world.reply_copies = [&](const RegistryRequest&) {
      return static_cast<int>(uniform_below(random.word(++draw), 3));
    };
    world.start();
    world.harness.run_for(100ms);
    for (std::uint32_t i = 0; i < 100; ++i) {
      world.ask(i);
      world.harness.run_for(Duration(uniform_below(random.word(++draw), 20'000'000)));
    }
    world.harness.run_for(Duration(uniform_below(random.word(++draw), 3'000'000'000)));
    const std::size_t window = world.joiner->window();
    std::set<EventId> written;
    for (const auto& record : world.output()) written.insert(record.click);
    std::size_t open = 0;
    for (const auto& [click, token] : world.registry.ids) open += written.contains(click) ? 0 : 1;
    CHECK(open <= window);
    CHECK(window <= 20);
    const auto word = random.word(++draw);
    world.restart([&](const VolumeRequest& request) -> std::size_t {
      return uniform_below(word, request.data.size() + 1);
    });
    world.harness.run_for(5s);
    // Requested again, nothing of the first life is written a second time.
    for (std::uint32_t i = 0; i < 100; ++i) {
      world.ask(i);
      world.harness.run_for(30ms);
    }
    world.harness.run_for(60s);
    std::multiset<EventId> all;
    for (const auto& record : world.output()) all.insert(record.click);
    CHECK(std::set<EventId>(all.begin(), all.end()).size() == all.size());  // J-S1
    std::size_t lost = 0;
    for (const auto& [click, token] : world.registry.ids) lost += all.contains(click) ? 0 : 1;
    CHECK(lost <= window);
  }
}

TEST_CASE("D-16 M-18 an append that fails is repeated until durable, and takes effect once") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, Purpose::test, 4);
    std::uint64_t draw = 0;
    JoinerWorld world(seed);
    world.harness.io_fate = [&](const VolumeRequest&) {
      const auto word = random.word(++draw) % 4;
      return word == 0 ? IoFate::lost : word == 1 ? IoFate::unconfirmed : IoFate::done;
    };
    world.start();
    world.harness.run_for(100ms);
    for (std::uint32_t i = 0; i < 60; ++i) {
      world.ask(i);
      world.harness.run_for(3ms);
    }
    world.harness.run_for(20s);
    REQUIRE(world.output().size() == 60);
    std::set<EventId> clicks;
    for (const auto& record : world.output()) clicks.insert(record.click);
    CHECK(clicks.size() == 60);
    CHECK(world.joiner->statistics().answered(JoinOutcome::joined) == 60);
    // One registration each: the output stage never returned to the registry.
    CHECK(world.registry.tokens_asked.size() == 60);
  }
}

TEST_CASE("D-19 M-14 success is answered only when the output is durable") {
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  world.harness.io_delay = 2s;
  const auto request = world.ask(1);
  world.harness.run_for(1900ms);
  CHECK(world.registry.ids.size() == 1);
  CHECK(world.answers_of(request).empty());
  world.harness.run_for(1s);
  CHECK(world.answers_of(request) == Outcomes{JoinOutcome::joined});
}

TEST_CASE("D-13 an attempt outlives the dispatcher's time-out") {
  JoinerWorld world;
  world.registry_receives = false;
  world.start();
  world.harness.run_for(100ms);
  const auto request = world.ask(1);
  world.harness.run_for(3600s);  // no dispatcher waits for this any more
  world.registry_receives = true;
  world.harness.run_for(20s);  // repetitions have slowed down to one in 16 s
  CHECK(world.outputs_of(1) == 1);
  CHECK(world.answers_of(request).size() == 1);
}

TEST_CASE("F-06 a fenced life writes nothing more, answers nothing, and reports it") {
  JoinerWorld world;
  world.start();
  world.harness.run_for(100ms);
  world.ask(1);
  world.harness.run_for(1s);
  REQUIRE(world.output().size() == 1);
  CHECK(world.joiner->statistics().fenced == 0);
  VolumeRequest fence;
  fence.operation = VolumeOperation::fence;
  fence.file = directory_of(kOutputPrefix, JoinerWorld::kSelf);
  fence.epoch = 2;
  static_cast<void>(world.harness.volumes[2].execute(fence));
  const auto second = world.ask(2);
  world.harness.run_for(10s);
  CHECK(world.joiner->statistics().fenced == 1);
  CHECK(world.output().size() == 1);
  CHECK(world.answers_of(second).empty());
  const auto third = world.ask(3);
  world.harness.run_for(10s);
  CHECK(world.answers_of(third).empty());
  CHECK_FALSE(world.registry.ids.contains(click_id(3)));
}

TEST_CASE("D-08 joined records are written in groups while an append is in flight") {
  JoinerWorld world;
  std::uint64_t appends = 0;
  world.harness.io_fate = [&](const VolumeRequest&) {
    ++appends;
    return IoFate::done;
  };
  world.harness.io_delay = 100ms;
  world.start();
  world.harness.run_for(100ms);
  for (std::uint32_t i = 0; i < 90; ++i) {
    world.ask(i);
    world.harness.run_for(1ms);
  }
  world.harness.run_for(2s);
  CHECK(world.output().size() == 90);
  CHECK(appends <= 4);
}
