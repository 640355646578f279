// A dispatcher worker at its limits: what it reports and counts, and which clicks go first.

#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"
#include "tests/support/resource_uses.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;
using enum trace::Resource;

namespace dispatcher_use_test {
namespace {

void write_clicks(DispatcherWorld& world, std::uint32_t count) {
  for (std::uint32_t i = 1; i <= count; ++i) world.write_click(1, 0, click_id(i), query_id(i));
}

}  // namespace

TEST_CASE("C-33 J-S12 a dispatcher reports look-ups, sends and clicks with their caps") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 7;
  world.config.max_outstanding_sends = 5;
  world.config.max_pending_clicks = 100;
  world.joiner = [](const auto&) { return std::nullopt; };
  world.registry_answers = false;
  write_clicks(world, 30);
  world.start();
  world.harness.run_for(500ms);
  auto uses = uses_of(*world.worker);
  CHECK(uses.size() == 4);
  CHECK(uses.at(dispatcher_lookups) == Use{7, 7, 0});
  CHECK(uses.at(dispatcher_sends) == Use{0, 5, 0});
  CHECK(uses.at(dispatcher_clicks) == Use{7, 100, 0});
  CHECK(uses.at(dispatcher_reads)[1] == world.config.max_concurrent_reads);
  world.registry_answers = true;
  world.harness.run_for(5s);
  uses = uses_of(*world.worker);
  // Looked up, and without room among the sends.
  CHECK(uses.at(dispatcher_lookups) == Use{7, 7, 0});
  CHECK(uses.at(dispatcher_sends) == Use{5, 5, 7});
  CHECK(uses.at(dispatcher_clicks) == Use{12, 100, 0});
}

TEST_CASE("C-33 a dispatcher reports its backlog if it keeps a share for fresh clicks") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 10;
  world.config.fresh_share_permille = 300;
  world.config.fresh_age = 1s;
  world.registry_answers = false;
  world.harness.run_for(60s);
  write_clicks(world, 30);
  world.start();
  world.harness.run_for(500ms);
  auto uses = uses_of(*world.worker);
  CHECK(uses.at(dispatcher_backlog) == Use{7, 7, 0});
  CHECK(uses.at(dispatcher_lookups) == Use{7, 10, 0});
  world.registry_answers = true;
  world.harness.run_for(60s);
  uses = uses_of(*world.worker);
  CHECK(world.finished.size() == 30);
  CHECK(uses.at(dispatcher_backlog) == Use{0, 7, 0});
  CHECK(uses.at(dispatcher_lookups) == Use{0, 10, 0});
  CHECK(uses.at(dispatcher_clicks)[0] == 0);
}

TEST_CASE("C-33 retries that are due and find no look-up are reported as waiting") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 2;
  world.config.backoff = Backoff{1s, 1000, 1s, 0};
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  write_clicks(world, 12);
  world.start();
  while (world.sent.size() < 12) world.harness.step();
  world.registry_answers = false;
  world.harness.run_for(1900ms);
  const auto uses = uses_of(*world.worker);
  CHECK(uses.at(dispatcher_lookups)[0] == 2);
  CHECK(uses.at(dispatcher_lookups)[2] > 5);
  CHECK(uses.at(dispatcher_clicks)[0] == 12);
}

TEST_CASE("G-24 J-S12 where a whole group finds no room, all sends count as used") {
  DispatcherWorld world;
  world.config.group = 3;
  world.config.max_outstanding_sends = 5;
  world.joiner = [](const auto&) { return std::nullopt; };
  write_clicks(world, 6);
  world.start();
  world.harness.run_for(3s);
  CHECK(world.worker->outstanding_sends() == 3);
  CHECK(uses_of(*world.worker).at(dispatcher_sends) == Use{5, 5, 3});
}

TEST_CASE("C-20 a dispatcher counts what happens to its clicks, and nothing else") {
  DispatcherWorld world;
  write_clicks(world, 3);
  world.start();
  world.harness.run_for(5s);
  const DispatcherStatistics& counted = world.worker->statistics();
  CHECK(counted.clicks_taken == 3);
  CHECK(counted.sends == 3);
  CHECK(counted.taken_over == 1);
  const auto nothing = {counted.clicks_read_again, counted.send_timeouts,   counted.rejections,
                        counted.failures,          counted.unknown_lookups, counted.saves,
                        counted.stale_replies,     counted.released,        counted.fenced};
  for (const std::uint64_t count : nothing) CHECK(count == 0);
}

TEST_CASE("J-P6 C-33 retries that never run out leave every other turn to fresh clicks") {
  DispatcherWorld world;
  world.config.max_outstanding_lookups = 1;
  world.config.max_outstanding_sends = 1;
  world.config.backoff = Backoff{100ms, 1000, 100ms, 0};
  world.join_delay = 100ms;  // 10 sends per second
  world.joiner = [](const auto& sent) {
    return sent.click.process <= 60 ? JoinOutcome::query_not_found : JoinOutcome::joined;
  };
  write_clicks(world, 60);
  world.start();
  world.harness.run_for(20s);
  REQUIRE(world.worker->saved() == 60);
  for (std::uint32_t i = 100; i < 120; ++i) world.write_click(1, 0, click_id(i), query_id(i));
  world.harness.run_for(20s);
  CHECK(world.finished.size() == 20);
}

TEST_CASE("C-33 with max_pending_clicks in memory no fresh one is taken") {
  DispatcherWorld world;
  world.config.max_pending_clicks = 5;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  write_clicks(world, 12);
  world.start();
  world.harness.run_for(10s);
  CHECK(world.worker->pending() == 5);
  CHECK(world.worker->statistics().clicks_taken == 5);
  world.joiner = nullptr;
  world.harness.run_for(120s);
  CHECK(world.finished.size() == 12);
}

}  // namespace dispatcher_use_test
