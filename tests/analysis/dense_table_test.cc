#include "analysis/dense_table.h"

#include <iterator>

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
  CHECK(table.find(NodeId(3)) == nullptr);
  CHECK(std::distance(table.begin(), table.end()) == 3);
  table[NodeId(0xfffffff0U)] = 9;
  CHECK(*table.find(NodeId(Table::kMostRows - 1)) == 9);
  CHECK(*table.find(kNoNode) == 9);
  CHECK(*table.find(NodeId(2)) == 7);
}

}  // namespace
}  // namespace photon::analysis
