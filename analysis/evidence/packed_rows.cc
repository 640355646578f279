#include "analysis/evidence/packed_rows.h"

#include <algorithm>
#include <bit>

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

std::size_t length_of(std::uint64_t number) {
  return (static_cast<std::size_t>(std::bit_width(number | 1U)) + 6) / 7;
}

// What of a word is stored: its difference from the row before, or from another column.
constexpr std::size_t kRowBefore = 0;  // column k: k + 1

struct Reference {
  std::size_t to = kRowBefore;
  bool constant = false;  // all differences after those of the first rows are 0
};

// The difference of the word at `at`, in a row that begins at `row`.
std::uint64_t difference(std::span<const std::uint64_t> words, RowShape shape, std::size_t to,
                         std::size_t at) {
  if (to != kRowBefore) {
    const std::size_t row = at - at % shape.words;
    return words[at] - words[row + to - 1];
  }
  const std::size_t back = shape.words * shape.apart;
  return at < back ? words[at] : words[at] - words[at - back];
}

// The reference with the shortest differences, by some of the rows.
std::size_t shortest_reference(std::span<const std::uint64_t> words, RowShape shape,
                               std::size_t column, std::size_t first) {
  constexpr std::size_t kSampled = 4;  // one row of so many
  std::size_t best = kRowBefore;
  std::size_t least = ~std::size_t{0};
  for (std::size_t to = 0; to <= column; ++to) {
    std::size_t length = 0;
    for (std::size_t at = first + column; at < words.size(); at += kSampled * shape.words) {
      length += length_of(folded(difference(words, shape, to, at)));
    }
    if (length >= least) continue;
    least = length;
    best = to;
  }
  return best;
}

bool is_constant(std::span<const std::uint64_t> words, RowShape shape, std::size_t to,
                 std::size_t at) {
  for (; at < words.size(); at += shape.words) {
    if (difference(words, shape, to, at) != 0) return false;
  }
  return true;
}

Reference reference_of(std::span<const std::uint64_t> words, RowShape shape, std::size_t column,
                       std::size_t first) {
  if (is_constant(words, shape, kRowBefore, first + column)) return {kRowBefore, true};
  const std::size_t to = shortest_reference(words, shape, column, first);
  return {to, to != kRowBefore && is_constant(words, shape, to, first + column)};
}

}  // namespace

void pack_rows(std::span<const std::uint64_t> words, RowShape shape,
               std::vector<std::byte>& packed) {
  PHOTON_CHECK(shape.words > 0 && words.size() % shape.words == 0, "rows are whole");
  PHOTON_CHECK(shape.words <= RowShape::kMostWords, "a column's reference fits into a byte");
  packed.resize(shape.words + words.size() * kLongestNumber);
  std::byte* to = packed.data();
  const std::size_t first = std::min(words.size(), shape.words * shape.apart);
  for (std::size_t column = 0; column < shape.words; ++column) {
    const Reference reference = reference_of(words, shape, column, first);
    *to++ = static_cast<std::byte>(2 * reference.to + (reference.constant ? 0 : 1));
    const std::size_t end = reference.constant ? first : words.size();
    for (std::size_t at = column; at < end; at += shape.words) {
      to = put_number(to, folded(difference(words, shape, reference.to, at)));
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
    const auto head = static_cast<std::size_t>(*from++);
    const std::size_t to = head / 2;
    // From a word to the one that its difference refers to.
    const std::size_t away = to == kRowBefore ? back : column - (to - 1);
    std::uint64_t number = 0;
    std::size_t at = column;
    for (; at < first; at += shape.words) {
      from = take_number(from, number);
      words[at] = unfolded(number) + (to == kRowBefore ? 0 : words[at - away]);
    }
    if (head % 2 == 0) {
      for (; at < words.size(); at += shape.words) words[at] = words[at - away];
      continue;
    }
    for (; at < words.size(); at += shape.words) {
      from = take_number(from, number);
      words[at] = words[at - away] + unfolded(number);
    }
  }
  PHOTON_CHECK(from == packed.data() + packed.size(), "packed rows are read as they were made");
}

}  // namespace photon::analysis
