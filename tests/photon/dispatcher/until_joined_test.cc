// The dispatcher's promise: every click is sent to joiners until its registration is known.

#include <algorithm>
#include <set>
#include <vector>

#include "core_impl/base/hash.h"
#include "core_impl/base/record_codec.h"
#include "core_impl/logs/event.h"
#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

TEST_CASE("C-01 C-27 an unregistered click is retried for days, until it is registered elsewhere") {
  DispatcherWorld world;
  world.config.backoff.cap = 10min;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  for (std::uint32_t i = 1; i <= 20; ++i) world.write_click(1, 0, click_id(i), query_id(i));
  world.start();
  world.harness.run_for(48h);
  CHECK(world.done().empty());
  CHECK(world.journal().saved.size() == 20);
  std::vector<std::size_t> tries;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    const auto sends = world.sends_of(click_id(i));
    tries.push_back(sends.size());
    REQUIRE(sends.size() > 200);  // two days of pauses of ten minutes
    CHECK(world.harness.now() - from_nanoseconds<MonotonicTime>(sends.back().at) < 15min);
  }
  // Another pipeline registers ten of them: their next look-up ends them, without a send.
  for (std::uint32_t i = 1; i <= 10; ++i) {
    world.registry.ids.emplace(click_id(i), Token{99, 1, i});
  }
  world.harness.run_for(30min);
  const auto done = world.done();
  CHECK(done.size() == 10);
  for (std::uint32_t i = 1; i <= 20; ++i) {
    CHECK(done.contains(click_id(i)) == (i <= 10));
    const std::size_t more = world.sends_of(click_id(i)).size() - tries[i - 1];
    CHECK((more == 0) == (i <= 10));
  }
  CHECK(world.journal().saved.size() == 10);
}

TEST_CASE("C-01 D-24 every click is delivered until it is joined, over lost calls and crashes") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    DispatcherWorld world(seed);
    world.config.backoff.initial = 200ms;
    world.config.backoff.cap = 5s;
    world.config.send_timeout = 1s;
    std::uint64_t lost = 0;
    // Of three calls one is lost, or its answer is, or it is refused.
    world.joiner = [&](const auto& sent) -> std::optional<JoinOutcome> {
      switch (mix(combine(seed, sent.request)) % 6) {
        case 0:
          ++lost;
          return std::nullopt;
        case 1:
          world.registry.ids.emplace(sent.click, Token{sent.joiner.value(), 1, 1});
          world.finished.insert(sent.click);
          ++lost;
          return std::nullopt;
        case 2:
        case 3:
          return JoinOutcome::too_many_in_flight;
        default:
          return JoinOutcome::joined;
      }
    };
    constexpr std::uint32_t kClicks = 120;
    for (std::uint32_t i = 1; i <= kClicks; ++i) {
      world.write_click(1, 0, click_id(i), query_id(i));
    }
    world.start();
    for (std::uint64_t crash = 0; crash < 12; ++crash) {
      world.harness.run_for(Duration(mix(combine(seed, crash)) % 1'500'000'000));
      CHECK_FALSE(world.unprotected_click());
      world.restart();
    }
    world.harness.run_for(60s);
    CHECK(world.finished.size() == kClicks);
    CHECK(world.registry.ids.size() == kClicks);
    CHECK(world.done().size() == kClicks);
    CHECK(world.journal().saved.empty());
    CHECK(lost > 20);
  }
}

TEST_CASE(
    "F-08 a saved click that is brought back is looked up from after its removal, in all lives") {
  DispatcherWorld world;
  world.config.reinjected = Reinjected::taken;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  std::uint64_t at_least = 0;  // of the latest look-up
  const auto serve = world.harness.world;
  world.harness.world = [&](NodeId to, const Body& body) {
    if (body.type() == RegistryRequest::kType) at_least = body.as<RegistryRequest>().at_least;
    serve(to, body);
  };
  world.write_click(1, 0, click_id(1), query_id(1));
  world.start();
  world.harness.run_for(3s);
  CHECK(at_least == 0);
  world.restart();  // now it waits in the store of an earlier life
  world.harness.run_for(3s);
  Bytes returned;
  append_encoded(logs::ReinjectedEvent{{click_id(1), query_id(1), bytes_of("click")}, 77},
                 returned);
  world.harness.volumes[DispatcherWorld::kCell.value()].add("reinjected/00009/00001", returned);
  world.harness.run_for(60s);
  CHECK(at_least == 77);
  world.restart();
  world.harness.run_for(60s);
  CHECK(at_least == 77);
  REQUIRE(world.journal().saved.size() == 1);
  CHECK(world.journal().saved[0].removed_at == 77);
  CHECK(world.worker->pending() == 1);
}

TEST_CASE("F-08 a removal counts also after the click's own log has brought the click once more") {
  DispatcherWorld world;
  world.config.reinjected = Reinjected::taken;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  std::uint64_t at_least = 0;  // of the latest look-up
  const auto serve = world.harness.world;
  world.harness.world = [&](NodeId to, const Body& body) {
    if (body.type() == RegistryRequest::kType) at_least = body.as<RegistryRequest>().at_least;
    serve(to, body);
  };
  Bytes returned;
  append_encoded(logs::ReinjectedEvent{{click_id(1), query_id(1), bytes_of("click")}, 77},
                 returned);
  world.harness.volumes[DispatcherWorld::kCell.value()].add("reinjected/00009/00001", returned);
  world.start();
  world.harness.run_for(3s);
  REQUIRE(at_least == 77);
  world.restart();  // now it waits in the store of an earlier life
  world.harness.run_for(3s);
  world.write_click(1, 0, click_id(1), query_id(1));
  world.harness.run_for(60s);
  CHECK(world.worker->statistics().clicks_read_again == 1);
  CHECK(at_least == 77);
  REQUIRE(world.journal().saved.size() == 1);
  CHECK(world.journal().saved[0].removed_at == 77);
}

TEST_CASE("C-31 F-08 unregistered returns wait for the backlog, removed ones do not") {
  DispatcherWorld world;
  world.config.reinjected = Reinjected::taken;
  world.config.max_outstanding_lookups = 1;
  world.join_delay = 1ms;
  SECTION("all are equal") {}
  SECTION("a share is kept for fresh ones") { world.config.fresh_share_permille = 200; }
  constexpr std::uint32_t kBacklog = 200;
  Bytes unregistered;
  for (std::uint32_t i = 1; i <= kBacklog; ++i) {
    world.write_click(1, 0, click_id(i), query_id(i));
    const std::uint32_t other = 1000 + i;
    append_encoded(logs::ReinjectedEvent{{click_id(other), query_id(other), bytes_of("click")}, 0},
                   unregistered);
  }
  const EventId removed = click_id(999);
  Bytes urgent;
  append_encoded(logs::ReinjectedEvent{{removed, query_id(999), bytes_of("click")}, 77}, urgent);
  auto& cell = world.harness.volumes[DispatcherWorld::kCell.value()];
  cell.add("reinjected/00009/00001", unregistered);
  cell.add("reinjected/00010/00001", urgent);
  std::vector<EventId> asked;
  const auto serve = world.harness.world;
  world.harness.world = [&](NodeId to, const Body& body) {
    if (body.type() == RegistryRequest::kType) {
      for (const auto& item : body.as<RegistryRequest>().items) asked.push_back(item.id);
    }
    serve(to, body);
  };
  world.harness.run_for(1h);  // so all is old
  world.start();
  world.harness.run_for(60s);
  REQUIRE(asked.size() >= 2 * kBacklog + 1);
  CHECK(std::ranges::find(asked, removed) - asked.begin() < 5);
  const auto again =
      std::ranges::count_if(asked.begin(), asked.begin() + kBacklog,
                            [](const EventId& click) { return click.process > 1000; });
  CHECK(again < 5);  // until one is read, their kind is unknown
  CHECK(world.finished.size() == 2 * kBacklog + 1);
}
