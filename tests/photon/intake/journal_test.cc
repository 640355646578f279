// The format of the journal and the facts it states.

#include "core_impl/photon/intake/journal.h"

#include <algorithm>
#include <vector>

#include "core_impl/base/record_codec.h"
#include "core_impl/trace/pipeline.h"
#include "tests/photon/dispatcher_joiner_harness.h"
#include "tests/support/catch.h"

using namespace photon;
using namespace photon::testing;
using namespace std::chrono_literals;

namespace {

struct Facts final : trace::FactSink {
  std::vector<trace::Record> all;

 private:
  void raw_fact(trace::Kind kind, const void* payload, std::size_t size) override {
    trace::Record record;
    record.header.kind = kind;
    std::memcpy(record.payload.data(), payload, size);
    all.push_back(record);
  }
};

SavedRecord saved(std::uint32_t number, std::uint32_t attempts) {
  return SavedRecord{.click = click_id(number),
                     .query = query_id(number),
                     .handed_on = attempts,
                     .tries = attempts + 1,
                     .due = from_nanoseconds<LocalTime>(5),
                     .last_joiner = NodeId(7),
                     .payload = bytes_of("payload")};
}

}  // namespace

TEST_CASE("C-03 a journal is read back: the latest record about a file or click counts") {
  Bytes journal;
  append_journal(OwnershipRecord{NodeId(3), 9, from_nanoseconds<LocalTime>(1), 10s}, journal);
  append_journal(saved(1, 1), journal);
  append_journal(saved(2, 1), journal);
  append_journal(OffsetRecord{77, 100}, journal);
  append_journal(saved(2, 2), journal);
  append_journal(RemovedRecord{click_id(1)}, journal);
  append_journal(OffsetRecord{77, 200}, journal);
  const JournalState state = read_journal(journal);
  CHECK(state.ownership.owner == NodeId(3));
  CHECK(state.ownership.epoch == 9);
  CHECK(state.ownership.lease == 10s);
  REQUIRE(state.offsets.size() == 1);
  CHECK(state.offsets[0].file == 77);
  CHECK(state.offsets[0].offset == 200);
  REQUIRE(state.saved.size() == 1);
  CHECK(state.saved[0].click == click_id(2));
  CHECK(state.saved[0].query == query_id(2));
  CHECK(state.saved[0].handed_on == 2);
  CHECK(state.saved[0].tries == 3);
  CHECK(state.saved[0].due == from_nanoseconds<LocalTime>(5));
  CHECK(state.saved[0].last_joiner == NodeId(7));
  CHECK(state.saved[0].payload == bytes_of("payload"));
  CHECK(state.bytes_ignored == 0);
}

namespace {

// Bytes as the layout in journal.h states them.
class Layout {
 public:
  template <class Integer>
  Layout& field(Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
    }
    return *this;
  }
  Layout& id(std::uint32_t server, std::uint32_t process, std::int64_t stamp) {
    return field(server).field(process).field(stamp);
  }
  // The only record of the journal.
  void check(const Bytes& journal) const {
    const RecordView record = view_record(journal);
    REQUIRE(record.status == RecordStatus::complete);
    CHECK(record.size == journal.size());
    CHECK(std::ranges::equal(record.body, bytes_));
  }

 private:
  Bytes bytes_;
};

template <class Record>
Bytes journal_of(const Record& record) {
  Bytes journal;
  append_journal(record, journal);
  return journal;
}

EventId event(std::uint32_t server, std::uint32_t process, std::int64_t stamp) {
  return {server, process, from_nanoseconds<Stamp>(stamp)};
}

}  // namespace

TEST_CASE("C-03 the layout of a journal's records is the stated one, field by field") {
  const auto at = [](std::int64_t time) { return from_nanoseconds<LocalTime>(time); };
  Layout()
      .field(std::uint8_t{1})
      .field(std::uint32_t{11})
      .field(std::uint64_t{12})
      .field(std::int64_t{13})
      .field(std::int64_t{14})
      .check(journal_of(OwnershipRecord{NodeId(11), 12, at(13), Duration(14)}));
  Layout()
      .field(std::uint8_t{2})
      .field(std::uint32_t{21})
      .field(std::uint64_t{22})
      .check(journal_of(OffsetRecord{21, 22}));
  const Bytes payload{std::byte{40}, std::byte{41}};
  Layout()
      .field(std::uint8_t{3})
      .id(31, 32, 33)
      .id(34, 35, 36)
      .field(std::uint32_t{37})
      .field(std::uint32_t{38})
      .field(std::int64_t{39})
      .field(std::uint32_t{50})
      .field(std::uint64_t{51})
      .field(std::uint32_t{2})
      .field(std::uint8_t{40})
      .field(std::uint8_t{41})
      .check(journal_of(SavedRecord{event(31, 32, 33), event(34, 35, 36), 37, 38, at(39),
                                    NodeId(50), 51, payload}));
  Layout()
      .field(std::uint8_t{4})
      .id(61, 62, 63)
      .check(journal_of(RemovedRecord{event(61, 62, 63)}));
  Layout()
      .field(std::uint8_t{5})
      .id(71, 72, 73)
      .id(74, 75, 76)
      .check(journal_of(IntentRecord{event(71, 72, 73), Token{74, 75, 76}}));
  Layout()
      .field(std::uint8_t{6})
      .field(std::uint32_t{81})
      .field(std::uint64_t{82})
      .check(journal_of(SkippedRecord{81, 82}));
}

TEST_CASE("F-08 an intent lasts until its click is saved again or removed") {
  const Token token{7, 8, 9};
  for (const bool removed : {false, true}) {
    Bytes journal;
    append_journal(saved(1, 1), journal);
    append_journal(saved(2, 1), journal);
    append_journal(IntentRecord{click_id(1), Token{1, 1, 1}}, journal);
    append_journal(IntentRecord{click_id(1), token}, journal);
    append_journal(IntentRecord{click_id(2), token}, journal);
    if (removed) append_journal(RemovedRecord{click_id(2)}, journal);
    if (!removed) append_journal(saved(2, 2), journal);
    const JournalState state = read_journal(journal);
    REQUIRE(state.intents.size() == 1);
    CHECK(state.intents[0].click == click_id(1));
    CHECK(state.intents[0].token == token);
    CHECK(state.saved.size() == (removed ? 1 : 2));
  }
}

TEST_CASE("C-03 damage ends a journal: later records are ignored and counted") {
  Bytes journal;
  append_journal(saved(1, 1), journal);
  const std::size_t first = journal.size();
  append_journal(saved(2, 1), journal);
  append_journal(saved(3, 1), journal);
  for (std::size_t bit = 0; bit < 8 * (journal.size() - first); bit += 5) {
    Bytes damaged = journal;
    damaged[first + bit / 8] ^= std::byte{1} << (bit % 8);
    const JournalState state = read_journal(damaged);
    CAPTURE(bit);
    // A flip in the second record hides it and the third; a flip in the third only itself.
    CHECK(state.saved.size() <= 2);
    CHECK(state.saved.size() >= 1);
    CHECK(state.bytes_ignored >= damaged.size() - first - (state.saved.size() - 1) * first);
  }
}

TEST_CASE("J-S14 the facts of a journal are projected from its bytes, in order") {
  Bytes journal;
  append_journal(OwnershipRecord{NodeId(3), 9, {}, 10s}, journal);
  append_journal(saved(1, 4), journal);
  append_journal(OffsetRecord{77, 100}, journal);
  append_journal(SkippedRecord{77, 60}, journal);
  append_journal(RemovedRecord{click_id(1)}, journal);
  Facts facts;
  journal_facts(journal, 7, facts);
  REQUIRE(facts.all.size() == 5);
  CHECK(facts.all[0].as<trace::JournalOwned>().owner == NodeId(3));
  CHECK(facts.all[0].as<trace::JournalOwned>().epoch == 9);
  CHECK(facts.all[0].as<trace::JournalOwned>().lease_nanoseconds == 10'000'000'000);
  CHECK(facts.all[0].as<trace::JournalOwned>().journal == 7);
  facts.all.erase(facts.all.begin());
  CHECK(facts.all[0].as<trace::RetrySaved>().click == click_id(1));
  CHECK(facts.all[0].as<trace::RetrySaved>().attempts == 4);
  CHECK(facts.all[0].as<trace::RetrySaved>().due == from_nanoseconds<LocalTime>(5));
  CHECK(facts.all[1].as<trace::OffsetSaved>().offset == 100);
  CHECK(facts.all[1].as<trace::OffsetSaved>().file == 77);
  CHECK(facts.all[2].as<trace::RangeSkipped>().offset == 60);
  CHECK(facts.all[3].as<trace::RetryRemoved>().click == click_id(1));
  CHECK(facts.all[0].as<trace::RetrySaved>().journal == 7);
  CHECK(facts.all[1].as<trace::OffsetSaved>().journal == 7);
  CHECK(facts.all[2].as<trace::RangeSkipped>().journal == 7);
  CHECK(facts.all[3].as<trace::RetryRemoved>().journal == 7);
  Facts torn;
  journal_facts(std::span(journal).first(journal.size() - 1), 7, torn);
  CHECK(torn.all.size() == 4);
}
