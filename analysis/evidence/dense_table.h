// A table of rows by an id that counts from 0: of nodes, shards, groups.
//
// Rows appear, a page of neighbours at a time, when one of them is first asked for: an id far above
// all others, as a damaged trace may hold, costs a page and no rows in between. Ids beyond a bound
// share the last row. Rows keep their place in memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace photon::analysis {

template <class Id, class Row>
class DenseTable {
 public:
  static constexpr std::size_t kMostRows = std::size_t{1} << 20U;
  static constexpr std::size_t kPageRows = 32;

  Row& operator[](Id id) {
    const std::size_t row = row_of(id);
    const std::size_t page = row / kPageRows;
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    return (*pages_[page])[row % kPageRows];
  }
  // Null if neither this row nor one of its page was accessed.
  const Row* find(Id id) const {
    const std::size_t row = row_of(id);
    const std::size_t page = row / kPageRows;
    return page < pages_.size() && pages_[page] ? &(*pages_[page])[row % kPageRows] : nullptr;
  }
  // Visits the rows of existing pages, by id, including rows that were never accessed.
  template <class Visitor>
  void for_each(Visitor&& visit) {
    for (const auto& page : pages_) {
      if (page) std::ranges::for_each(*page, visit);
    }
  }

 private:
  using Page = std::array<Row, kPageRows>;
  static std::size_t row_of(Id id) { return std::min<std::size_t>(id.value(), kMostRows - 1); }

  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace photon::analysis
