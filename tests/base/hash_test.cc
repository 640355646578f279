#include "core_impl/base/hash.h"

#include <bit>
#include <string>

#include "tests/support/catch.h"

namespace photon {
namespace {

std::string pattern() {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7 + 1);
  return text;
}

TEST_CASE("B-50 the byte hash is XXH3-64, pinned for every code path of its length") {
  struct Golden {
    std::size_t length;
    std::uint64_t unseeded;
    std::uint64_t seeded;
  };
  // The value of the empty string is the published one.
  constexpr Golden kGoldens[] = {
      {0, 0x2d06800538d394c2, 0x913ae0873e9b7eb8},   {1, 0xe12ef9d2eb86ceeb, 0xcd212f8dd32fd172},
      {6, 0x34d30e5777171dc1, 0x229f147db7afa40f},   {16, 0x913bd4a8038027a7, 0x826cffa69f69ac10},
      {64, 0x13886553e7dc3fa3, 0x784e6a6026cf03e1},  {200, 0x70d27115faab301e, 0x68a4e27266050598},
      {300, 0x935960848d04785c, 0x9c05f8465bee508f},
  };
  const std::string text = pattern();
  for (const Golden& golden : kGoldens) {
    CAPTURE(golden.length);
    const auto bytes = std::as_bytes(std::span(text).first(golden.length));
    CHECK(hash_bytes(bytes) == golden.unseeded);
    CHECK(hash_bytes(bytes, 7) == golden.seeded);
  }
}

TEST_CASE("B-50 hashes of ids, tokens and words are pinned") {
  CHECK(hash_of(EventId{}) == 0x9ca066f1a4ab2eea);
  CHECK(hash_of(EventId{1, 2, Stamp(Duration(3))}) == 0x2a676f56dc74e337);
  CHECK(hash_of(Token{1, 2, 3}) == 0x2a676f56dc74e337);
  CHECK(mix(1) == 0xb456bcfc34c2cb2c);
  CHECK(combine(1, 2) == 0xf9122d6051144cc9);
}

TEST_CASE("B-50 one changed bit of an id changes about half of the bits of its hash") {
  // 128 ids that differ from one another in single bits; 32 +- 4 bits is 8 standard errors of the
  // mean of 128 binomial(64, 1/2) counts.
  const EventId base{0x0a000001, 0x00100001, Stamp(Duration(1'700'000'000'000'000'000))};
  int changed = 0;
  for (unsigned bit = 0; bit < 128; ++bit) {
    EventId other = base;
    if (bit < 32)
      other.server ^= 1U << bit;
    else if (bit < 64)
      other.process ^= 1U << (bit - 32);
    else
      other.stamp = Stamp(Duration(
          static_cast<std::int64_t>(static_cast<std::uint64_t>(nanoseconds_of(base.stamp)) ^
                                    (std::uint64_t{1} << (bit - 64)))));
    const int distance = std::popcount(hash_of(base) ^ hash_of(other));
    CHECK(distance > 8);
    changed += distance;
  }
  CHECK(changed / 128 >= 28);
  CHECK(changed / 128 <= 36);
}

}  // namespace
}  // namespace photon
