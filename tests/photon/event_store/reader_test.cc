// The reader as a process: what it reads, what it claims, and what it saves.
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "core_impl/photon/event_store/hash_ring.h"
#include "tests/photon/event_store/reader_case.h"
#include "tests/support/known_files.h"

namespace photon {

using namespace photon::testing;

TEST_CASE("E-07 E-10 E-12 each query goes to its cache node once, and entries begin each stream") {
  Reader reader;
  const PrimaryLog log = make_log(LogShape{});
  reader.show(log);
  reader.start();
  reader.acknowledge_all();
  for (int round = 0; round < 5; ++round) reader.poll();
  std::vector<EventId> expected;
  for (const Written& event : log.events) expected.push_back(event.id);
  auto filled = reader.filled();
  std::ranges::sort(expected);
  std::ranges::sort(filled);
  CHECK(filled == expected);
  const EventStoreReader::Statistics& counted = reader.node->statistics();
  CHECK(counted.records == expected.size());
  CHECK(counted.entries == reader.entries().size());
  CHECK(counted.fills_sent == reader.context.sent_of<CacheFill>().size());
  CHECK(counted.puts_sent == reader.context.sent_of<MapPut>().size());
  CHECK(counted.damaged + counted.malformed + counted.failed_reads + counted.state_lost == 0);
  std::set<std::tuple<std::uint32_t, std::uint32_t>> begun;
  for (const MapEntry& entry : reader.entries()) begun.emplace(entry.file, entry.id.process);
  CHECK(begun.size() == 9);  // 3 files, 3 processes each
  for (const auto& [file, bytes] : log.files) CHECK(reader.claimed(file) == bytes.size());
}

TEST_CASE("A-23 C-08 fragments: each query is handed on once and claims lie on record boundaries") {
  const std::uint64_t seed = GENERATE(1, 2, 3);
  INFO("seed " << seed);
  Reader reader;
  reader.config.read_bytes = 700;
  LogShape shape;
  shape.seed = seed;
  shape.events_per_file = 1000;
  const PrimaryLog log = make_log(shape);
  const std::size_t size = log.files.at(kFirst).size();
  const RandomStream random(seed, Purpose::test, 5);
  std::set<std::uint64_t> ends;
  for (const Written& event : log.events) ends.insert(event.end);
  reader.show(log, 0);
  reader.start();
  std::size_t visible = 0;
  for (std::uint64_t step = 0; visible < size; ++step) {
    visible = std::min(size, visible + 1 + uniform_below(random.word(step), 900));
    reader.show(log, visible);
    reader.poll();
    reader.acknowledge_all();
    const std::uint64_t claimed = reader.claimed(kFirst);
    CHECK(claimed <= visible);
    CHECK((claimed == 0 || ends.contains(claimed)));
    const auto next = ends.upper_bound(claimed);
    CHECK((next == ends.end() || *next > visible));
  }
  CHECK(reader.filled().size() == log.events.size());
  CHECK(reader.claimed(kFirst) == size);
}

TEST_CASE("E-11 a reader that catches up writes the same entries as one that kept up") {
  const MapSpacing spacing{2s, 3000, 0ns};
  LogShape shape;
  const PrimaryLog log = make_log(shape);
  Reader late(spacing);
  late.show(log);
  late.start();
  late.acknowledge_all();

  Reader punctual(spacing);
  PrimaryLog growing;
  punctual.start();
  for (const Written& event : log.events) {
    growing.add(event.id, event.file);
    if (growing.events.size() % 7 != 0) continue;
    punctual.show(growing);
    punctual.poll();
    punctual.acknowledge_all();
  }
  punctual.show(growing);
  punctual.poll();
  const auto key = [](const MapEntry& entry) {
    return std::tuple(entry.id, entry.file, entry.offset);
  };
  std::set<std::tuple<EventId, std::uint32_t, std::uint64_t>> left;
  std::set<std::tuple<EventId, std::uint32_t, std::uint64_t>> right;
  for (const MapEntry& entry : late.entries()) left.insert(key(entry));
  for (const MapEntry& entry : punctual.entries()) right.insert(key(entry));
  CHECK(left == right);
  CHECK(left.size() > 20);
}

TEST_CASE("E-18 nothing is claimed or saved before the puts that cover it are acknowledged") {
  Reader reader(MapSpacing{1s, 1U << 20U, 0ns});
  LogShape shape;
  shape.events_per_file = 1000;
  shape.processes = 1;
  const PrimaryLog log = make_log(shape);
  const std::uint64_t half = log.events[299].end;
  reader.show(log, half);
  reader.start();
  reader.show(log);
  reader.poll();
  REQUIRE(reader.puts().size() == 1);  // the second waits for the first
  reader.context.advance(5s);
  reader.poll();
  CHECK(reader.claimed(kFirst) == 0);
  CHECK(reader.saved(kFirst) == 0);
  reader.acknowledge(reader.puts()[0].request);
  CHECK(reader.claimed(kFirst) == half);
  CHECK(reader.saved(kFirst) == 0);
  reader.poll();
  CHECK(reader.saved(kFirst) == half);
  reader.acknowledge_all();
  CHECK(reader.claimed(kFirst) == log.files.at(kFirst).size());
}

TEST_CASE(
    "J-S19 E-10 a put waits until the one before it is acknowledged, and takes everything "
    "pending") {
  Reader reader(MapSpacing{1s, 1U << 20U, 0ns});
  LogShape shape;
  shape.events_per_file = 1000;
  shape.processes = 1;
  const PrimaryLog log = make_log(shape);
  reader.show(log, log.events[99].end);
  reader.start();
  for (const std::size_t shown : {199U, 299U, 399U}) {
    reader.show(log, log.events[shown].end);
    reader.poll();
  }
  REQUIRE(reader.puts().size() == 1);
  const std::uint64_t first = reader.puts()[0].request;
  reader.acknowledge(first + 1);  // not yet sent
  CHECK(reader.puts().size() == 1);
  reader.acknowledge(first);
  CHECK(reader.claimed(kFirst) == log.events[99].end);
  const auto puts = reader.puts();
  REQUIRE(puts.size() == 2);
  CHECK(puts[1].entries.size() > puts[0].entries.size());
  reader.acknowledge(first);  // again
  CHECK(reader.claimed(kFirst) == log.events[99].end);
  reader.acknowledge(puts[1].request);
  CHECK(reader.claimed(kFirst) == log.events[399].end);
}

TEST_CASE("E-18 an unacknowledged put is repeated as it was") {
  Reader reader;
  reader.show(make_log(LogShape{}));
  reader.start();
  const std::size_t first = reader.context.sent_of<MapPut>().size();
  reader.poll();
  CHECK(reader.context.sent_of<MapPut>().size() == first);
  reader.context.advance(1s);
  reader.poll();
  const auto puts = reader.context.sent_of<MapPut>();
  REQUIRE(puts.size() == 2 * first);
  CHECK(puts[0].second.request == puts[first].second.request);
  CHECK(puts[0].second.entries.size() == puts[first].second.entries.size());
  reader.acknowledge_all();
  reader.context.advance(5s);
  reader.poll();
  CHECK(reader.context.sent_of<MapPut>().size() == 2 * first);
}

TEST_CASE("E-18 a restarted reader resumes at the saved offset with an entry for each stream") {
  Reader reader(MapSpacing{1000s, 1U << 20U, 0ns});
  LogShape shape;
  shape.events_per_file = 1000;
  const PrimaryLog log = make_log(shape);
  const std::uint64_t half = log.events[299].end;
  reader.show(log, half);
  reader.start();
  reader.acknowledge_all();
  reader.context.advance(2s);
  reader.poll();
  REQUIRE(reader.saved(kFirst) == half);
  const std::uint64_t old_request = reader.context.sent_of<MapPut>()[0].second.request;

  reader.context.crash();
  reader.context.decisions.clear();
  reader.show(log);
  reader.start();
  CHECK(reader.filled().size() == 300);
  REQUIRE(reader.entries().size() == 3);
  for (const MapEntry& entry : reader.entries()) CHECK(entry.offset >= half);
  reader.acknowledge(old_request);  // an answer to the dead life
  CHECK(reader.claimed(kFirst) == 0);
  reader.acknowledge_all();
  CHECK(reader.claimed(kFirst) == log.files.at(kFirst).size());
}

TEST_CASE("E-18 a restarted reader saves the offsets of files that do not grow, too") {
  constexpr logs::LogFile kSecond{logs::LogType::primary, 4, 1};
  Reader reader;
  PrimaryLog log;
  log.add(event_at(4, 1, 100s), kFirst);
  log.add(event_at(4, 1, 101s), kSecond);
  const auto save = [&] {
    reader.start();
    reader.acknowledge_all();
    reader.context.advance(2s);
    reader.poll();
  };
  reader.show(log);
  save();
  CHECK(reader.saved(kFirst) == log.events[0].end);
  CHECK(reader.saved(kSecond) == log.events[1].end);
  reader.context.crash();
  log.add(event_at(4, 1, 102s), kSecond);
  reader.show(log);
  save();
  CHECK(reader.saved(kFirst) == log.events[0].end);
  CHECK(reader.saved(kSecond) == log.events[2].end);
}

TEST_CASE("E-18 a file of which nothing is findable yet has no saved offset") {
  Reader reader;
  PrimaryLog log;
  log.add(event_at(4, 1, 100s), kFirst);
  log.add(event_at(4, 1, 101s), {logs::LogType::primary, 4, 1});
  reader.show(log, 5);
  reader.start();
  reader.acknowledge_all();
  reader.context.advance(2s);
  reader.poll();
  const ReaderState state = reader.saved_state();
  REQUIRE(state.files.size() == 1);
  CHECK(state.files[0].file == kFirst.number());
  CHECK(state.files[0].offset == log.events[0].end);
}

TEST_CASE("E-10 without cache nodes the reader writes the map and fills nothing") {
  Reader reader;
  reader.config.cache_nodes.clear();
  const PrimaryLog log = make_log(LogShape{});
  reader.show(log);
  reader.start();
  reader.acknowledge_all();
  CHECK(reader.node->statistics().records == log.events.size());
  CHECK(reader.context.sent_of<CacheFill>().empty());
  for (const auto& [file, bytes] : log.files) CHECK(reader.claimed(file) == bytes.size());
}

TEST_CASE("E-18 unreadable saved offsets mean reading again from the beginning") {
  Reader reader;
  const PrimaryLog log = make_log(LogShape{});
  reader.show(log);
  const std::string offsets = text(event_store_offsets_file(Reader::kSelf));
  SECTION("their record is damaged") {
    reader.context.disks[kCell][offsets] = Bytes(40, std::byte{7});
  }
  SECTION("the volume finds them torn") {
    reader.context.answered = [&](const VolumeRequest& request, IoResult& result) {
      if (text(request.file) == offsets) result = IoResult{IoStatus::torn, 0, {}, {}};
    };
  }
  reader.start();
  CHECK(reader.node->statistics().state_lost == 1);
  CHECK(reader.filled().size() > 0);
  reader.acknowledge_all();
  for (int round = 0; round < 3; ++round) reader.poll();
  CHECK(reader.filled().size() == log.events.size());
}

TEST_CASE("E-18 an unavailable cell or log volume is asked again") {
  Reader reader;
  const PrimaryLog log = make_log(LogShape{});
  reader.show(log);
  reader.node = std::make_unique<EventStoreReader>(reader.config);
  reader.node->on_start(reader.context);
  reader.context.complete(*reader.node, IoStatus::unavailable);  // saved offsets
  reader.context.fire(*reader.node, EventStoreReader::kPollTimer);
  reader.context.complete(*reader.node);
  reader.context.complete(*reader.node, IoStatus::unavailable);  // listing
  reader.context.fire(*reader.node, EventStoreReader::kPollTimer);
  reader.context.complete(*reader.node);                     // listing
  reader.context.complete(*reader.node, IoStatus::missing);  // a log file
  reader.context.complete_all(*reader.node);
  for (int round = 0; round < 3; ++round) reader.poll();
  CHECK(reader.filled().size() == log.events.size());
  CHECK(reader.node->statistics().failed_reads == 2);
}

TEST_CASE("C-09 a poll without growth costs one request, with growth one more per grown file") {
  Reader reader;
  PrimaryLog log;
  for (std::uint16_t server = 0; server < 50; ++server) {
    log.add(event_at(server, 1, 1s), {logs::LogType::primary, server, 0});
  }
  reader.show(log);
  reader.start();
  reader.acknowledge_all();
  reader.context.advance(2s);
  reader.poll();  // saves the offsets
  const auto requests_of_a_poll = [&reader] {
    std::size_t count = 0;
    reader.context.fire(*reader.node, EventStoreReader::kPollTimer);
    while (!reader.context.pending.empty()) {
      reader.context.complete(*reader.node);
      ++count;
    }
    return count;
  };
  CHECK(requests_of_a_poll() == 1);
  log.add(event_at(3, 1, 2s), {logs::LogType::primary, 3, 0});
  log.add(event_at(9, 1, 2s), {logs::LogType::primary, 9, 0});
  reader.show(log);
  CHECK(requests_of_a_poll() == 3);
}

TEST_CASE(
    "E-16 a log store that is unavailable stops the reader before its memory grows without bound") {
  Reader reader(MapSpacing{0s, 1U << 20U, 0ns});
  reader.config.max_unsent = 20;
  reader.config.read_bytes = 500;
  LogShape shape;
  shape.events_per_file = 1000;
  reader.show(make_log(shape));
  reader.start();
  for (int round = 0; round < 50; ++round) reader.poll();
  CHECK(reader.puts().size() == 1);
  CHECK(reader.filled().size() < 100);
  for (int round = 0; round < 200; ++round) {
    reader.acknowledge_all();
    reader.poll();
  }
  CHECK(reader.filled().size() == 600);
  CHECK(reader.entries().size() == 600);
}

TEST_CASE("E-07 events that a log knows reach their cache nodes as references") {
  Reader reader;
  KnownFiles known;
  reader.context.answered = [&](const VolumeRequest& request, IoResult& result) {
    if (request.volume != kLogs || result.data.empty()) return;
    known.convert(request, reader.context.disks[kLogs].at(text(request.file)), result);
  };
  const PrimaryLog log = make_log(LogShape{});
  reader.show(log);
  reader.start();
  REQUIRE(known.converted() > 0);
  std::map<EventId, NodeId> filled;
  for (const auto& [to, fill] : reader.context.sent_of<CacheFill>()) {
    CHECK(fill.batch.records().empty());
    for (const auto& event : fill.batch.events()) {
      CHECK(filled.emplace(event.id, to).second);
      CHECK(event.payload == payload_of(event.id));
    }
  }
  CHECK(filled.size() == log.events.size());
  const HashRing ring(reader.config.cache_nodes);
  for (const auto& [id, node] : filled) CHECK(ring.owner(id) == node);
}

}  // namespace photon
