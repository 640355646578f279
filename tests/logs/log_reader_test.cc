#include "core_impl/logs/log_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core_impl/base/random.h"
#include "tests/support/catch.h"

namespace photon::logs {
namespace {

// A log of numbered records of varying size, and where each begins.
struct Log {
  Bytes bytes;
  std::vector<std::uint64_t> begins;

  void add(std::uint64_t number, std::size_t padding) {
    Bytes body(sizeof number + padding, std::byte{0x5a});
    std::memcpy(body.data(), &number, sizeof number);
    begins.push_back(bytes.size());
    append_record(body, bytes);
  }
  static Log of(std::size_t count, std::uint64_t seed) {
    Log log;
    const RandomStream random(seed, Purpose::test, 1);
    for (std::uint64_t i = 0; i < count; ++i) log.add(i, uniform_below(random.word(i), 90));
    return log;
  }
};

struct Seen {
  std::vector<std::uint64_t> numbers;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> damaged;
};

// One poll: reads what the first `visible` bytes of the file hold beyond the reader's offset.
void poll(const Bytes& file, std::size_t visible, LogReader& reader, std::uint32_t usual,
          Seen& seen, Tail tail = Tail::growing) {
  while (true) {
    const std::uint64_t at = reader.offset();
    const std::size_t most = reader.read_size(usual);
    const std::size_t count = std::min<std::size_t>(most, visible - at);
    const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
    reader.supply(at, Bytes(begin, begin + static_cast<std::ptrdiff_t>(count)), tail);
    while (const auto item = reader.next()) {
      CHECK(item->end == reader.offset());
      if (item->kind == LogItemKind::damaged) {
        seen.damaged.emplace_back(item->offset, item->end);
        continue;
      }
      std::uint64_t number = 0;
      REQUIRE(item->record.body.size() >= sizeof number);
      std::memcpy(&number, item->record.body.data(), sizeof number);
      seen.numbers.push_back(number);
    }
    if (count < most) return;
  }
}

void corrupt(Log& log, std::size_t record, std::size_t byte, unsigned mask) {
  log.bytes[log.begins[record] + byte] ^= static_cast<std::byte>(mask);
}

std::vector<std::uint64_t> all_but(std::size_t count, std::uint64_t missing) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i != missing) numbers.push_back(i);
  }
  return numbers;
}

}  // namespace

TEST_CASE("A-23 C-08 a log that grows in random fragments is read once, record by record") {
  const std::uint64_t seed = GENERATE(1, 2, 3, 4, 5, 6, 7, 8);
  INFO("seed " << seed);
  const Log log = Log::of(400, seed);
  const RandomStream random(seed, Purpose::test, 2);
  LogReader reader;
  Seen seen;
  std::size_t visible = 0;
  for (std::uint64_t step = 0; visible < log.bytes.size(); ++step) {
    const std::size_t fragment = 1 + uniform_below(random.word(step), step % 3 == 0 ? 700 : 20);
    visible = std::min(log.bytes.size(), visible + fragment);
    poll(log.bytes, visible, reader, 1 + static_cast<std::uint32_t>(step % 500), seen);
    // The next offset is a record boundary, and no complete record was left before it.
    const bool at_boundary = reader.offset() == log.bytes.size() ||
                             std::ranges::binary_search(log.begins, reader.offset());
    REQUIRE(at_boundary);
    const auto next = std::ranges::upper_bound(log.begins, reader.offset());
    const std::size_t next_end = next == log.begins.end() ? log.bytes.size() : *next;
    if (reader.offset() < log.bytes.size()) REQUIRE(next_end > visible);
    REQUIRE(reader.examined() == visible);
  }
  CHECK(seen.numbers == all_but(400, 400));
  CHECK(seen.damaged.empty());
}

TEST_CASE("A-23 a record larger than the usual read is read as soon as it is complete") {
  Log log;
  log.add(0, 20);
  log.add(1, 100'000);
  log.add(2, 20);
  LogReader reader;
  Seen seen;
  poll(log.bytes, log.bytes.size() - 1, reader, 256, seen);
  CHECK(seen.numbers == std::vector<std::uint64_t>{0, 1});
  poll(log.bytes, log.bytes.size(), reader, 256, seen);
  CHECK(seen.numbers == std::vector<std::uint64_t>{0, 1, 2});
}

TEST_CASE("A-23 a flipped bit anywhere costs its record only, and is reported with its place") {
  const std::uint64_t seed = GENERATE(11, 12, 13);
  const RandomStream random(seed, Purpose::test, 3);
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Log log = Log::of(40, seed);
    const auto word = random.block(trial);
    const std::size_t record = uniform_below(word[0], 39);  // one sound record follows
    const std::size_t size = log.begins[record + 1] - log.begins[record];
    const std::size_t byte =
        trial % 2 == 0 ? uniform_below(word[1], kRecordOverhead) : uniform_below(word[1], size);
    const unsigned bit = static_cast<unsigned>(word[0] & 7U);
    corrupt(log, record, byte, 1U << bit);
    INFO("seed " << seed << " record " << record << " byte " << byte << " bit " << bit);
    LogReader reader;
    Seen seen;
    poll(log.bytes, log.bytes.size(), reader, 4096, seen);
    // A length that exceeds the file looks unfinished until the tail has stalled.
    poll(log.bytes, log.bytes.size(), reader, 4096, seen, Tail::stalled);
    CHECK(seen.numbers == all_but(40, record));
    REQUIRE(seen.damaged.size() == 1);
    CHECK(seen.damaged.front() == std::pair(log.begins[record], log.begins[record + 1]));
    CHECK(reader.damaged_items() == 1);
    CHECK(reader.damaged_bytes() == size);
    CHECK(reader.offset() == log.bytes.size());
  }
}

TEST_CASE("A-23 E-16 a wrong length that ends where another record begins swallows none") {
  Log log;
  for (std::uint64_t i = 0; i < 200; ++i) log.add(i, 64 - kRecordOverhead - sizeof i);
  REQUIRE(log.begins[1] == 64);
  const std::size_t record = 20;
  const unsigned bit = GENERATE(6U, 7U, 8U, 12U);  // 1, 2, 4 and 64 records longer
  corrupt(log, record, bit / 8, 1U << (bit % 8));
  LogReader reader;
  Seen seen;
  poll(log.bytes, log.bytes.size(), reader, 4096, seen);
  CHECK(seen.numbers == all_but(200, record));
  REQUIRE(seen.damaged.size() == 1);
  CHECK(seen.damaged.front() == std::pair(log.begins[record], log.begins[record + 1]));
}

TEST_CASE("A-23 damage of whole stretches never crashes the reader, and later records are read") {
  const std::uint64_t seed = GENERATE(21, 22, 23, 24);
  INFO("seed " << seed);
  const RandomStream random(seed, Purpose::test, 4);
  Log log = Log::of(300, seed);
  const std::size_t from = 1000 + uniform_below(random.word(0), 2000);
  const std::size_t count = 1 + uniform_below(random.word(1), 3000);
  for (std::size_t i = 0; i < count; ++i) {
    log.bytes[from + i] = static_cast<std::byte>(seed % 2 == 0 ? 0 : random.word(2 + i) & 0xffU);
  }
  LogReader reader;
  Seen seen;
  poll(log.bytes, log.bytes.size(), reader, 4096, seen);
  poll(log.bytes, log.bytes.size(), reader, 4096, seen, Tail::stalled);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint64_t end = i + 1 < 300 ? log.begins[i + 1] : log.bytes.size();
    if (end <= from || log.begins[i] >= from + count) expected.push_back(i);
  }
  CHECK(seen.numbers == expected);
  CHECK(reader.damaged_items() > 0);
}

TEST_CASE("A-23 an impossible length at the end of the file waits for sound records after it") {
  Log log = Log::of(10, 31);
  corrupt(log, 9, 3, 0xffU);  // the top byte of the last record's length
  LogReader reader;
  Seen seen;
  poll(log.bytes, log.bytes.size(), reader, 4096, seen);
  CHECK(seen.numbers == all_but(9, 9));
  CHECK(reader.offset() == log.begins[9]);
  log.add(10, 50);
  poll(log.bytes, log.bytes.size(), reader, 4096, seen);
  CHECK(seen.numbers.back() == 10);
  CHECK(seen.damaged.size() == 1);
}

TEST_CASE("A-23 a wrong length that covers much of the file is detected without waiting for it") {
  Log log = Log::of(3000, 41);
  corrupt(log, 5, 2, 0x08U);  // 512 KiB longer
  LogReader reader;
  Seen seen;
  poll(log.bytes, log.bytes.size(), reader, 4096, seen);
  CHECK(seen.numbers == all_but(3000, 5));
}

namespace {

// The first record claims `claimed` bytes with its frame and is cut by a sound record, number 1;
// then come zeros up to `size` bytes.
Bytes with_wrong_length(std::size_t claimed, std::size_t size) {
  Log log;
  log.add(0, 20);
  log.add(1, 20);
  const auto length = static_cast<std::uint32_t>(claimed - kRecordOverhead);
  std::memcpy(log.bytes.data(), &length, sizeof length);
  REQUIRE(log.bytes.size() <= size);
  log.bytes.resize(size);
  return log.bytes;
}

// How many bytes are skipped at the front of it; 0: the reader waits for more.
std::uint64_t skipped(const Bytes& bytes, Tail tail = Tail::growing) {
  LogReader reader;
  reader.supply(0, bytes, tail);
  const LogItem* item = reader.next();
  if (item == nullptr) return 0;
  CHECK(item->kind == LogItemKind::damaged);
  return item->end;
}

constexpr std::size_t kLongestPlausible = LogReader::kPlausibleRecord + kRecordOverhead;
constexpr std::size_t kFirstRecord = kRecordOverhead + 28;

}  // namespace

TEST_CASE(
    "A-23 an unfinished record is searched after so many bytes, and if its length is absurd") {
  constexpr std::size_t kTail = LogReader::kSuspiciousTail;
  CHECK(skipped(with_wrong_length(kLongestPlausible, 500)) == 0);
  CHECK(skipped(with_wrong_length(kLongestPlausible + 1, 500)) == kFirstRecord);
  CHECK(skipped(with_wrong_length(kLongestPlausible, kTail - 1)) == 0);
  CHECK(skipped(with_wrong_length(kLongestPlausible, kTail)) == kFirstRecord);
  CHECK(skipped(with_wrong_length(kLongestPlausible, 500), Tail::stalled) == kFirstRecord);
}

TEST_CASE("A-23 where nothing is sound the reader waits for two records of the longest size") {
  constexpr std::size_t kMost = 2 * LogReader::kPlausibleRecord;
  Bytes bytes(kMost, std::byte{0xff});
  CHECK(skipped(bytes) == 0);
  bytes.push_back(std::byte{0xff});
  // A sound record that began in the last part of it would be kept.
  CHECK(skipped(bytes) == bytes.size() - kLongestPlausible);
}

TEST_CASE("A-23 a reader is in doubt before wrong bytes, until more come or sound ones follow") {
  Log log;
  log.add(0, 40);
  log.add(1, 40);
  const std::size_t begin = log.begins[1];
  corrupt(log, 1, 20, 1U);
  LogReader reader;
  CHECK_FALSE(reader.is_in_doubt());
  const auto supply = [&](std::size_t from, std::size_t to) {
    reader.supply(from, Bytes(log.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                              log.bytes.begin() + static_cast<std::ptrdiff_t>(to)));
    while (reader.next() != nullptr) {
    }
  };
  supply(0, log.bytes.size() - 1);
  CHECK_FALSE(reader.is_in_doubt());  // it is not complete yet
  supply(begin, log.bytes.size());
  CHECK(reader.is_in_doubt());
  CHECK(reader.offset() == begin);
  log.add(2, 40);
  supply(begin, log.bytes.size());
  CHECK_FALSE(reader.is_in_doubt());
  CHECK(reader.offset() == log.bytes.size());
  CHECK(reader.damaged_items() == 1);
}

TEST_CASE("A-23 a reader asks for what the record before it needs, at least four kilobytes") {
  const auto asks = [](const Bytes& bytes, std::uint32_t usual) {
    LogReader reader;
    reader.supply(0, bytes);
    while (reader.next() != nullptr) {
    }
    return reader.read_size(usual);
  };
  Log log;
  log.add(0, 20'000);
  const std::size_t whole = log.bytes.size();
  CHECK(asks(log.bytes, 7) == 7);  // nothing is left over
  for (const std::size_t size : {kRecordOverhead, kRecordOverhead + 1, whole - 1}) {
    CAPTURE(size);
    const Bytes cut(log.bytes.begin(), log.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(asks(cut, 7) == whole);
    CHECK(asks(cut, 50'000) == 50'000);
  }
  CHECK(asks(Bytes(kRecordOverhead - 1), 7) == 4096);  // its length is not known yet
  // Twice as many as before, if the length says nothing.
  CHECK(asks(Bytes(5000, std::byte{0xff}), 7) == 10'000);
  // So too if the file may hold a record of that length and the log none.
  const auto claims = [](std::size_t claimed) {
    Bytes bytes(5000, std::byte{0xff});
    const auto length = static_cast<std::uint32_t>(claimed - kRecordOverhead);
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes;
  };
  CHECK(asks(claims(kLongestPlausible), 7) == kLongestPlausible);
  CHECK(asks(claims(kLongestPlausible + 1), 7) == 10'000);
  CHECK(asks(Bytes(2 * LogReader::kPlausibleRecord, std::byte{0xff}), 7) ==
        2 * LogReader::kPlausibleRecord + 1);
}

}  // namespace photon::logs
