// A table of rows by process, each about one life of it: a new life begins with an empty row.
#pragma once

#include "analysis/evidence/dense_table.h"
#include "core_impl/trace/record.h"

namespace photon::analysis {

// Row has a member `life` and is default-constructible.
template <class Row>
class LifeTable {
 public:
  // The row of the life that the record is about.
  Row& of(const trace::Header& header) {
    Row& row = rows_[header.node];
    if (row.life != header.incarnation) {
      row = Row{};
      row.life = header.incarnation;
    }
    return row;
  }
  // The row of the life that was last asked for.
  Row& operator[](NodeId node) { return rows_[node]; }

 private:
  DenseTable<NodeId, Row> rows_;
};

}  // namespace photon::analysis
