#include "core_impl/base/record_codec.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <rapidcheck.h>

#include "core_impl/base/hash.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

struct Note {
  std::uint32_t number = 0;
  Bytes text{};
  template <class Self, class Visitor>
  static void each_field(Self& self, Visitor&& visit) {
    visit(self.number, self.text);
  }
};

Bytes framed(const std::vector<std::uint8_t>& body) {
  Bytes out;
  append_record(std::as_bytes(std::span(body)), out);
  return out;
}

TEST_CASE("A-23 a record is complete with its last byte and incomplete with any fewer") {
  CHECK(rc::check("prefixes", [](const std::vector<std::uint8_t>& body) {
    const Bytes record = framed(body);
    RC_ASSERT(record.size() == kRecordOverhead + body.size());
    for (std::size_t length = 0; length < record.size(); ++length) {
      RC_ASSERT(view_record(std::span(record).first(length)).status == RecordStatus::incomplete);
    }
    Bytes more = record;
    more.push_back(std::byte{0x55});  // the next record's first byte is ignored
    const RecordView view = view_record(more);
    RC_ASSERT(view.status == RecordStatus::complete);
    RC_ASSERT(view.size == record.size());
    RC_ASSERT(std::ranges::equal(view.body, std::as_bytes(std::span(body))));
  }));
}

TEST_CASE("A-23 every single flipped bit of a record is detected") {
  Bytes record = framed({1, 2, 3, 4, 5, 6, 7, 8, 9});
  record.insert(record.end(), 64, std::byte{0});
  for (std::size_t bit = 0; bit < (kRecordOverhead + 9) * 8; ++bit) {
    record[bit / 8] ^= std::byte{1} << (bit % 8);
    CAPTURE(bit);
    CHECK(view_record(record).status != RecordStatus::complete);
    record[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  CHECK(view_record(record).status == RecordStatus::complete);
}

TEST_CASE("an impossible length is corrupt at once and gives no extent") {
  Bytes record(kRecordOverhead, std::byte{0xff});
  const RecordView view = view_record(record);
  CHECK(view.status == RecordStatus::corrupt);
  CHECK(view.size == 0);
}

TEST_CASE("zeroes are no record: a hole in a file is detected") {
  CHECK(view_record(Bytes(kRecordOverhead, std::byte{0})).status == RecordStatus::corrupt);
}

TEST_CASE("both ways of sealing agree, and a body above the limit fails a check") {
  const testing::ChecksThrow checks;
  Bytes encoded;
  append_encoded(Note{7, {std::byte{1}}}, encoded);
  Bytes raw = encoded;
  std::memset(raw.data(), 0, kRecordOverhead);
  seal_record(std::span<std::byte>(raw));
  CHECK(raw == encoded);
  CHECK_THROWS_AS(seal_record(std::span<std::byte>(raw).first(kRecordOverhead - 1)),
                  testing::CheckFailed);
  CHECK_THROWS_AS(append_record(Bytes(kMaxRecordBody + 1), raw), testing::CheckFailed);
}

TEST_CASE("a record body decodes whole or not at all") {
  Bytes record;
  append_encoded(Note{7, {std::byte{1}, std::byte{2}}}, record);
  const auto body = view_record(record).body;
  Note note;
  REQUIRE(decode_record(body, note));
  CHECK(note.number == 7);
  CHECK(note.text.size() == 2);
  CHECK_FALSE(decode_record(body.first(body.size() - 1), note));
  Bytes longer(body.begin(), body.end());
  longer.push_back(std::byte{0});
  CHECK_FALSE(decode_record(longer, note));
}

TEST_CASE("A-23 records are visited up to the first that is not whole, damaged or refused") {
  Bytes bytes;
  for (const char c : {'a', 'b', 'c'}) append_record(std::vector{std::byte(c)}, bytes);
  const std::size_t size = bytes.size() / 3;
  std::vector<std::byte> seen;
  const auto visit = [&](std::span<const std::byte> body) {
    if (body.front() == std::byte('x')) return false;
    seen.push_back(body.front());
    return true;
  };
  const auto abc = std::vector{std::byte('a'), std::byte('b'), std::byte('c')};
  const auto ab = std::vector{std::byte('a'), std::byte('b')};
  SECTION("all") {
    CHECK(for_each_record(bytes, visit) == 0);
    CHECK(seen == abc);
  }
  SECTION("one is cut off") {
    CHECK(for_each_record(std::span(bytes).first(bytes.size() - 1), visit) == size - 1);
    CHECK(seen == ab);
  }
  SECTION("one is damaged") {
    bytes.back() ^= std::byte{1};
    CHECK(for_each_record(bytes, visit) == size);
    CHECK(seen == ab);
  }
  SECTION("one is refused") {
    append_record(std::vector{std::byte('x')}, bytes);
    append_record(std::vector{std::byte('d')}, bytes);
    CHECK(for_each_record(bytes, visit) == 2 * size);
    CHECK(seen == abc);
  }
}

TEST_CASE("the framing is pinned: length, then XXH3 of the body seeded with its length") {
  const Bytes record = framed({'a', 'b', 'c'});
  std::uint32_t length = 0;
  std::uint64_t checksum = 0;
  std::memcpy(&length, record.data(), 4);
  std::memcpy(&checksum, record.data() + 4, 8);
  CHECK(length == 3);
  CHECK(checksum == hash_bytes(std::span(record).subspan(kRecordOverhead), 3));
}

}  // namespace
}  // namespace photon
