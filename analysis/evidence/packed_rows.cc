#include "analysis/evidence/packed_rows.h"

#include <algorithm>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kLongestNumber = 10;  // bytes of a variable-length number

// Small differences, up or down, become small numbers.
std::uint64_t folded(std::uint64_t difference) {
  return (difference << 1U) ^ (0 - (difference >> 63U));
}

std::uint64_t unfolded(std::uint64_t number) { return (number >> 1U) ^ (0 - (number & 1U)); }

std::byte* put_number(std::byte* to, std::uint64_t number) {
  while (number >= 0x80U) {
    *to++ = static_cast<std::byte>(number | 0x80U);
    number >>= 7U;
  }
  *to++ = static_cast<std::byte>(number);
  return to;
}

const std::byte* take_number(const std::byte* from, std::uint64_t& number) {
  number = static_cast<std::uint64_t>(*from++);
  if (number < 0x80U) return from;
  number &= 0x7fU;
  for (unsigned shift = 7;; shift += 7U) {
    const auto byte = static_cast<std::uint64_t>(*from++);
    number |= (byte & 0x7fU) << shift;
    if (byte < 0x80U) return from;
  }
}

// The word of a column `apart` rows before; of the first rows there is none.
std::uint64_t before(std::span<const std::uint64_t> words, RowShape shape, std::size_t at) {
  const std::size_t back = shape.words * shape.apart;
  return at < back ? 0 : words[at - back];
}

}  // namespace

void pack_rows(std::span<const std::uint64_t> words, RowShape shape,
               std::vector<std::byte>& packed) {
  PHOTON_CHECK(shape.words > 0 && words.size() % shape.words == 0, "rows are whole");
  packed.resize(shape.words + words.size() * kLongestNumber);
  std::byte* to = packed.data();
  const std::size_t first = std::min(words.size(), shape.words * shape.apart);
  for (std::size_t column = 0; column < shape.words; ++column) {
    bool constant = true;
    for (std::size_t at = first + column; at < words.size() && constant; at += shape.words) {
      constant = words[at] == before(words, shape, at);
    }
    *to++ = constant ? std::byte{0} : std::byte{1};
    const std::size_t end = constant ? first : words.size();
    for (std::size_t at = column; at < end; at += shape.words) {
      to = put_number(to, folded(words[at] - before(words, shape, at)));
    }
  }
  packed.resize(static_cast<std::size_t>(to - packed.data()));
}

void unpack_rows(std::span<const std::byte> packed, RowShape shape,
                 std::span<std::uint64_t> words) {
  const std::byte* from = packed.data();
  const std::size_t back = shape.words * shape.apart;
  const std::size_t first = std::min(words.size(), back);
  for (std::size_t column = 0; column < shape.words; ++column) {
    const bool constant = *from++ == std::byte{0};
    std::uint64_t number = 0;
    std::size_t at = column;
    for (; at < first; at += shape.words) {
      from = take_number(from, number);
      words[at] = unfolded(number);
    }
    if (constant) {
      for (; at < words.size(); at += shape.words) words[at] = words[at - back];
      continue;
    }
    for (; at < words.size(); at += shape.words) {
      from = take_number(from, number);
      words[at] = words[at - back] + unfolded(number);
    }
  }
  PHOTON_CHECK(from == packed.data() + packed.size(), "packed rows are read as they were made");
}

}  // namespace photon::analysis
