#include "analysis/reports/figure_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "analysis/accounting/figure_ledger.h"
#include "analysis/evidence/evidence.h"
#include "analysis/reports/report_text.h"
#include "analysis/statistics/latency_histogram.h"

namespace photon::analysis {
namespace {

class Rows {
 public:
  void of(std::string_view kind, std::string where) {
    kind_ = kind;
    where_ = std::move(where);
  }
  void count(std::string_view name, std::uint64_t value) {
    put(name, static_cast<double>(value), Unit::count);
  }
  void put(std::string_view name, double value, Unit unit) {
    rows_.push_back({name, kind_, where_, value, unit});
  }
  std::vector<FigureRow> take() { return std::move(rows_); }

 private:
  std::string_view kind_{};
  std::string where_{};
  std::vector<FigureRow> rows_{};
};

// The size of the smallest transactions that at least `fraction` of all do not exceed.
std::uint32_t batch_quantile(const std::map<std::uint32_t, std::uint64_t>& batches,
                             double fraction) {
  std::uint64_t all = 0;
  for (const auto& [size, count] : batches) all += count;
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(all)));
  std::uint64_t below = 0;
  for (const auto& [size, count] : batches) {
    below += count;
    if (below >= rank) return size;
  }
  return 0;
}

void put_shard(const ShardTally& shard, Rows& rows) {
  const auto transactions = static_cast<double>(shard.transactions);
  rows.count("operations", shard.operations);
  rows.count("transactions", shard.transactions);
  rows.put("batch_mean",
           shard.transactions == 0 ? 0 : static_cast<double>(shard.operations) / transactions,
           Unit::ratio);
  rows.count("ids_held", shard.ids);
  rows.count("ids_held_most", shard.ids_most);
  rows.put("bytes_held", static_cast<double>(shard.bytes()), Unit::bytes);
  rows.put("bytes_held_most", static_cast<double>(shard.bytes_most), Unit::bytes);
}

void put_latency(std::string_view mean, const std::array<std::string_view, 3>& quantiles,
                 const LatencyHistogram& latency, Rows& rows) {
  constexpr std::array kFractions{0.5, 0.9, 0.99};
  rows.put(mean, latency.mean_nanoseconds() / 1e9, Unit::seconds);
  for (std::size_t i = 0; i < kFractions.size(); ++i) {
    rows.put(quantiles[i], seconds_of(latency.percentile(kFractions[i])), Unit::seconds);
  }
}

void put_pipeline(const PipelineTally& pipeline, const JoinedLatencies& joined,
                  std::uint32_t number, SimTime measured_from, Rows& rows) {
  std::uint64_t joins = 0;
  LatencyHistogram latency, own;
  for (const JoinedLatency& each : joined) {
    if (each.pipeline != number) continue;
    ++joins;
    if (each.generated_at() < measured_from) continue;
    latency.add(each.total);
    own.add(each.own);
  }
  rows.count("joins", joins);
  rows.count("registrations", pipeline.registrations);
  rows.count("wasted_joins", pipeline.wasted);
  rows.count("lookups", pipeline.lookups);
  rows.count("cache_answers", pipeline.from_caches);
  rows.count("log_answers", pipeline.from_logs);
  if (latency.count() == 0) return;
  put_latency("latency_mean", {"latency_p50", "latency_p90", "latency_p99"}, latency, rows);
  put_latency("own_mean", {"own_p50", "own_p90", "own_p99"}, own, rows);
}

struct Column {
  std::string_view figure;
  std::string_view title;
};

std::string cell(const std::vector<FigureRow>& rows, const FigureRow& place,
                 std::string_view name) {
  const auto found = std::ranges::find_if(rows, [&](const FigureRow& row) {
    return row.name == name && row.of == place.of && row.where == place.where;
  });
  if (found == rows.end()) return "-";
  if (found->unit == Unit::seconds) return spoken(found->value);
  return found->unit == Unit::ratio ? fmt::format("{:.2f}", found->value)
                                    : grouped(static_cast<std::uint64_t>(found->value));
}

// `first`: the figure with which the rows of each place begin.
void put_section(const std::vector<FigureRow>& rows, std::string_view of, std::string_view first,
                 const std::array<Column, 6>& columns, Lines& lines) {
  constexpr std::size_t kShown = 8;
  std::string head = fmt::format("{:<20}", fmt::format("by {}", of));
  for (const Column& each : columns) head += fmt::format("{:>13}", each.title);
  std::size_t places = 0;
  for (const FigureRow& row : rows) {
    if (row.of != of || row.name != first) continue;
    if (places++ == 0) lines.title(head);
    if (places > kShown) continue;
    std::string line = fmt::format("  {:<18}", row.where);
    for (const Column& each : columns) line += fmt::format("{:>13}", cell(rows, row, each.figure));
    lines.title(line);
  }
  if (places > kShown) {
    lines.title(fmt::format("  and {} more: --json lists all", grouped(places - kShown)));
  }
  if (places > 0) lines.blank();
}

}  // namespace

PlaceFigures place_figures(const FigureLedger& ledger, const JoinedLatencies& joined,
                           const Evidence& evidence) {
  PlaceFigures figures;
  const auto pipelines = static_cast<std::uint32_t>(ledger.pipelines().size());
  for (const JoinedLatency& each : joined) {
    if (each.generated_at() < evidence.config().measured_from) continue;
    if (each.pipeline == 0) ++figures.first_pipeline_joins;
    if (each.pipeline + 1 == pipelines) ++figures.last_pipeline_joins;
  }
  for (const PipelineTally& each : ledger.pipelines()) {
    figures.found_in_caches += each.from_caches;
    figures.found_in_logs += each.from_logs;
  }
  bool first = true;
  for (std::size_t i = 0; i < ledger.shards().size(); ++i) {
    if (i == evidence.config().sharding_group) continue;
    figures.last_shard_ids = ledger.shards()[i].ids;
    if (std::exchange(first, false)) figures.first_shard_ids = figures.last_shard_ids;
  }
  return figures;
}

std::vector<FigureRow> figure_rows(const FigureLedger& ledger, const JoinedLatencies& joined,
                                   const Evidence& evidence) {
  Rows rows;
  if (!ledger.batches().empty()) {
    rows.count("batch_p50", batch_quantile(ledger.batches(), 0.5));
    rows.count("batch_p90", batch_quantile(ledger.batches(), 0.9));
    rows.count("batch_p99", batch_quantile(ledger.batches(), 0.99));
    rows.count("batch_max", ledger.batches().rbegin()->first);
  }
  for (std::size_t i = 0; i < ledger.shards().size(); ++i) {
    if (i == evidence.config().sharding_group) continue;
    rows.of("shard", std::to_string(i));
    put_shard(ledger.shards()[i], rows);
  }
  for (std::uint32_t i = 0; i < ledger.pipelines().size(); ++i) {
    rows.of("pipeline", evidence.config().name_of(i));
    put_pipeline(ledger.pipelines()[i], joined, i, evidence.config().measured_from, rows);
  }
  for (const auto& [node, joiner] : ledger.joiners()) {
    rows.of("joiner", evidence.process(node));
    rows.count("joins", joiner.joins);
    rows.count("registrations", joiner.registrations);
    rows.count("in_flight_most", joiner.in_flight_most);
  }
  return rows.take();
}

void put_figures(const std::vector<FigureRow>& rows, Lines& lines) {
  put_section(rows, "shard", "operations",
              {{{"operations", "operations"},
                {"transactions", "transactions"},
                {"batch_mean", "mean batch"},
                {"ids_held", "ids held"},
                {"ids_held_most", "at most"},
                {"bytes_held_most", "bytes"}}},
              lines);
  put_section(rows, "pipeline", "joins",
              {{{"joins", "joins"},
                {"wasted_joins", "wasted"},
                {"cache_answers", "from caches"},
                {"log_answers", "from logs"},
                {"latency_p90", "p90"},
                {"own_p90", "own p90"}}},
              lines);
}

}  // namespace photon::analysis
