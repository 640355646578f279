#include "analysis/evidence/life_table.h"

#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct Row {
  Incarnation life{};
  int facts = 0;
};

trace::Header of_life(std::uint32_t life) {
  trace::Header header{};
  header.node = NodeId{3};
  header.incarnation = Incarnation{life};
  return header;
}

}  // namespace

TEST_CASE("a row is of one life: the next one begins empty, and what is late changes nothing") {
  LifeTable<Row> rows;
  ++rows.of(of_life(1)).facts;
  ++rows.of(of_life(1)).facts;
  CHECK(rows[NodeId{3}].facts == 2);
  ++rows.of(of_life(2)).facts;
  CHECK(rows[NodeId{3}].facts == 1);
  // The first life's write becomes durable.
  Row& late = rows.of(of_life(1));
  CHECK(late.facts == 0);
  ++late.facts;
  CHECK(rows.of(of_life(1)).facts == 0);
  CHECK(rows[NodeId{3}].life == Incarnation{2});
  CHECK(rows.of(of_life(2)).facts == 1);
}

}  // namespace photon::analysis
