#include "core_impl/base/random.h"

#include <array>
#include <cstdint>
#include <set>

#include "core_impl/base/hash.h"
#include "tests/support/catch.h"

namespace photon {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Philox-4x32-10 written a second time, from its published definition.
Words philox(Words counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32U) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32U) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

TEST_CASE("J-S17 the reference Philox meets Random123's known-answer vectors") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t kOnes = 0xffffffff;
  CHECK(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("J-S17 a stream is Philox of (ordinal, attempt, entity) under a key of (seed, purpose)") {
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::uint64_t seed = mix(i);
    const auto purpose = static_cast<Purpose>(i % 19);
    const auto entity = static_cast<std::uint32_t>(mix(i + 1000));
    const std::uint64_t ordinal = mix(i + 2000);
    const auto attempt = static_cast<std::uint32_t>(mix(i + 3000));
    const std::uint64_t key = combine(mix(seed), static_cast<std::uint64_t>(purpose));
    const Words expected =
        philox({static_cast<std::uint32_t>(ordinal), static_cast<std::uint32_t>(ordinal >> 32U),
                attempt, entity},
               {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32U)});
    const auto block = RandomStream(seed, purpose, entity).block(ordinal, attempt);
    CAPTURE(i);
    CHECK(block[0] == ((std::uint64_t{expected[1]} << 32U) | expected[0]));
    CHECK(block[1] == ((std::uint64_t{expected[3]} << 32U) | expected[2]));
  }
}

TEST_CASE("J-S17 golden draws") {
  const RandomStream test(1, Purpose::test, 0);
  const RandomStream clock(42, Purpose{7}, 7);
  using Block = std::array<std::uint64_t, 2>;
  CHECK(test.block(0) == Block{0x2bc997f0acf3d46c, 0x8e3043b956327f95});
  CHECK(test.block(1) == Block{0x511fb6921514b45a, 0xa88b623a1f2ca898});
  CHECK(test.block(0, 1) == Block{0x15347d50721f4ac8, 0xda938a3e2f35f09b});
  CHECK(clock.block(0) == Block{0x32fe51862037f260, 0xe65630fd29a97e9e});
  CHECK(clock.block(~std::uint64_t{0}, 9) == Block{0x104bef55d73d4ef8, 0xc086d3a2bfbbdced});
  CHECK(clock.word(1) == 0xcf696284f0a7f893);
}

TEST_CASE("J-S17 every part of the key matters: no two draws of a small grid are equal") {
  std::set<std::uint64_t> words;
  std::size_t draws = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (std::uint16_t purpose = 0; purpose < 19; ++purpose) {
      for (std::uint32_t entity = 0; entity < 4; ++entity) {
        const RandomStream stream(seed, static_cast<Purpose>(purpose), entity);
        for (std::uint64_t ordinal = 0; ordinal < 4; ++ordinal) {
          for (std::uint32_t attempt = 0; attempt < 2; ++attempt, ++draws) {
            words.insert(stream.word(ordinal, attempt));
          }
        }
      }
    }
  }
  CHECK(words.size() == draws);
}

TEST_CASE("uniform_below stays below its bound and reaches both ends") {
  for (const std::uint64_t bound : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{10},
                                    std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    CHECK(uniform_below(0, bound) == 0);
    CHECK(uniform_below(~std::uint64_t{0}, bound) == bound - 1);
  }
}

}  // namespace
}  // namespace photon
