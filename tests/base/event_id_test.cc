#include "core_impl/base/event_id.h"

#include <cstring>

#include <rapidcheck.h>

#include "tests/support/catch.h"

namespace photon {
namespace {

EventId make(std::uint32_t server, std::uint32_t process, std::int64_t stamp) {
  return {server, process, Stamp(Duration(stamp))};
}

TEST_CASE("A-16 keys order as byte strings exactly as ids order as tuples") {
  CHECK(rc::check("key order", [] {
    // Small ranges make equal fields likely; the shifts reach the top bits and negative stamps.
    const auto draw = [] {
      const auto shift = *rc::gen::inRange(0, 24);
      return make(*rc::gen::inRange(0U, 4U) << shift, *rc::gen::inRange(0U, 4U) << shift,
                  *rc::gen::inRange<std::int64_t>(-3, 4) * (std::int64_t{1} << (shift * 2)));
    };
    const EventId left = draw();
    const EventId right = draw();
    const auto left_key = key_bytes(left);
    const auto right_key = key_bytes(right);
    const int order = std::memcmp(left_key.data(), right_key.data(), left_key.size());
    RC_ASSERT((order < 0) == (left < right));
    RC_ASSERT((order == 0) == (left == right));
  }));
}

TEST_CASE("A-16 the byte form of an id is fixed: big endian, 16 bytes") {
  const auto key = key_bytes(make(0x01020304, 0x05060708, 0x090a0b0c0d0e0f10));
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto expected = static_cast<unsigned>(i + 1) | (i == 8 ? 0x80U : 0U);
    CHECK(std::to_integer<unsigned>(key[i]) == expected);
  }
}

TEST_CASE("B-45 only the all-zero token is empty, only the all-zero id is null") {
  CHECK(Token{}.is_empty());
  CHECK_FALSE(Token{1, 0, 0}.is_empty());
  CHECK_FALSE(Token{0, 1, 0}.is_empty());
  CHECK_FALSE(Token{0, 0, 1}.is_empty());
  CHECK(EventId{}.is_null());
  CHECK_FALSE(make(0, 0, 1).is_null());
  CHECK_FALSE(make(1, 0, 0).is_null());
}

}  // namespace
}  // namespace photon
