#include "analysis/evidence/dense_table.h"

#include <vector>

#include "core_impl/base/strong_id.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

TEST_CASE("rows of a dense table appear on demand; ids beyond the bound share the last") {
  using Table = DenseTable<NodeId, int>;
  Table table;
  CHECK(table.find(NodeId(0)) == nullptr);
  table[NodeId(2)] = 7;
  REQUIRE(table.find(NodeId(2)) != nullptr);
  CHECK(*table.find(NodeId(2)) == 7);
  CHECK(*table.find(NodeId(0)) == 0);
  CHECK(table.find(NodeId(Table::kPageRows)) == nullptr);
  table[NodeId(0xfffffff0U)] = 9;
  CHECK(*table.find(NodeId(Table::kMostRows - 1)) == 9);
  CHECK(*table.find(kNoNode) == 9);
  CHECK(*table.find(NodeId(2)) == 7);
}

TEST_CASE("a dense table allocates the requested pages, and no row in between") {
  using Table = DenseTable<NodeId, int>;
  Table table;
  int& first = table[NodeId(3)];
  first = 1;
  table[kNoNode] = 2;
  CHECK(&table[NodeId(3)] == &first);
  std::size_t rows = 0;
  std::vector<int> filled;
  table.for_each([&](int row) {
    ++rows;
    if (row != 0) filled.push_back(row);
  });
  CHECK(rows == 2 * Table::kPageRows);
  CHECK(filled == std::vector{1, 2});  // by id
}

}  // namespace
}  // namespace photon::analysis
