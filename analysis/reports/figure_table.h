// The figures of single shards, pipelines and joiners as rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/accounting/joined_latency.h"
#include "analysis/reports/figure.h"

namespace photon::analysis {

class Evidence;
class FigureLedger;
class Lines;

struct FigureRow {
  std::string_view name;
  std::string_view of;  // "shard", "pipeline", "joiner"; empty: the whole run
  std::string where;    // which of them: "0", "us-east1", "us-east1/joiner/3"
  double value = 0;
  Unit unit = Unit::count;
};

std::vector<FigureRow> figure_rows(const FigureLedger& ledger, const JoinedLatencies& joined,
                                   const Evidence& evidence);

// A line for each shard and pipeline that did anything, as many as people read.
void put_figures(const std::vector<FigureRow>& rows, Lines& lines);

}  // namespace photon::analysis
