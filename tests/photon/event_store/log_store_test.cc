// The LogsEventStore as a process: searches, and the difference between "not found" and "error".
#include <algorithm>
#include <cstring>
#include <memory>

#include "core_impl/photon/cell_log/cell_files.h"
#include "core_impl/photon/event_store/map_emitter.h"
#include "tests/photon/event_store/log_store_case.h"
#include "tests/support/catch.h"
#include "tests/support/resource_uses.h"

namespace photon {

using namespace photon::testing;

TEST_CASE("E-13 E-17 every event of a log with disorder is found, with its payload") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  const Duration disorder = GENERATE(Duration(0), Duration(50ms), Duration(1s), Duration(15s));
  INFO("seed " << seed << " disorder " << disorder.count());
  Store store(MapSpacing{2s, 4000, disorder});
  store.config.read_bytes = 5000;
  LogShape shape;
  shape.seed = seed;
  shape.disorder = disorder;
  const PrimaryLog log = make_log(shape);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  for (const Written& event : log.events) {
    INFO("stamp " << nanoseconds_of(event.id.stamp) << " file " << event.file.sequence);
    check_found(store, event);
  }
  // Ids between them are not.
  for (const Written& event : log.events) {
    EventId near = event.id;
    near.stamp += Duration(1);
    CHECK(store.lookup(near).status == QueryStatus::not_found);
  }
}

TEST_CASE("E-20 A-14 however long a search takes, its client gets progress messages") {
  Store store(MapSpacing{2s, 4000, 15s});
  LogShape shape;
  shape.disorder = 15s;
  shape.events_per_file = 10;  // so that an event may stand in many files
  const PrimaryLog log = make_log(shape);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  EventId absent = log.events[log.events.size() / 2].id;
  absent.stamp += Duration(1);
  const auto heard = [&] {
    return store.context.sent_of<QueryProgress>().size() +
           store.context.sent_of<QueryReply>().size();
  };
  const Duration read_time = GENERATE(Duration(10ms), Duration(200ms));
  store.context.sent.clear();
  store.ask(absent);
  Duration silence{};
  Duration longest{};
  Duration whole{};
  while (!store.context.pending.empty()) {
    const std::size_t before = heard();
    store.context.set_now(store.context.now() + read_time);
    store.context.complete(*store.node);
    whole += read_time;
    silence = heard() > before ? Duration(0) : silence + read_time;
    longest = std::max(longest, silence);
  }
  REQUIRE(store.context.sent_of<QueryReply>().size() == 1);
  CHECK(store.context.sent_of<QueryReply>().back().second.status == QueryStatus::not_found);
  CHECK(longest < store.config.give_up / 4 + read_time);
  CHECK(whole > (read_time > 100ms ? 2 * store.config.give_up : Duration(0)));
  for (const auto& [to, progress] : store.context.sent_of<QueryProgress>()) {
    CHECK(to == kAsker);
    CHECK(progress.request == store.requests);
    CHECK(progress.query == absent);
  }
  // Searches that are over send nothing at once.
  const bool progressed = !store.context.sent_of<QueryProgress>().empty();
  CHECK(progressed == (whole > store.config.give_up / 4));
}

TEST_CASE("E-14 a hit reads no more than M bytes and the slack of one read") {
  Store store(MapSpacing{1000s, 3000, 0ns});
  LogShape shape;
  shape.events = 2000;
  shape.events_per_file = 2000;
  const PrimaryLog log = make_log(shape);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  for (const Written& event : log.events) check_found(store, event);
  CHECK(store.node->statistics().most_bytes_for_one <= 2 * 4096);
}

TEST_CASE("E-03 a query that is absent now is found a moment later") {
  Store store;
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  const EventId late = event_at(4, 1, 101s);
  for (int again = 0; again < 3; ++again) {
    CHECK(store.lookup(late).status == QueryStatus::not_found);
  }
  log.add(late, file);
  store.context.disks[kLogs] = log.disk();
  check_found(store, log.events.back());
}

TEST_CASE("J-S19 a record directly after the piece that the map bounds is read as well") {
  // The map says: one entry, and no more than M bytes after it. The reader has not reached the last
  // record, which begins there or a little later, at every distance from the piece's end.
  for (std::uint64_t spacing = 40; spacing < 400; ++spacing) {
    Store store(MapSpacing{1000s, spacing, 0ns});
    PrimaryLog log;
    const logs::LogFile file{logs::LogType::primary, 4, 0};
    log.add(event_at(4, 1, 100s), file);
    log.add(event_at(4, 1, 101s), file);
    store.context.disks[kLogs] = log.disk();
    store.start_and_recover();
    store.put({{log.events.front().id, file.number(), log.events.front().begin}});
    store.context.complete_all(*store.node);
    INFO("M is " << spacing);
    check_found(store, log.events.back());
  }
}

TEST_CASE("E-18 a missing, shrunken, unreadable or damaged log file is an error") {
  const PrimaryLog log = make_log(LogShape{});
  Store store(MapSpacing{2s, 1U << 20U, 0ns});
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  FakeDisk& disk = store.context.disks[kLogs];
  const Written& event = log.events[100];
  Bytes& bytes = disk.at(text(event.file.name()));
  SECTION("missing") { disk.erase(text(event.file.name())); }
  SECTION("shrunken to nothing") { bytes.clear(); }
  SECTION("cut before the place the map knows") { bytes.resize(200); }
  SECTION("damaged record") { bytes[event.begin + kRecordOverhead + 2] ^= std::byte{1}; }
  CHECK(store.lookup(event.id).status == QueryStatus::error);
  CHECK(store.node->statistics().not_found == 0);
}

TEST_CASE("E-16 E-18 in a copy that has lost its end nothing is reported missing") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  Store store(MapSpacing{2s, 4000, 50ms});
  LogShape shape;
  shape.seed = seed;
  shape.disorder = 50ms;
  const PrimaryLog log = make_log(shape);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  FakeDisk& disk = store.context.disks[kLogs];
  const logs::LogFile newest = log.events.back().file;
  const std::uint64_t mapped = store.node->map().mapped_until(newest.number());
  const Bytes whole = disk.at(text(newest.name()));
  for (std::uint64_t length = 0; length <= mapped; length += 997) {
    INFO("seed " << seed << " length " << length);
    disk.at(text(newest.name())).resize(length);
    for (std::size_t i = 0; i < log.events.size(); i += 7) {
      const Written& event = log.events[i];
      const bool is_there = event.file != newest || event.end <= length;
      CHECK(store.lookup(event.id).status == (is_there ? QueryStatus::found : QueryStatus::error));
    }
    disk.at(text(newest.name())) = whole;
    check_found(store, log.events.back());
  }
  CHECK(store.node->statistics().not_found == 0);
}

TEST_CASE("E-18 a volume that does not answer is an error, and the next look-up starts again") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  for (const IoStatus status : {IoStatus::unavailable, IoStatus::torn}) {
    store.context.sent.clear();
    store.ask(log.events[7].id);
    while (!store.context.pending.empty()) store.context.complete(*store.node, status);
    REQUIRE(store.context.sent_of<QueryReply>().size() == 1);
    CHECK(store.context.sent_of<QueryReply>()[0].second.status == QueryStatus::error);
    check_found(store, log.events[7]);
  }
}

namespace {

// One stream in one file of which the map knows the first record alone.
struct OneEntry {
  OneEntry() : store(MapSpacing{1000s, 1U << 20U, 0ns}) {
    LogShape shape;
    shape.processes = 1;
    shape.events = 300;
    shape.events_per_file = 1000;
    log = make_log(shape);
    store.context.disks[kLogs] = log.disk();
    store.start_and_recover();
    store.put({{log.events.front().id, log.events.front().file.number(), 0}});
    store.context.complete_all(*store.node);
  }
  Bytes& file() { return store.context.disks[kLogs].at(text(log.events.front().file.name())); }
  // Makes the record claim that it ends at `end`.
  void let_claim(std::size_t event, std::uint64_t end) {
    const std::uint64_t begin = log.events[event].begin;
    const auto length = static_cast<std::uint32_t>(end - begin - kRecordOverhead);
    std::memcpy(file().data() + begin, &length, sizeof length);
  }

  Store store;
  PrimaryLog log;
};

// The map knows one of the log's events.
void start_mapping(Store& store, const PrimaryLog& log, std::size_t event) {
  const Written& mapped = log.events[event];
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put({{mapped.id, mapped.file.number(), mapped.begin}});
  store.context.complete_all(*store.node);
}

}  // namespace

TEST_CASE("E-18 a file that can be read only in part is an error, wherever the query stands") {
  OneEntry world;
  constexpr std::uint64_t kRead = 5000;
  world.store.config.read_bytes = kRead;
  world.store.restart();  // with that option
  const IoStatus status = GENERATE(IoStatus::unavailable, IoStatus::missing, IoStatus::torn);
  world.store.context.answered = [&](const VolumeRequest& request, IoResult& result) {
    if (request.operation != VolumeOperation::read || request.offset == 0) return;
    result = IoResult{status, 0, {}, {}};
  };
  for (const Written& event : world.log.events) {
    CAPTURE(event.begin);
    const bool is_read = event.end <= kRead;
    CHECK(world.store.lookup(event.id).status ==
          (is_read ? QueryStatus::found : QueryStatus::error));
  }
}

TEST_CASE("E-16 E-18 a file that ends inside its last mapped record has lost bytes") {
  Store store(MapSpacing{1000s, 1U << 20U, 0ns});
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);
  log.add(event_at(4, 1, 101s), file);
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put({{log.events[0].id, file.number(), 0},
             {log.events[1].id, file.number(), log.events[1].begin}});
  store.context.complete_all(*store.node);
  REQUIRE(store.node->map().mapped_until(file.number()) == log.events[1].begin);
  const EventId absent = event_at(4, 1, 102s);
  CHECK(store.lookup(absent).status == QueryStatus::not_found);
  Bytes& bytes = store.context.disks[kLogs].at(text(file.name()));
  while (bytes.size() > log.events[1].begin) {
    bytes.pop_back();
    CAPTURE(bytes.size());
    CHECK(store.lookup(absent).status == QueryStatus::error);
  }
}

TEST_CASE("E-16 E-18 a file that is listed shorter than the map knows it to be has lost bytes") {
  Store store(MapSpacing{1s, 1U << 20U, 0ns});
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);
  log.add(event_at(4, 1, 101s), file);
  start_mapping(store, log, 1);
  const EventId absent = event_at(4, 1, 200s);  // far from every entry: only unmapped bytes count
  CHECK(store.lookup(absent).status == QueryStatus::not_found);
  const std::uint64_t reads = store.node->statistics().reads;
  for (const std::uint64_t lost : {std::uint64_t{0}, std::uint64_t{1}, log.events[1].begin}) {
    CAPTURE(lost);
    store.context.disks[kLogs].at(text(file.name())).resize(log.events[1].begin - lost);
    CHECK(store.lookup(absent).status == QueryStatus::error);
  }
  CHECK(store.node->statistics().reads == reads);
}

TEST_CASE("E-18 tail_bytes of a file may be unmapped: they are searched, a byte more is an error") {
  OneEntry world;
  const EventId unmapped = event_at(4, 99, 100s);  // the map knows nothing about its stream
  const std::uint64_t beyond = GENERATE(0U, 1U);
  world.store.config.tail_bytes = world.file().size() - beyond;
  world.store.restart();  // with that option
  CHECK(world.store.lookup(unmapped).status ==
        (beyond == 0 ? QueryStatus::not_found : QueryStatus::error));
  CHECK((world.store.node->statistics().reads > 0) == (beyond == 0));
}

TEST_CASE("E-14 a search ends at a later event of its stream, whatever other streams write") {
  Store store(MapSpacing{1000s, 1U << 20U, 0ns});
  store.config.read_bytes = 4096;
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);
  log.add(event_at(4, 1, 102s), file);
  for (int i = 0; i < 200; ++i) log.add(event_at(4, 2, 103s + i * 1ms), file);
  start_mapping(store, log, 0);
  CHECK(store.lookup(event_at(4, 1, 101s)).status == QueryStatus::not_found);
  CHECK(store.node->statistics().reads == 1);
}

TEST_CASE("E-14 E-18 damage after the end of a piece casts no doubt on its search") {
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);  // this process writes no more
  for (int i = 1; i <= 20; ++i) log.add(event_at(4, 2, 100s + i * 1s), file);
  constexpr std::size_t kAfter = 3;  // the piece holds no record from this one on
  Store store(MapSpacing{1000s, log.events[kAfter].begin - GENERATE(0U, 1U), 0ns});
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  Bytes& bytes = store.context.disks[kLogs].at(text(file.name()));
  const auto damage = [&](std::size_t event) {
    bytes[log.events[event].begin + kRecordOverhead + 5] ^= std::byte{1};
  };
  const EventId absent = event_at(4, 1, 101s);
  damage(kAfter + GENERATE(0U, 1U));
  CHECK(store.lookup(absent).status == QueryStatus::not_found);
  damage(kAfter - 1);
  CHECK(store.lookup(absent).status == QueryStatus::error);
}

TEST_CASE("E-14 E-17 damage after the event that ends a search casts no doubt on it") {
  const bool before = GENERATE(false, true);
  Store store(MapSpacing{1000s, 1U << 20U, 0ns});
  PrimaryLog log;
  const logs::LogFile file{logs::LogType::primary, 4, 0};
  log.add(event_at(4, 1, 100s), file);
  log.add(event_at(4, 2, 101s), file);
  log.add(event_at(4, 1, 102s), file);  // the query of 101 s cannot come after it
  log.add(event_at(4, 2, 102s), file);
  start_mapping(store, log, 0);
  Bytes& bytes = store.context.disks[kLogs].at(text(file.name()));
  bytes[log.events[before ? 1 : 3].begin + kRecordOverhead + 5] ^= std::byte{1};
  const QueryStatus status = store.lookup(event_at(4, 1, 101s)).status;
  CHECK(status == (before ? QueryStatus::error : QueryStatus::not_found));
}

TEST_CASE("E-18 A-23 a damaged length hides no record after it, in the middle and at the end") {
  OneEntry world;
  const std::uint64_t whole = world.file().size();
  const std::size_t damaged = GENERATE(100U, 297U);
  const std::uint64_t beyond = GENERATE(0U, 1U, 5000U);  // the end that it claims
  world.let_claim(damaged, whole + beyond);
  for (std::size_t i = 0; i < world.log.events.size(); ++i) {
    INFO("event " << i << " behind the damage at " << damaged << ", beyond " << beyond);
    if (i == damaged) {
      CHECK(world.store.lookup(world.log.events[i].id).status == QueryStatus::error);
    } else {
      check_found(world.store, world.log.events[i]);
    }
  }
}

TEST_CASE("E-18 A-23 a damaged length that ends with a read hides no record after it") {
  OneEntry world;
  constexpr std::uint64_t kRead = 5000;
  world.store.config.read_bytes = kRead;
  world.store.restart();  // with that option
  // The record that the first read cuts, and the one before it.
  std::size_t cut = 0;
  while (world.log.events[cut].end <= kRead) ++cut;
  REQUIRE(world.log.events[cut].begin < kRead);
  world.let_claim(cut - 1, kRead);
  check_found(world.store, world.log.events[cut]);
  CHECK(world.store.lookup(world.log.events[cut - 1].id).status == QueryStatus::error);
}

TEST_CASE("E-14 E-20 a search reads up to read_bytes at once, but never less than 4 KiB") {
  OneEntry world;
  constexpr std::uint32_t kRead = 10'000;
  world.store.config.read_bytes = kRead;
  world.store.restart();
  EventId absent = world.log.events.back().id;
  absent.stamp -= Duration(1);
  world.store.ask(absent);
  std::vector<std::uint32_t> lengths;
  std::vector<Access> accesses;
  while (!world.store.context.pending.empty()) {
    const VolumeRequest& request = world.store.context.pending.front().request;
    if (request.operation == VolumeOperation::read) {
      lengths.push_back(request.length);
      accesses.push_back(request.access);
    }
    world.store.context.complete(*world.store.node);
  }
  const auto reads = (world.file().size() + kRead - 1) / kRead;
  REQUIRE(lengths.size() >= reads);
  CHECK(lengths.size() <= reads + 2);
  for (std::size_t i = 0; i < reads; ++i) CHECK(lengths[i] == kRead);
  CHECK(accesses.front() == Access::random);
  CHECK(accesses[1] == Access::sequential);
  CHECK(world.store.node->statistics().most_bytes_for_one >= world.file().size());
  // The piece of an event with an entry of its own is a single byte long.
  world.store.ask(world.log.events.front().id);
  REQUIRE(world.store.context.pending.size() == 1);
  CHECK(world.store.context.pending.front().request.length == 4096);
}

TEST_CASE("E-20 requests that wait are searched in the order in which they came") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.config.max_concurrent = 1;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  store.context.sent.clear();
  for (std::size_t i = 0; i < 5; ++i) store.ask(log.events[i].id);
  store.context.complete_all(*store.node);
  const auto replies = store.context.sent_of<QueryReply>();
  REQUIRE(replies.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(replies[i].second.query == log.events[i].id);
}

TEST_CASE("E-20 a log store reports its searches, their limit, and the requests that wait") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.config.max_concurrent = 4;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  for (std::size_t i = 0; i < 7; ++i) store.ask(log.events[i].id);
  const auto uses = uses_of(*store.node);
  REQUIRE(uses.size() == 1);
  CHECK(uses.at(trace::Resource::event_store_searches) == Use{4, 4, 3});
}

TEST_CASE("E-16 the null id and unknown streams are not found, without a read") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  CHECK(store.lookup(EventId{}).status == QueryStatus::not_found);
  CHECK(store.lookup(event_at(99, 1, 100s)).status == QueryStatus::not_found);
  CHECK(store.node->statistics().reads == 0);
}

TEST_CASE("E-20 searches read with limited concurrency; the rest wait, and a long wait fails") {
  const PrimaryLog log = make_log(LogShape{});
  Store store;
  store.config.max_concurrent = 4;
  store.config.max_waiting = 10;
  store.context.disks[kLogs] = log.disk();
  store.start_and_recover();
  store.put_all(log);
  store.context.sent.clear();
  for (std::size_t i = 0; i < 15; ++i) store.ask(log.events[i].id);
  CHECK(store.context.pending.size() == 4);
  CHECK(store.context.sent_of<QueryReply>().size() == 1);  // the 15th found the queue full
  CHECK(store.context.pending.front().request.access == Access::random);
  SECTION("served in time") {
    store.context.complete_all(*store.node);
    std::size_t found = 0;
    for (const auto& [to, reply] : store.context.sent_of<QueryReply>()) {
      found += reply.status == QueryStatus::found ? 1 : 0;
    }
    CHECK(found == 14);
  }
  SECTION("too late") {
    store.context.advance(2s);
    store.context.complete_all(*store.node);
    CHECK(store.context.sent_of<QueryReply>().size() == 15);
    CHECK(store.node->statistics().found == 4);
    CHECK(store.node->statistics().refused == 11);
  }
}

}  // namespace photon
