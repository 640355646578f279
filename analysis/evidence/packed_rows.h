// Rows of words in few bytes, without loss: for tables of which most rows are hardly used any more
// (packed_table.h).
//
// Neighbouring rows resemble each other, and so do the columns of a row: of a click's times many
// are equal or near each other. So each column is stored as differences from the row before or from
// an earlier column of the same row, whichever is shorter: one byte says which, and whether they
// are all 0 after the first rows; the differences follow as variable-length numbers, of a constant
// column only the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace photon::analysis {

struct RowShape {
  static constexpr std::size_t kMostWords = 127;
  std::size_t words = 1;  // of a row
  std::size_t apart = 1;  // a row is compared with the one that many rows before it
};

// Replaces `packed`. The words of row r begin at r * shape.words.
void pack_rows(std::span<const std::uint64_t> words, RowShape shape,
               std::vector<std::byte>& packed);
// `packed` as pack_rows made it, of as many words and of the same shape.
void unpack_rows(std::span<const std::byte> packed, RowShape shape, std::span<std::uint64_t> words);

}  // namespace photon::analysis
