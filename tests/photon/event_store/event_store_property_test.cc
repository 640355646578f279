// The EventStore as a whole under growth, disorder, loss and crashes, judged by J-S19: what was
// readable when it was requested, claimed by the reader or not, is found or is an error, never "not
// found"; and what is found is what was requested.
#include <map>

#include "tests/photon/event_store/event_store_world.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using namespace photon::testing;
using namespace std::chrono_literals;

void show_all(EventStoreWorld& world, const PrimaryLog& log) { world.logs() = log.disk(); }

// Lets files grow by a random number of bytes, each from its beginning. In order: a file
// grows when its predecessors are complete. Else two files at a time: the second one's bytes may
// arrive before the end of the first (C-07). False when nothing more will arrive.
enum class Copying : std::uint8_t { in_order, side_by_side };
bool grow(EventStoreWorld& world, const PrimaryLog& log, std::uint64_t word,
          Copying copying = Copying::in_order) {
  std::size_t budget = uniform_below(word, 6000);
  bool pass_over = copying == Copying::side_by_side && word % 2 == 0;
  for (const auto& [file, bytes] : log.files) {
    Bytes& visible = world.logs()[text(file.name())];
    const bool is_last = file == log.files.rbegin()->first;
    if (pass_over && visible.size() < bytes.size() && !is_last) {
      pass_over = false;
      continue;
    }
    const std::size_t more = std::min(budget, bytes.size() - visible.size());
    const auto from = static_cast<std::ptrdiff_t>(visible.size());
    visible.insert(visible.end(), bytes.begin() + from,
                   bytes.begin() + from + static_cast<std::ptrdiff_t>(more));
    budget -= more;
    if (visible.size() < bytes.size()) return true;
  }
  return std::ranges::any_of(log.files, [&](const auto& each) {
    return world.logs()[text(each.first.name())].size() < each.second.size();
  });
}

void check_truth(const EventStoreClient::Outcome& outcome) {
  if (outcome.status != QueryStatus::found) return;
  CHECK(outcome.payload == payload_of(outcome.query));
}

void check_all_found(EventStoreWorld& world, const PrimaryLog& log) {
  for (const Written& event : log.events) {
    INFO("stamp " << nanoseconds_of(event.id.stamp) << " file " << event.file.sequence << " at "
                  << event.begin);
    const auto outcome = world.lookup_now(event.id);
    REQUIRE(outcome.status == QueryStatus::found);
    check_truth(outcome);
  }
}

// One fault: a process dies, or restarts.
void disturb(EventStoreWorld& world, std::uint64_t word) {
  const std::uint32_t index = static_cast<std::uint32_t>(uniform_below(word, world.caches() + 2));
  const NodeId node = index < world.caches()    ? world.cache(index)
                      : index == world.caches() ? EventStoreWorld::kReader
                                                : EventStoreWorld::kLogStore;
  if (world.is_up(node)) {
    world.crash(node);
  } else {
    world.restart(node);
  }
}

void heal(EventStoreWorld& world) {
  for (std::uint32_t i = 0; i < world.caches(); ++i) {
    if (!world.is_up(world.cache(i))) world.restart(world.cache(i));
  }
  for (const NodeId node : {EventStoreWorld::kReader, EventStoreWorld::kLogStore}) {
    if (!world.is_up(node)) world.restart(node);
  }
}

struct Tally {
  std::uint64_t found = 0;
  std::uint64_t not_found = 0;
  std::uint64_t errors = 0;
};

// Grows a log under faults and requests random events all the while.
Tally storm(EventStoreWorld& world, const PrimaryLog& log, std::uint64_t seed) {
  const RandomStream random(seed, Purpose::test, 6);
  std::map<std::uint64_t, bool> there_when_asked;  // by tag
  Tally tally;
  bool growing = true;
  for (std::uint64_t step = 0; growing || step < 200; ++step) {
    const auto word = random.block(step);
    growing = grow(world, log, word[0], seed % 2 == 0 ? Copying::in_order : Copying::side_by_side);
    if (step % 9 == 4) disturb(world, word[1]);
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Written& event =
          log.events[uniform_below(random.word(5 * step + i, 1), log.events.size())];
      const std::uint64_t tag = 10 * step + i;
      const std::uint64_t readable = world.logs()[text(event.file.name())].size();
      REQUIRE(world.claimed(event.file) <= readable);
      there_when_asked[tag] = readable >= event.end;
      world.lookup(event.id, tag);
    }
    world.run_for(Duration(uniform_below(word[1], 700'000'000)));
    for (const auto& outcome : world.take_outcomes()) {
      INFO("seed " << seed << " step " << step << " tag " << outcome.tag);
      check_truth(outcome);
      // J-S19
      const bool lied =
          outcome.status == QueryStatus::not_found && there_when_asked.at(outcome.tag);
      REQUIRE_FALSE(lied);
      tally.found += outcome.status == QueryStatus::found ? 1 : 0;
      tally.not_found += outcome.status == QueryStatus::not_found ? 1 : 0;
      tally.errors += outcome.status == QueryStatus::error ? 1 : 0;
      there_when_asked.erase(outcome.tag);
    }
  }
  heal(world);
  world.run_for(10s);
  for (const auto& outcome : world.take_outcomes()) there_when_asked.erase(outcome.tag);
  CHECK(there_when_asked.empty());  // every look-up ended
  return tally;
}

}  // namespace

TEST_CASE("J-S19 E-17 E-18 what is readable is never not found, through growth, loss and crashes") {
  const std::uint64_t seed = GENERATE(range(1, 13));
  const Duration disorder = std::array{0ns, Duration(50ms), Duration(2s), Duration(15s)}[seed % 4];
  INFO("seed " << seed << " disorder " << disorder.count());
  EventStoreWorld::Options options;
  options.spacing = MapSpacing{4s, 5000, disorder};
  options.seed = seed;
  options.loss_percent = seed % 3 == 0 ? 0 : 5;
  options.cache_bytes = 10'000;
  options.form = GENERATE(ReadForm::bytes, ReadForm::records);
  EventStoreWorld world(options);
  LogShape shape;
  shape.seed = seed;
  shape.events = 1500;
  shape.disorder = disorder;
  const PrimaryLog log = make_log(shape);
  const Tally tally = storm(world, log, seed);
  CHECK(tally.found > 100);
  CHECK(tally.not_found > 0);
  for (const auto& [file, bytes] : log.files) CHECK(world.claimed(file) == bytes.size());
  if (options.loss_percent == 0) check_all_found(world, log);
  CHECK((world.known().converted() > 100) == (options.form == ReadForm::records));
}

TEST_CASE("E-08 with every cache node dead the answers are the same, from the logs alone") {
  EventStoreWorld::Options options;
  options.spacing.disorder = 50ms;
  EventStoreWorld world(options);
  LogShape shape;
  shape.disorder = 50ms;
  const PrimaryLog log = make_log(shape);
  show_all(world, log);
  world.run_for(5s);
  check_all_found(world, log);
  CHECK(world.client_stats().cache_hits == log.events.size());
  SECTION("dead") {
    for (std::uint32_t i = 0; i < world.caches(); ++i) world.crash(world.cache(i));
    check_all_found(world, log);
    CHECK(world.client_stats().cache_timeouts == log.events.size());
  }
  SECTION("restarted and empty") {
    for (std::uint32_t i = 0; i < world.caches(); ++i) {
      world.crash(world.cache(i));
      world.restart(world.cache(i));
    }
    check_all_found(world, log);
    CHECK(world.client_stats().cache_misses == log.events.size());
  }
  CHECK(world.lookup_now(EventId{}).status == QueryStatus::not_found);
}

TEST_CASE("E-03 a query that arrives after the first look-up for it is found by the next") {
  EventStoreWorld world({});
  const PrimaryLog log = make_log(LogShape{});
  for (const Written& event : log.events) {
    if (event.begin % 5 != 0) continue;
    CHECK(world.lookup_now(event.id).status == QueryStatus::not_found);
  }
  show_all(world, log);
  world.run_for(5s);
  check_all_found(world, log);
}

TEST_CASE("E-11 a query is found after a catch-up over hours of logs") {
  EventStoreWorld::Options options;
  options.cache_bytes = 2'000;  // holds almost none of them
  EventStoreWorld world(options);
  LogShape shape;
  shape.events = 2000;
  shape.gap = 15s;  // eight hours, read in one go
  const PrimaryLog log = make_log(shape);
  show_all(world, log);
  world.run_for(20s);
  check_all_found(world, log);
  CHECK(world.client_stats().cache_misses > 1500);
}

TEST_CASE("E-18 after a crash of the reader at any poll everything becomes findable") {
  for (int crash_at = 0; crash_at < 12; ++crash_at) {
    INFO("crash after poll " << crash_at);
    EventStoreWorld::Options options;
    options.cache_bytes = 0;
    EventStoreWorld world(options);
    LogShape shape;
    shape.events = 300;
    const PrimaryLog log = make_log(shape);
    for (int poll = 0; poll < 14; ++poll) {
      grow(world, log, ~std::uint64_t{0} / 2);
      world.run_for(400ms);
      if (poll != crash_at) continue;
      world.crash(EventStoreWorld::kReader);
      world.restart(EventStoreWorld::kReader);
    }
    show_all(world, log);
    world.run_for(5s);
    check_all_found(world, log);
  }
}

}  // namespace photon
