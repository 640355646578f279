// The reader over logs with damage, lost ends and stalled tails.
#include <algorithm>
#include <memory>

#include "tests/photon/event_store/reader_case.h"

namespace photon {

using namespace photon::testing;

TEST_CASE("A-24 C-09 a copy that is shorter than listed is read again when it has grown") {
  Reader reader;
  LogShape shape;
  shape.events_per_file = 1000;
  const PrimaryLog log = make_log(shape);
  const bool inside_a_record = GENERATE(true, false);
  const std::size_t cut = log.events[300].begin + (inside_a_record ? 9 : 0);
  reader.show(log);
  reader.node = std::make_unique<EventStoreReader>(reader.config);
  reader.node->on_start(reader.context);
  reader.context.complete(*reader.node);  // what it has saved: nothing
  reader.context.complete(*reader.node);  // the listing
  const auto requests = [&reader] {
    int count = 0;
    for (; !reader.context.pending.empty() && count < 100; ++count) {
      reader.context.complete(*reader.node);
    }
    return count;
  };
  reader.show(log, cut);
  CHECK(requests() <= 3);  // it does not ask over and over
  reader.acknowledge_all();
  CHECK(reader.filled().size() == 300);
  for (int polls = 0; polls < 3; ++polls) {
    reader.context.fire(*reader.node, EventStoreReader::kPollTimer);
    CHECK(requests() <= 3);
  }
  CHECK(reader.filled().size() == 300);
  reader.show(log);
  reader.poll();
  reader.acknowledge_all();
  std::vector<EventId> filled = reader.filled();
  CHECK(filled.size() == log.events.size());
  std::ranges::sort(filled);
  CHECK(std::ranges::adjacent_find(filled) == filled.end());
  CHECK(reader.claimed(kFirst) == log.events.back().end);
}

TEST_CASE("A-23 a damaged record is skipped; one that hides a stalled tail is detected") {
  Reader reader;
  LogShape shape;
  shape.events_per_file = 1000;
  const PrimaryLog log = make_log(shape);
  reader.show(log);
  Bytes& bytes = reader.context.disks[kLogs].at(text(kFirst.name()));
  bytes[log.events[50].begin + kRecordOverhead + 5] ^= std::byte{1};
  bytes[log.events[590].begin + 1] ^= std::byte{0x40};  // states 16 KiB more than the file has
  reader.start();
  reader.acknowledge_all();
  reader.poll();
  CHECK(reader.filled().size() == 589);
  CHECK(reader.node->statistics().damaged == 1);
  reader.context.advance(60s);
  reader.poll();
  CHECK(reader.filled().size() == 598);
  CHECK(reader.node->statistics().damaged == 2);
  const auto skipped = reader.context.decided<trace::RecordSkipped>();
  REQUIRE(skipped.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const Written& event = log.events[i == 0 ? 50 : 590];
    CHECK(skipped[i].begin == event.begin);
    CHECK(skipped[i].end == event.end);
    CHECK(skipped[i].file == kFirst.number());
  }
}

TEST_CASE("A-23 a file that grows after a stall is given the whole time again") {
  Reader reader;
  LogShape shape;
  shape.events_per_file = 1000;
  const PrimaryLog log = make_log(shape);
  const auto show = [&](std::size_t events) {
    reader.show(log, log.events[events - 1].end);
    Bytes& bytes = reader.context.disks[kLogs].at(text(kFirst.name()));
    for (const std::size_t damaged : {90U, 190U}) {  // each claims more than is left
      if (damaged < events) bytes[log.events[damaged].begin + 1] ^= std::byte{0x40};
    }
  };
  show(100);
  reader.start();
  CHECK(reader.filled().size() == 90);
  reader.context.advance(60s);
  reader.poll();
  CHECK(reader.filled().size() == 99);
  show(200);
  for (int polls = 0; polls < 3; ++polls) reader.poll();
  CHECK(reader.filled().size() == 189);
  CHECK(reader.node->statistics().damaged == 1);
  reader.context.advance(60s);
  reader.poll();
  CHECK(reader.filled().size() == 198);
  CHECK(reader.node->statistics().damaged == 2);
}

TEST_CASE("C-09 sound records that are no query are counted and skipped") {
  Reader reader;
  PrimaryLog log;
  log.add(event_at(4, 1, 100s), kFirst);
  append_record(Bytes(5, std::byte{1}), log.files.at(kFirst));
  log.add(event_at(4, 1, 101s), kFirst);
  reader.show(log);
  reader.start();
  reader.acknowledge_all();
  CHECK(reader.filled().size() == 2);
  CHECK(reader.node->statistics().records == 2);
  CHECK(reader.node->statistics().malformed == 1);
  CHECK(reader.claimed(kFirst) == log.events.back().end);
}

TEST_CASE("A-23 C-09 the search of a stalled tail delays no other file") {
  Reader reader;
  reader.config.read_bytes = 4096;
  PrimaryLog log;
  log.add(event_at(4, 1, 100s), kFirst);
  log.add(event_at(4, 1, 101s), kFirst);
  const auto show = [&] {
    reader.show(log);
    Bytes& stalled = reader.context.disks[kLogs].at(text(kFirst.name()));
    stalled.resize(stalled.size() - 3);
  };
  show();
  reader.start();
  reader.acknowledge_all();
  reader.context.advance(60s - 1ns);
  for (int i = 0; i < 500; ++i) {  // many reads
    log.add(event_at(5, 1, 100s + i * 1ms), {logs::LogType::primary, 5, 0});
  }
  show();
  reader.context.advance(1ns);
  reader.poll();
  reader.acknowledge_all();
  CHECK(reader.filled().size() == 501);
  CHECK(reader.node->statistics().damaged == 0);
}

}  // namespace photon
