// A table of rows by an id that counts from 0: of nodes, shards, groups.
//
// Rows appear when they are first asked for. The bound keeps a damaged trace from asking for all
// memory: ids beyond it share the last row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace photon::analysis {

template <class Id, class Row>
class DenseTable {
 public:
  static constexpr std::size_t kMostRows = std::size_t{1} << 20U;

  Row& operator[](Id id) {
    const std::size_t row = row_of(id);
    if (row >= rows_.size()) rows_.resize(row + 1);
    return rows_[row];
  }
  // Null if nobody asked for this row or a later one.
  const Row* find(Id id) const {
    const std::size_t row = row_of(id);
    return row < rows_.size() ? &rows_[row] : nullptr;
  }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }

 private:
  static std::size_t row_of(Id id) { return std::min<std::size_t>(id.value(), kMostRows - 1); }

  std::vector<Row> rows_;
};

}  // namespace photon::analysis
