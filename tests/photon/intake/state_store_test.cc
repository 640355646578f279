// The dispatcher's durable state: what a crash at any moment leaves, backoff, fencing, the lease.

#include <algorithm>

#include "core_impl/base/random.h"
#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/leases/lease_epoch.h"
#include "core_impl/runtime/file_name.h"
#include "tests/photon/dispatcher/dispatcher_world.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

void write_clicks(DispatcherWorld& world, std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = first; i < first + count; ++i) {
    world.write_click(static_cast<std::uint16_t>(i % 3), 0, click_id(i), query_id(i));
  }
}

// How much of a write in flight survives a crash: nothing, a prefix, or everything.
Harness::Survival random_survival(std::uint64_t word) {
  return [word](const VolumeRequest& request) -> std::size_t {
    if (word % 3 == 0) return 0;
    return word % 3 == 1 ? request.data.size() : uniform_below(mix(word), request.data.size() + 1);
  };
}

}  // namespace

TEST_CASE("C-04 C-05 C-26 J-S14 M-28 M-29 crash at every step: no click is lost") {
  // Every run crashes after a different number of events, repeatedly.
  for (std::uint64_t seed = 1; seed <= effort(150); ++seed) {
    CAPTURE(seed);
    RandomStream random(seed, Purpose::test, 7);
    std::uint64_t draw = 0;
    DispatcherWorld world(seed);
    world.config.read_chunk = 512;
    world.config.state_save_period = 100ms;
    world.config.backoff = Backoff{200ms, 2000, 2s, 100};
    world.config.send_timeout = 1s;
    world.config.compaction_slack = 2000;
    world.config.registry.lookup_deadline = 300ms;
    world.joiner = [&](const auto&) -> std::optional<JoinOutcome> {
      switch (random.word(++draw) % 6) {
        case 0:
          return std::nullopt;
        case 1:
          return JoinOutcome::query_not_found;
        case 2:
          return JoinOutcome::too_many_in_flight;
        default:
          return JoinOutcome::joined;
      }
    };
    world.harness.io_fate = [&](const VolumeRequest&) {
      const auto word = random.word(++draw) % 20;
      return word == 0 ? IoFate::lost : word == 1 ? IoFate::unconfirmed : IoFate::done;
    };
    write_clicks(world, 1, 60);
    world.start();
    for (int life = 0; life < 12; ++life) {
      const auto steps = uniform_below(random.word(++draw), 400);
      for (std::uint64_t i = 0; i < steps; ++i) {
        world.registry_answers = random.word(++draw) % 4 != 0;
        world.harness.step();
        const auto lost = world.unprotected_click();
        if (lost.has_value()) FAIL("click " << lost->process << " lost, life " << life);
      }
      world.restart(random_survival(random.word(++draw)));
      const auto lost = world.unprotected_click();
      if (lost.has_value()) FAIL("click " << lost->process << " lost by crash " << life);
      write_clicks(world, 1000 + 10 * static_cast<std::uint32_t>(life), 10);
    }
    // Quiescence: everything works, everything ends.
    world.registry_answers = true;
    world.harness.io_fate = nullptr;
    world.joiner = nullptr;
    world.harness.run_for(120s);
    CHECK(world.finished.size() == 60 + 120);
    CHECK(world.worker->pending() == 0);
    CHECK(world.journal().saved.empty());
    CHECK(world.worker->statistics().fenced == 0);
  }
}

TEST_CASE("C-05 after a restart reading resumes at the persisted offset") {
  DispatcherWorld world;
  write_clicks(world, 1, 300);
  world.start();
  world.harness.run_for(5s);
  REQUIRE(world.sent.size() == 300);
  world.restart();
  world.harness.run_for(5s);
  CHECK(world.sent.size() == 300);
  CHECK(world.harness.decided<trace::ClickRead>().size() == 300);  // nothing was read again
  CHECK(world.journal().offsets.size() == 3);  // stated again when this life took over
  write_clicks(world, 301, 10);
  world.harness.run_for(5s);
  CHECK(world.sent.size() == 310);
  world.restart();
  world.harness.run_for(5s);
  CHECK(world.harness.decided<trace::ClickRead>().size() == 310);
}

TEST_CASE("C-26 M-29 a crash while a retry is in flight keeps the click in the store") {
  DispatcherWorld world;
  world.joiner = [](const auto& sent) {
    return sent.attempts == 0 ? std::optional(JoinOutcome::query_not_found) : std::nullopt;
  };
  write_clicks(world, 1, 1);
  world.start();
  while (world.sent.size() < 2) world.harness.step();
  world.harness.run_for(500ms);
  REQUIRE(world.journal().saved.size() == 1);
  REQUIRE_FALSE(world.unprotected_click().has_value());
  world.joiner = nullptr;
  world.restart();
  world.harness.run_for(20s);
  CHECK(world.finished.size() == 1);
}

TEST_CASE("C-21 M-30 gaps between attempts never shrink, also across restarts, up to the cap") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    DispatcherWorld world(seed);
    world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
    write_clicks(world, 1, 5);
    world.start();
    for (int life = 0; life < 25; ++life) {
      world.harness.run_for(61s);
      world.restart();
    }
    for (std::uint32_t i = 1; i <= 5; ++i) {
      const auto sends = world.sends_of(click_id(i));
      // 1, 2, 4 ... 256, 300 s: about 12 in 25 minutes. Without backoff there would be hundreds.
      CHECK(sends.size() >= 10);
      CHECK(sends.size() <= 14);
      for (std::size_t k = 2; k < sends.size(); ++k) {
        CAPTURE(i, k);
        const auto gap = sends[k].at - sends[k - 1].at;
        const auto before = sends[k - 1].at - sends[k - 2].at;
        // A due retry may have to wait for the take-over of a new life, less than 100 ms here.
        CHECK(gap >= before - 100'000'000);
        CHECK(gap <= 331'000'000'000);
        CHECK(sends[k].attempts == k);
      }
    }
  }
}

TEST_CASE("C-05 C-21 a click read again after a crash keeps the attempt count of the store") {
  DispatcherWorld world;
  world.config.state_save_period = 1h;  // the offset is never saved after it
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  write_clicks(world, 1, 6);
  world.start();
  world.harness.run_for(10s);
  REQUIRE(world.journal().offsets.empty());
  REQUIRE(world.journal().saved.size() == 6);
  const auto before = world.sent.size();
  world.restart();
  world.harness.run_for(2s);
  CHECK(world.worker->statistics().clicks_read_again == 6);
  CHECK(world.worker->pending() == 6);
  world.harness.run_for(30s);
  REQUIRE(world.sent.size() > before);
  for (std::uint32_t i = 1; i <= 6; ++i) {
    const auto sends = world.sends_of(click_id(i));
    for (std::size_t k = 0; k < sends.size(); ++k) CHECK(sends[k].attempts == k);
  }
}

TEST_CASE("C-21 the backoff in integers: initial, factor, cap, jitter, no overflow") {
  const Backoff backoff{1s, 2000, 300s, 100};
  CHECK(backoff.base_delay(1) == 1s);
  CHECK(backoff.base_delay(2) == 2s);
  CHECK(backoff.base_delay(9) == 256s);
  CHECK(backoff.base_delay(10) == 300s);
  CHECK(backoff.base_delay(4'000'000'000U) == 300s);
  CHECK(Backoff{5s, 1500, 24h * 7, 0}.base_delay(3) == 11250ms);
  CHECK(Backoff{5s, 1000, 24h, 0}.base_delay(4'000'000'000U) == 5s);
  CHECK(Backoff{5s, 2000, 2s, 0}.base_delay(1) == 2s);
  CHECK(Backoff{1s, 2000, 300s, 0}.delay(1, ~0ULL) == 1s);
  Duration least = 1h;
  Duration most{};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Duration delay = backoff.delay(10, mix(i));
    least = std::min(least, delay);
    most = std::max(most, delay);
  }
  CHECK(least == 270s);
  CHECK(most == 330s);
  CHECK(most <= backoff.longest());
}

TEST_CASE("C-06 F-06 a life that a later one replaced writes nothing and stops") {
  DispatcherWorld world;
  world.joiner = [](const auto&) { return JoinOutcome::query_not_found; };
  write_clicks(world, 1, 5);
  world.start();
  world.harness.run_for(2s);
  // Another life takes over while this one is stalled.
  const LeaseEpoch later(2, 0, Incarnation(2));
  VolumeRequest take;
  take.volume = DispatcherWorld::kCell;
  take.operation = VolumeOperation::fence;
  take.file = partition_directory(kDispatcherPrefix, 0);
  take.epoch = later.value();
  static_cast<void>(world.harness.volumes[2].execute(take));
  const auto name = partition_journal(kDispatcherPrefix, 0);
  take.operation = VolumeOperation::replace;
  take.file = name;
  append_journal(OwnershipRecord{DispatcherWorld::kSelf, later.value(), {}, 10s}, take.data);
  static_cast<void>(world.harness.volumes[2].execute(take));
  const Bytes before = world.harness.volumes[2].content(view_of(name));
  const auto read = world.harness.decided<trace::ClickRead>().size();
  world.harness.run_for(30s);
  CHECK(world.worker->statistics().fenced == 1);
  const Bytes after = world.harness.volumes[2].content(view_of(name));
  CHECK(before == after);
  write_clicks(world, 10, 5);
  const auto sent = world.sent.size();
  world.harness.run_for(30s);
  CHECK(world.sent.size() == sent);
  CHECK(world.harness.decided<trace::ClickRead>().size() == read);
}

TEST_CASE("C-06 taking over fences before it reads, and claims the state in its own name") {
  DispatcherWorld world;
  write_clicks(world, 1, 5);
  world.start();
  world.harness.run_for(5s);
  CHECK(LeaseEpoch(world.journal().ownership.epoch).round() == 1);
  const std::uint64_t former = world.journal().ownership.epoch;
  std::vector<VolumeOperation> operations;
  std::vector<std::uint64_t> epochs;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    if (request.volume != DispatcherWorld::kCell) return IoFate::done;
    operations.push_back(request.operation);
    epochs.push_back(request.epoch);
    if (operations.size() == 3) {  // what is read now is all that the former life has written
      VolumeRequest late;
      late.operation = VolumeOperation::append;
      late.file = partition_journal(kDispatcherPrefix, 0);
      late.epoch = former;
      CHECK(world.harness.volumes[2].execute(late).status == IoStatus::fenced);
    }
    return IoFate::done;
  };
  world.restart();
  world.harness.run_for(1s);
  REQUIRE(operations.size() >= 4);
  CHECK(operations[0] == VolumeOperation::read);  // its former owner
  CHECK(operations[1] == VolumeOperation::fence);
  CHECK(operations[2] == VolumeOperation::read);
  CHECK(operations[3] == VolumeOperation::replace);
  const LeaseEpoch epoch(world.journal().ownership.epoch);
  CHECK(epochs[1] == epoch.value());
  CHECK(epochs[3] == epoch.value());
  CHECK(epoch.round() == 2);
  CHECK(epoch.life() == Incarnation(2));
  CHECK(world.journal().ownership.owner == DispatcherWorld::kSelf);
}

TEST_CASE("C-30 an outage of the cell stalls the dispatcher beyond its lease, and no longer") {
  DispatcherWorld world;
  write_clicks(world, 1, 5);
  world.start();
  world.harness.run_for(3s);
  REQUIRE(world.finished.size() == 5);
  world.harness.io_fate = [](const VolumeRequest& request) {
    return request.volume == DispatcherWorld::kCell ? IoFate::lost : IoFate::done;
  };
  world.harness.run_for(15s);
  write_clicks(world, 100, 20);
  world.harness.run_for(60s);
  CHECK(world.finished.size() == 5);
  CHECK(world.harness.decided<trace::ClickRead>().size() == 5);
  world.harness.io_fate = nullptr;
  world.harness.run_for(5s);
  CHECK(world.finished.size() == 25);
  CHECK(world.worker->statistics().fenced == 0);
}

TEST_CASE("C-03 the journal is compacted, loses nothing by it and stays small") {
  DispatcherWorld world;
  world.config.compaction_slack = 4096;
  world.config.backoff = Backoff{100ms, 1000, 100ms, 0};
  world.joiner = [](const auto& sent) {
    return sent.click.process <= 20 ? JoinOutcome::query_not_found : JoinOutcome::joined;
  };
  write_clicks(world, 1, 60);
  world.start();
  std::size_t largest = 0;
  const auto name = partition_journal(kDispatcherPrefix, 0);
  for (int i = 0; i < 600; ++i) {
    world.harness.run_for(100ms);
    const Bytes& content = world.harness.volumes[2].content(view_of(name));
    largest = std::max(largest, content.size());
    REQUIRE_FALSE(world.unprotected_click().has_value());
  }
  CHECK(world.worker->statistics().saves > 5000);  // half a megabyte of saves
  CHECK(world.worker->partition(0)->intake.store().compactions() > 10);
  CHECK(largest > 4096);
  CHECK(largest < 20'000);
  CHECK(world.journal().saved.size() == 20);
  CHECK(world.journal().offsets.size() == 3);
  world.joiner = nullptr;
  world.restart();
  world.harness.run_for(5s);
  CHECK(world.finished.size() == 60);
  CHECK(world.harness.decided<trace::ClickRead>().size() == 60);  // nothing was read again
}

TEST_CASE("C-03 a journal that has drained is compacted by its present size") {
  DispatcherWorld world;
  world.config.compaction_slack = 4096;
  world.config.backoff = Backoff{100ms, 1000, 100ms, 0};
  world.joiner = [](const auto&) { return JoinOutcome::registry_throttled; };
  write_clicks(world, 1, 900);
  world.start();
  world.harness.run_for(20s);
  REQUIRE(world.journal().saved.size() == 900);
  // Each rewrite pays for as many bytes of saves as it writes, so they are few.
  const std::uint64_t rewrites = world.worker->partition(0)->intake.store().compactions();
  CHECK((rewrites > 5 && rewrites < 120));
  world.joiner = [](const auto& sent) {
    return sent.click.process <= 20 ? JoinOutcome::registry_throttled : JoinOutcome::joined;
  };
  world.harness.run_for(20s);
  REQUIRE(world.journal().saved.size() == 20);
  std::size_t largest = 0;
  const auto name = partition_journal(kDispatcherPrefix, 0);
  for (int i = 0; i < 300; ++i) {
    world.harness.run_for(100ms);
    largest = std::max(largest, world.harness.volumes[2].content(view_of(name)).size());
  }
  CHECK(largest > 4096);
  CHECK(largest < 20'000);  // by the size of the outage's journal: 150 kB
}

TEST_CASE("C-21 failures without a send count for the backoff of the next life") {
  DispatcherWorld world;
  world.registry_answers = false;
  write_clicks(world, 1, 5);
  world.start();
  std::map<EventId, std::uint32_t> before;
  for (int life = 0; life < 6; ++life) {
    world.harness.run_for(61s);
    for (const SavedRecord& record : world.journal().saved) {
      CAPTURE(life, record.tries);
      CHECK(record.handed_on == 0);
      CHECK(record.tries >= before[record.click]);
      before[record.click] = record.tries;
    }
    REQUIRE(before.size() == 5);
    world.restart();
  }
  // Pauses double with each: a life that counts from the beginning comes to six.
  for (const auto& [click, tries] : before) CHECK(tries >= 8);
}

TEST_CASE("C-03 many clicks that fail together are saved by few appends") {
  DispatcherWorld world;
  world.joiner = [](const auto&) { return JoinOutcome::registry_throttled; };
  std::uint64_t appends = 0;
  world.harness.io_fate = [&](const VolumeRequest& request) {
    appends += request.operation == VolumeOperation::append ? 1 : 0;
    return IoFate::done;
  };
  write_clicks(world, 1, 900);
  world.start();
  world.harness.run_for(800ms);
  CHECK(world.journal().saved.size() == 900);
  CHECK(appends < 20);
}

TEST_CASE("C-04 every prefix of a journal is a consistent state") {
  DispatcherWorld world;
  world.config.state_save_period = 50ms;
  world.joiner = [](const auto& sent) {
    return (sent.request % 2) == 0 ? JoinOutcome::joined : JoinOutcome::query_not_found;
  };
  write_clicks(world, 1, 12);
  world.start();
  world.harness.run_for(6s);
  const auto name = partition_journal(kDispatcherPrefix, 0);
  const Bytes content = world.harness.volumes[2].content(view_of(name));
  std::size_t whole = 0;
  for (std::size_t size = 0; size <= content.size(); ++size) {
    const JournalState state = read_journal(std::span(content).first(size));
    whole += state.bytes_ignored == 0 ? 1 : 0;
    DispatcherWorld copy;
    copy.finished = world.finished;
    write_clicks(copy, 1, 12);
    copy.harness.volumes[2].add(view_of(name), std::span(content).first(size));
    REQUIRE_FALSE(copy.unprotected_click().has_value());
  }
  CHECK(whole > 20);
  CHECK(whole < content.size() / 10);
}
