// The figures of single shards, pipelines and joiners as rows.
#pragma once

#include <cstdint>
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

// Those of single places, and sums over them, that studies may name: they have no list of places.
struct PlaceFigures {
  std::uint64_t first_pipeline_joins = 0;  // of the clicks whose latencies count, as all joins here
  std::uint64_t last_pipeline_joins = 0;
  std::uint64_t found_in_caches = 0;  // queries, by all pipelines
  std::uint64_t found_in_logs = 0;
  std::uint64_t first_shard_ids = 0;  // held at the end of the run
  std::uint64_t last_shard_ids = 0;

  template <class Self, class Visitor>
  static void each_of_clicks(Self& self, Visitor&& visit) {
    visit("joins.first_pipeline", Unit::count, Adding::sum, self.first_pipeline_joins);
    visit("joins.last_pipeline", Unit::count, Adding::sum, self.last_pipeline_joins);
    visit("queries_found.caches", Unit::count, Adding::sum, self.found_in_caches);
    visit("queries_found.logs", Unit::count, Adding::sum, self.found_in_logs);
  }
  template <class Self, class Visitor>
  static void each_ids(Self& self, Visitor&& visit) {
    visit("ids_held.first_shard", Unit::count, Adding::sum, self.first_shard_ids);
    visit("ids_held.last_shard", Unit::count, Adding::sum, self.last_shard_ids);
  }
};
PlaceFigures place_figures(const FigureLedger& ledger, const JoinedLatencies& joined,
                           const Evidence& evidence);

std::vector<FigureRow> figure_rows(const FigureLedger& ledger, const JoinedLatencies& joined,
                                   const Evidence& evidence);

// A line for each shard and pipeline that did anything, as many as people read.
void put_figures(const std::vector<FigureRow>& rows, Lines& lines);

}  // namespace photon::analysis
