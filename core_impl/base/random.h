// Counter-based random streams: Philox-4x32-10 from Random123.
//
// A draw is a pure function of (seed, purpose, entity, ordinal, attempt). No draw depends on the
// order of others, so a new consumer or a lost message disturbs no other stream and two
// configurations can share their randomness (DESIGN 5). Values are pinned by golden tests.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace photon {

// What a draw is for. The number is part of the key, so it never changes. A layer above may name
// purposes of its own, within the range that it is given.
enum class Purpose : std::uint16_t {
  test = 0,
  component = 16,  // drawn by core components through their Context
  benchmark = 18,
};

// The numbers that one layer gives. Those below kFirst were given before there were ranges.
struct PurposeRange {
  static constexpr std::uint16_t kFirst = 32;
  static constexpr std::uint16_t kSize = 64;

  std::uint16_t first = 0;

  constexpr bool holds(Purpose purpose) const {
    const auto number = static_cast<std::uint16_t>(purpose);
    return number < kFirst || (number >= first && number - first < kSize);
  }
};
inline constexpr PurposeRange kCorePurposes{PurposeRange::kFirst};

// True if no two are equal.
template <std::size_t kCount>
constexpr bool all_differ(std::array<Purpose, kCount> purposes) {
  std::ranges::sort(purposes);
  return std::ranges::adjacent_find(purposes) == purposes.end();
}

class RandomStream {
 public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint32_t entity);

  // 128 random bits for one item. Equal arguments give equal bits, always.
  std::array<std::uint64_t, 2> block(std::uint64_t ordinal, std::uint32_t attempt = 0) const;
  std::uint64_t word(std::uint64_t ordinal, std::uint32_t attempt = 0) const {
    return block(ordinal, attempt)[0];
  }

 private:
  std::uint64_t key_ = 0;
  std::uint32_t entity_ = 0;
};

// Uniform in [0, bound), from one random word, by multiplication: no division, no rejection, bias
// below bound / 2^64. Requires bound > 0.
constexpr std::uint64_t uniform_below(std::uint64_t word, std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(word) * bound) >> 64U);
}

}  // namespace photon
