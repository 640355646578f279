// The map of the LogsEventStore: durable puts, recovery, and searches around what is damaged.
#include <algorithm>
#include <memory>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/event_store/map_emitter.h"
#include "tests/photon/event_store/log_store_case.h"
#include "tests/support/catch.h"

namespace photon {

using namespace photon::testing;

TEST_CASE("E-10 a put is acknowledged when it is durable, not before, and outlives the process") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  const MapEntry entry{log.events[0].id, log.events[0].file.number(), 0};
  store.put({entry});
  CHECK(store.acknowledged() == 0);
  CHECK(store.lookup(log.events[0].id).status != QueryStatus::error);
  store.context.complete_all(*store.node);
  store.restart();
  check_found(store, log.events[0]);
  // A second life's entries and a third life: both journals count.
  store.put_all(log);
  CHECK(store.acknowledged() == 1);
  store.restart();
  for (const Written& event : log.events) check_found(store, event);
}

TEST_CASE("E-10 a log store recovers its map from its own journals, whatever else the cell holds") {
  constexpr NodeId kOther{3};
  Store store;
  store.start_and_recover();
  store.put({{event_at(4, 1, 5s), 0, 0}});
  store.context.complete_all(*store.node);
  FakeDisk& cell = store.context.disks[kCell];
  const std::string own = text(event_store_map_file(kStore, Incarnation{1}));
  MapJournalRecord foreign;
  foreign.entries.push_back({event_at(5, 1, 5s), 0, 0});
  append_encoded(foreign, cell[text(event_store_map_file(kOther, Incarnation{1}))]);
  cell[text(event_store_offsets_file(kStore))] = Bytes(40, std::byte{7});
  std::vector<std::string> read;
  store.context.answered = [&](const VolumeRequest& request, IoResult&) {
    if (request.operation == VolumeOperation::read) read.push_back(text(request.file));
  };
  store.restart();
  CHECK(read == std::vector{own});
  CHECK(store.node->map().size() == 1);
}

TEST_CASE("E-10 an append without an answer is repeated until the put is durable once") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put({{log.events[0].id, log.events[0].file.number(), 0}});
  SECTION("it took effect") { store.context.complete_unanswered(*store.node); }
  SECTION("it did not") { store.context.complete(*store.node, IoStatus::unavailable); }
  CHECK(store.acknowledged() == 0);
  store.context.fire(*store.node, LogStore::kJournalTimer);
  store.context.complete_all(*store.node);
  CHECK(store.acknowledged() == 1);
  store.restart();
  check_found(store, log.events[0]);
  CHECK(store.node->map().size() == 1);
}

TEST_CASE("E-10 a put that comes while the journal is written is written next") {
  Store store;
  store.start_and_recover();
  store.put({{event_at(4, 1, 5s), 0, 0}}, 1);
  store.put({{event_at(4, 1, 9s), 0, 400}}, 2);
  store.put({{event_at(4, 2, 9s), 0, 800}}, 3);
  CHECK(store.context.pending.size() == 1);
  store.context.complete(*store.node);
  CHECK(store.acknowledged() == 1);
  REQUIRE(store.context.pending.size() == 1);  // both that came meanwhile
  store.context.complete(*store.node);
  CHECK(store.acknowledged() == 3);
  CHECK(store.context.pending.empty());
}

TEST_CASE("E-18 a crash that tears the journal loses nothing that was acknowledged") {
  const std::size_t kept = GENERATE(0U, 1U, 11U, 12U, 30U, 10'000U);
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put({{log.events[0].id, log.events[0].file.number(), 0}}, 1);
  store.context.complete_all(*store.node);
  REQUIRE(store.acknowledged() == 1);
  store.put({{log.events[300].id, log.events[300].file.number(), log.events[300].begin}}, 2);
  store.restart(kept);
  check_found(store, log.events[0]);
  CHECK(store.lookup(event_at(4, 1, 1s)).status == QueryStatus::not_found);
  // The reader repeats what was not acknowledged.
  store.put({{log.events[300].id, log.events[300].file.number(), log.events[300].begin}}, 2);
  store.context.complete_all(*store.node);
  CHECK(store.acknowledged() == 1);
  store.restart();
  check_found(store, log.events[300]);
}

TEST_CASE("E-18 a repeated put is acknowledged without another write") {
  Store store;
  store.start_and_recover();
  store.put({{event_at(4, 1, 5s), 0, 0}}, 1);
  store.context.complete_all(*store.node);
  store.put({{event_at(4, 1, 5s), 0, 0}}, 9);
  CHECK(store.context.pending.empty());
  CHECK(store.acknowledged() == 2);
  CHECK(store.node->map().size() == 1);
}

TEST_CASE("E-18 a map that is not rebuilt yet answers error, never not found") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  const std::size_t whole = store.node->map().size();
  store.context.crash();
  store.start();
  store.ask(log.events[0].id);
  REQUIRE(store.context.sent_of<QueryReply>().size() == 1);
  CHECK(store.context.sent_of<QueryReply>()[0].second.status == QueryStatus::error);
  // The cell is unavailable for a while.
  store.context.complete(*store.node, IoStatus::unavailable);
  CHECK_FALSE(store.node->is_ready());
  store.context.fire(*store.node, LogStore::kRecoveryTimer);
  store.context.complete(*store.node);
  store.context.complete(*store.node, IoStatus::unavailable);
  store.context.fire(*store.node, LogStore::kRecoveryTimer);
  store.context.complete_all(*store.node);
  REQUIRE(store.node->is_ready());
  CHECK(store.node->map().size() == whole);
  check_found(store, log.events[0]);
}

TEST_CASE("E-18 a map with holes is searched around: existing events are found, and nothing else") {
  const std::uint64_t seed = GENERATE(range(1, 9));
  const Duration disorder = std::array{0ns, Duration(50ms), Duration(2s)}[seed % 3];
  CAPTURE(seed);
  Store store(MapSpacing{2s, 4000, disorder});
  LogShape shape;
  shape.seed = seed;
  shape.disorder = disorder;
  const PrimaryLog log = make_log(shape);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_each(log);
  const std::size_t whole = store.node->map().size();
  Bytes& journal =
      store.context.disks[kCell].at(text(event_store_map_file(kStore, Incarnation{1})));
  const RandomStream random(seed, Purpose::test, 11);
  const std::uint64_t wrong = 1 + seed % 4;
  for (std::uint64_t i = 0; i < wrong; ++i) {
    journal[uniform_below(random.word(i), journal.size())] ^= std::byte{4};
  }
  store.restart();
  REQUIRE(store.node->map().size() < whole);
  for (const Written& event : log.events) {
    CAPTURE(nanoseconds_of(event.id.stamp), event.file.sequence);
    check_found(store, event);
    EventId near = event.id;
    near.stamp += Duration(1);
    CHECK(store.lookup(near).status == QueryStatus::not_found);
  }
}

TEST_CASE("E-18 no wrong bit of a journal hides what it held") {
  const PrimaryLog log = make_log(LogShape{});
  Store whole;
  whole.context.disks[kLogs] = log.disk();
  whole.start_and_recover();
  whole.put({{log.events[0].id, log.events[0].file.number(), 0}}, 1);
  whole.context.complete_all(*whole.node);
  const std::string journal = text(event_store_map_file(kStore, Incarnation{1}));
  const Bytes sound = whole.context.disks[kCell].at(journal);
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    CAPTURE(bit);
    Store store;
    store.context.disks[kLogs] = log.disk();
    store.start_and_recover();
    store.context.disks[kCell][journal] = sound;
    store.context.disks[kCell].at(journal)[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    store.restart();
    check_found(store, log.events[0]);
  }
}

TEST_CASE("E-18 J-S19 no write that lands on the end of a journal hides what it held") {
  // The record acknowledged last by the first life begins like a longer record of another file, or
  // has lengths from both: it looks as an append does that a crash tore.
  const std::size_t shift = GENERATE(0U, 1U, 2U, 3U);
  const std::size_t lost = GENERATE(2U, 7U, 12U, 17U);
  CAPTURE(shift, lost);
  Store store(MapSpacing{2s, 4000, 0ns});
  const PrimaryLog log = make_log(LogShape{});
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  const std::vector<MapEntry> entries = store.entries_of(log);
  REQUIRE(entries.size() > 30);
  Bytes& journal = store.context.disks[kCell][text(event_store_map_file(kStore, Incarnation{1}))];
  std::size_t place = 0;
  for (std::size_t i = 0; i <= lost; ++i) {
    place = journal.size();
    store.put({entries[i]});
    store.context.complete_all(*store.node);
  }
  REQUIRE(store.acknowledged() == lost + 1);
  Bytes foreign;
  append_record(Bytes(676, std::byte{7}), foreign);
  REQUIRE(journal.size() - place < foreign.size());
  std::copy_n(foreign.begin(), journal.size() - place - shift,
              journal.begin() + static_cast<std::ptrdiff_t>(place + shift));
  store.restart();
  REQUIRE(store.node->map().size() == lost);
  store.put({entries.begin() + static_cast<std::ptrdiff_t>(lost) + 1, entries.end()});
  store.context.complete_all(*store.node);
  for (const Written& event : log.events) {
    CAPTURE(nanoseconds_of(event.id.stamp), event.file.sequence);
    check_found(store, event);
    EventId near = event.id;
    near.stamp += Duration(1);
    CHECK(store.lookup(near).status == QueryStatus::not_found);
  }
}

TEST_CASE("E-18 a journal that ends inside a record costs reads, and a whole one costs none") {
  const std::size_t kept = GENERATE(0U, 1U, 11U, 12U, 30U, 10'000U);
  Store store(MapSpacing{2s, 4000, 0ns});
  const PrimaryLog log = make_log(LogShape{});
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  EventId absent = log.events[100].id;
  absent.stamp += Duration(1);
  const auto bytes_for_absent = [&] {
    const std::uint64_t before = store.node->statistics().bytes_read;
    CHECK(store.lookup(absent).status == QueryStatus::not_found);
    return store.node->statistics().bytes_read - before;
  };
  const std::uint64_t cheap = bytes_for_absent();
  store.put({{event_at(4, 9, 5s), log.events[0].file.number(), 0}}, 2);
  store.restart(kept);
  if (kept == 0 || kept == 10'000) {
    CHECK(bytes_for_absent() == cheap);
  } else {
    CHECK(bytes_for_absent() > cheap);
  }
}

}  // namespace photon
