// Rows of words in few bytes, without loss: for tables of which most rows are hardly used any more
// (packed_table.h).
//
// Neighbouring rows resemble each other: the differences of a column are small numbers, and most
// columns are constant. So each column holds one byte, 0 if it is constant, then the differences
// from the row before as variable-length numbers; of a constant column only the first ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace photon::analysis {

struct RowShape {
  std::size_t words = 1;  // of a row
  std::size_t apart = 1;  // a row is compared with the one that many rows before it
};

// Replaces `packed`. The words of row r begin at r * shape.words.
void pack_rows(std::span<const std::uint64_t> words, RowShape shape,
               std::vector<std::byte>& packed);
// `packed` as pack_rows made it, of as many words and of the same shape.
void unpack_rows(std::span<const std::byte> packed, RowShape shape, std::span<std::uint64_t> words);

}  // namespace photon::analysis
