// A table of rows by process, each about one life of it: a new life begins with an empty row. What
// an earlier life wrote may become durable only then: it is about a row that is gone.
#pragma once

#include "analysis/evidence/dense_table.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// Row has a member `life` and is default-constructible.
template <class Row>
class LifeTable {
 public:
  // The row of the life that the record is about; of an earlier life an empty one that is not kept.
  Row& of(const trace::Header& header) {
    Row& row = rows_[header.node];
    if (row.life == header.incarnation) return row;
    Row& other = header.incarnation < row.life ? gone_ : row;
    other = Row{};
    other.life = header.incarnation;
    return other;
  }
  // The row of the latest life.
  Row& operator[](NodeId node) { return rows_[node]; }

 private:
  DenseTable<NodeId, Row> rows_;
  Row gone_{};
};

}  // namespace photon::analysis
