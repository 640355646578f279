// What a verifier's journal states after it has been rewritten, and how clicks are read into it.

#include <set>
#include <string>
#include <vector>

#include "core_impl/runtime/file_name.h"
#include "tests/photon/verification/verifier_world.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace verifier_journal_test {
namespace {

// Clicks that no process registers and that fill the journal: each check saves them once more.
void write_bulk(VerifierWorld& world, Duration age = 1h) {
  const logs::LogFile file{logs::LogType::foreign, 9, 0};
  for (std::uint32_t number = 100; number < 104; ++number) {
    world.harness.volumes[VerifierWorld::kLogs.value()].add(
        view_of(file.name()),
        framed_click(click_id(number, -age), query_id(number), std::string(30'000, 'x')));
  }
}

}  // namespace
}  // namespace verifier_journal_test

TEST_CASE("F-08 F-10 C-04 a rewritten journal states the intents of cases that are under way") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  verifier_journal_test::write_bulk(world);
  std::size_t rewritten = 0;
  const bool removed_only = GENERATE(true, false);
  CAPTURE(removed_only);
  // Either the answer to the removal never comes, or the return never becomes durable.
  world.removals_answered = !removed_only;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.operation == VolumeOperation::replace) ++rewritten;
    const bool returns = view_of(request.file).starts_with(logs::kReinjectedPrefix);
    return returns ? IoFate::held : IoFate::done;
  };
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.registry.removed == std::vector{lost});
  const std::size_t first = rewritten;  // when its life began
  world.harness.run_for(10min);
  REQUIRE(rewritten > first);
  REQUIRE(world.brought_back().empty());
  world.removals_answered = true;
  world.harness.io_fate = nullptr;
  world.restart();
  world.harness.run_for(5s);
  CHECK(world.brought_back() == std::vector{lost});
  CHECK(world.registry.removed == std::vector{lost});
}

TEST_CASE("F-08 F-10 a rewritten journal claims no removal of a click that was never registered") {
  VerifierWorld world;
  world.config.unregistered_after = 61min;
  const EventId forgotten = world.write_click(1);  // one hour old
  const EventId lost = world.write_lost(2);
  world.dead_until = 2;  // the owner lives, for the time being
  verifier_journal_test::write_bulk(world, 20min);
  const bool was_owned = GENERATE(false, true);
  CAPTURE(was_owned);
  if (was_owned) world.registry.ids[forgotten] = VerifierWorld::kOwner;
  std::size_t rewritten = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.operation == VolumeOperation::replace) ++rewritten;
    const bool returns = view_of(request.file).starts_with(logs::kReinjectedPrefix);
    return returns ? IoFate::held : IoFate::done;
  };
  world.start();
  world.harness.run_for(20s);
  world.registry.ids.erase(forgotten);  // by another verifier
  const std::size_t first = rewritten;
  world.harness.run_for(10min);
  REQUIRE(rewritten > first);
  world.harness.io_fate = nullptr;
  // A late insert of the living owner: it may still write, and nothing has been proven.
  if (was_owned) world.registry.ids[forgotten] = VerifierWorld::kOwner;
  world.restart();
  world.harness.run_for(3min);
  CHECK(world.registry.removed.empty());
  world.registry.ids.erase(forgotten);
  world.dead_until = 3;
  world.harness.run_for(3min);
  // It is looked at again, and no other click waits for it.
  const auto back = world.brought_back();
  CHECK(std::set(back.begin(), back.end()) == std::set{forgotten, lost});
  CHECK(world.registry.removed == std::vector{lost});
}

TEST_CASE("F-08 F-10 C-04 a life that begins states the intents of the life before it") {
  VerifierWorld world;
  const EventId lost = world.write_lost(1);
  world.removals_answered = false;
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.registry.removed == std::vector{lost});
  for (int life = 0; life < 3; ++life) {  // none of them gets further
    world.restart();
    world.harness.run_for(5s);
    REQUIRE(world.brought_back().empty());
  }
  world.removals_answered = true;
  world.restart();
  world.harness.run_for(5s);
  CHECK(world.brought_back() == std::vector{lost});
}

TEST_CASE("F-02 a log larger than one read is read on, not with the next scan") {
  VerifierWorld world;
  world.config.read_chunk = 200;
  world.config.scan_period = 1h;
  world.config.lease = 2h;
  for (std::uint32_t number = 0; number < 50; ++number) world.write_lost(number);
  world.testimony = [](NodeId, const OutputOwner&) { return Presence::present; };
  world.start();
  world.harness.run_for(1min);
  CHECK(world.verdicts().size() == 50);
}

TEST_CASE("F-02 no more cases than configured are checked at once, and every click is") {
  VerifierWorld world;
  world.config.max_cases = 3;
  for (std::uint32_t number = 0; number < 20; ++number) world.write_lost(number);
  bool answers = false;
  world.testimony = [&](NodeId, const OutputOwner&) -> std::optional<Presence> {
    return answers ? std::optional(Presence::present) : std::nullopt;
  };
  world.start();
  world.harness.run_for(4s);  // nothing is answered, no question has timed out
  CHECK(world.verifier->open_cases() == 3);
  CHECK(world.verifier->statistics().taken == 3);
  answers = true;
  world.harness.run_for(2min);
  CHECK(world.verdicts().size() == 20);
  CHECK(world.verifier->statistics().finished == 20);
  CHECK(world.verifier->open_cases() == 0);
}
