// A range of records and the bytes of the same range say the same to every reader.
#include <algorithm>
#include <vector>

#include "core_impl/logs/log_reader.h"
#include "core_impl/logs/primary_batch.h"
#include "core_impl/logs/primary_view.h"
#include "tests/support/catch.h"
#include "tests/support/known_log.h"

namespace photon::logs {
namespace {

using photon::testing::KnownLog;

// What a reader hands out, with the content made bytes.
struct Item {
  LogItemKind kind{};
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
  EventId id;
  Payload payload;
  friend bool operator==(const Item&, const Item&) = default;
};

// The state that decides what a reader reads next.
struct State {
  std::uint64_t offset = 0;
  std::uint64_t examined = 0;
  std::uint32_t read_size = 0;
  bool in_doubt = false;
  friend bool operator==(const State&, const State&) = default;
};

State state_of(const LogReader& reader) {
  return {reader.offset(), reader.examined(), reader.read_size(1), reader.is_in_doubt()};
}

std::vector<Item> drain(LogReader& reader) {
  std::vector<Item> items;
  while (const auto item = reader.next()) {
    Item seen{item->kind, item->offset, item->end, {}, {}};
    if (item->kind == LogItemKind::record) {
      const auto event = view_primary(item->record);
      REQUIRE(event.has_value());
      seen.id = event->id;
      seen.payload = Payload(event->payload);
    }
    items.push_back(std::move(seen));
  }
  return items;
}

}  // namespace

TEST_CASE("A-23 C-08 a range of records and its bytes give equal items, wherever reads end") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4, 5, 6);
  INFO("seed " << seed);
  KnownLog log(EventKind::primary, 300, seed);
  const RandomStream random(seed, Purpose::test, 9);
  LogReader by_range;
  LogReader by_bytes;
  std::uint64_t visible = 0;
  std::size_t records = 0;
  for (std::uint64_t step = 0; by_range.offset() < log.bytes().size(); ++step) {
    const auto words = random.block(step);
    visible = std::min<std::uint64_t>(log.bytes().size(),
                                      visible + uniform_below(words[0], step % 5 == 0 ? 2000 : 60));
    const auto usual = static_cast<std::uint32_t>(1 + uniform_below(words[1], 700));
    const std::uint64_t at = by_range.offset();
    const std::uint32_t length = by_range.read_size(usual);
    const Tail tail = words[1] % 7 == 0 ? Tail::stalled : Tail::growing;
    IoResult range = log.answer(ReadForm::records, at, length, visible);
    IoResult bytes = log.answer(ReadForm::bytes, at, length, visible);
    REQUIRE(range.bytes_read() == bytes.bytes_read());
    by_range.supply(at, range, tail);
    by_bytes.supply(at, bytes, tail);
    const std::vector<Item> items = drain(by_range);
    REQUIRE(items == drain(by_bytes));
    REQUIRE(state_of(by_range) == state_of(by_bytes));
    records += items.size();
  }
  CHECK(records == 300);
  CHECK(by_range.damaged_items() == 0);
}

TEST_CASE("A-23 a reader inside a record searches the bytes of a range as it does any bytes") {
  const std::uint64_t seed = GENERATE(7, 8);
  KnownLog log(EventKind::primary, 60, seed);
  for (std::uint64_t begin = 1; begin < 400; begin += 7) {
    CAPTURE(seed, begin);
    LogReader by_range(begin);
    LogReader by_bytes(begin);
    IoResult range = log.answer(ReadForm::records, begin, 1U << 20U, log.bytes().size());
    IoResult bytes = log.answer(ReadForm::bytes, begin, 1U << 20U, log.bytes().size());
    by_range.supply(begin, range, Tail::stalled);
    by_bytes.supply(begin, bytes, Tail::stalled);
    REQUIRE(drain(by_range) == drain(by_bytes));
    REQUIRE(state_of(by_range) == state_of(by_bytes));
    REQUIRE(by_range.damaged_bytes() == by_bytes.damaged_bytes());
  }
}

TEST_CASE("a range is read without a byte of its payloads") {
  KnownLog log(EventKind::primary, 50, 3);
  const std::uint64_t before = log.payloads().written();
  LogReader reader;
  IoResult range = log.answer(ReadForm::records, 0, 1U << 20U, log.bytes().size());
  reader.supply(0, range);
  std::size_t seen = 0;
  while (const auto item = reader.next()) {
    REQUIRE(view_primary(item->record)->payload.is_reference());
    ++seen;
  }
  CHECK(seen == 50);
  CHECK(log.payloads().written() == before);
}

TEST_CASE("a foreign event by its fields is no primary event") {
  KnownLog log(EventKind::foreign, 1, 1);
  const StoredEvent& event = log.events().front();
  CHECK_FALSE(view_primary(RecordContent{{}, &event}).has_value());
}

TEST_CASE("E-08 a batch is the framed records of its events, in their order, in any form") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4);
  INFO("seed " << seed);
  KnownLog log(EventKind::primary, 40, seed);
  const RandomStream random(seed, Purpose::test, 5);
  PrimaryBatch batch;
  CHECK(batch.empty());
  for (std::size_t i = 0; i < log.events().size(); ++i) {
    const StoredEvent& event = log.events()[i];
    if (random.word(i) % 16 > 0) {
      batch.append(event.id, event.payload);
    } else {
      batch.append_record(std::span(log.bytes()).subspan(event.begin, event.end - event.begin));
    }
    REQUIRE(batch.bytes() == event.end);
  }
  Bytes expected;
  Encoder of_bytes(expected);
  of_bytes(log.bytes());
  Bytes encoded;
  Encoder encoder(encoded);
  encoder(batch);
  CHECK(encoded == expected);
  PrimaryBatch decoded;
  Decoder decoder(encoded);
  decoder(decoded);
  REQUIRE(decoder.ok());
  CHECK(decoded.events().empty());
  CHECK(std::ranges::equal(decoded.records(), log.bytes()));
  CHECK(decoded.bytes() == batch.bytes());
}

}  // namespace photon::logs
