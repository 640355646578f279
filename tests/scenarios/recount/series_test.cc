// A run over time, and latencies around faults, beside a second computation from the raw trace.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/accounting/series_ledger.h"
#include "analysis/results/run_record.h"
#include "analysis/results/series_metrics.h"
#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/baseline_run.h"
#include "scenarios/world/runner.h"
#include "tests/scenarios/recount/backlogs.h"
#include "tests/scenarios/recount/joined_clicks.h"
#include "tests/scenarios/recount/recorded.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"

using namespace photonsim::tests;
namespace trace = photon::trace;
using photon::analysis::FaultLatency;
using photon::analysis::PeriodFigures;
using photon::analysis::PipelineSeries;
using photon::analysis::Summary;
using photon::analysis::TimeSeries;

namespace {

static_assert(photon::analysis::kMostIntervals == photon::analysis::SeriesLedger::kMost);

// One interval, found again.
struct Interval {
  std::uint64_t offered = 0, served = 0;
  std::uint64_t from_caches = 0, from_logs = 0;
  std::map<std::uint32_t, std::uint64_t> backlog{}, finished{};
  std::map<std::uint32_t, std::vector<double>> total{}, own{};
  std::map<std::uint32_t, std::uint64_t> committed{};  // by group
};

double quantile(std::vector<double> values, double fraction) {
  std::ranges::sort(values);
  const double rank = std::ceil(fraction * static_cast<double>(values.size()));
  return values.at(static_cast<std::size_t>(rank) - 1);
}

void check_column(const std::optional<double>& reported, const std::vector<double>& values,
                  double fraction) {
  REQUIRE(reported.has_value() == !values.empty());
  if (reported) CHECK(*reported == Approx(quantile(values, fraction)).margin(1e-9));
}

struct Again {
  std::vector<Interval> intervals{};
  JoinedClicks clicks{};
  std::map<std::uint64_t, double> reshards{};  // by version
};

// The number of the interval of a time; the last one contains its end.
std::size_t interval_of(double at, double interval, std::size_t intervals) {
  const auto number = static_cast<std::size_t>(std::floor(at / interval + 1e-9));
  return std::min(number, intervals - 1);
}

// Queries found for joiners of `places`, since the last call of `take`.
class Queries {
 public:
  explicit Queries(const std::set<std::uint32_t>& places) : places_(places) {}

  void note(const trace::Record& record) {
    if (record.header.kind != trace::Kind::query_answer) return;
    if (record.header.source != trace::Source::delivered) return;
    const auto& answer = record.as<trace::QueryAnswer>();
    if (answer.status != trace::QueryStatus::found) return;
    if (!places_.contains(record.header.datacenter.value())) return;
    ++(answer.tier == trace::QueryTier::cache ? caches_ : logs_);
  }
  void take(Interval& to) {
    to.from_caches = std::exchange(caches_, 0);
    to.from_logs = std::exchange(logs_, 0);
  }

 private:
  const std::set<std::uint32_t>& places_;
  std::uint64_t caches_ = 0, logs_ = 0;
};

Again counted(const std::vector<trace::Record>& records, double interval, std::size_t intervals,
              const std::set<std::uint32_t>& places) {
  Again again;
  Backlogs backlogs;
  Queries queries(places);
  std::map<std::uint32_t, std::uint64_t> finished_before;
  std::uint64_t offered = 0, done = 0, offered_before = 0, served_before = 0;
  std::map<std::uint32_t, std::uint64_t> committed;
  std::set<std::pair<std::uint32_t, std::uint64_t>> slots;
  const auto close = [&] {
    Interval& each = again.intervals.emplace_back();
    const std::uint64_t served = backlogs.served() + done;
    each.offered = offered - std::exchange(offered_before, offered);
    each.served = served - std::exchange(served_before, served);
    queries.take(each);
    for (const std::uint32_t place : places) {
      const std::uint64_t finished = backlogs.finished(place);
      each.backlog[place] = backlogs.backlog(place);
      each.finished[place] = finished - std::exchange(finished_before[place], finished);
    }
    each.committed = std::exchange(committed, {});
  };
  for (const trace::Record& record : records) {
    const double at = seconds(record.header.at);
    while (again.intervals.size() < interval_of(at, interval, intervals)) close();
    backlogs.take(record);
    queries.note(record);
    again.clicks.take(record);
    if (record.header.kind == trace::Kind::slot_applied) {
      const auto& slot = record.as<trace::SlotApplied>();
      const std::uint32_t group = slot.group.value();
      if (slots.emplace(group, slot.slot).second) committed[group] += slot.operations;
    }
    if (record.header.kind == trace::Kind::sharding_applied) {
      const auto& applied = record.as<trace::ShardingApplied>();
      if (applied.action == trace::ShardingAction::confirm) {
        again.reshards.emplace(applied.version, at);
      }
    }
    offered += record.header.kind == trace::Kind::click_generated ? 1 : 0;
    offered += record.header.kind == trace::Kind::load_asked ? 1 : 0;
    done += record.header.kind == trace::Kind::load_done ? 1 : 0;
  }
  while (again.intervals.size() < intervals) close();
  for (const JoinedClick& each : again.clicks.all()) {
    Interval& of = again.intervals.at(interval_of(each.at, interval, intervals));
    of.total[each.datacenter].push_back(each.total());
    of.own[each.datacenter].push_back(each.own);
  }
  return again;
}

void check_series(const TimeSeries& series, Again& again,
                  const std::vector<std::uint32_t>& places) {
  for (std::size_t i = 0; i < series.offered.size(); ++i) {
    CAPTURE(i);
    Interval& of = again.intervals.at(i);
    CHECK(series.offered[i] == of.offered);
    CHECK(series.served[i] == of.served);
    CHECK(series.queries_from_caches.at(i) == of.from_caches);
    CHECK(series.queries_from_logs.at(i) == of.from_logs);
    for (std::uint32_t shard = 0; shard < series.shards.size(); ++shard) {
      CHECK(series.shards[shard].at(i) == of.committed[shard]);
    }
    for (std::size_t p = 0; p < series.pipelines.size(); ++p) {
      const PipelineSeries& pipeline = series.pipelines[p];
      CAPTURE(pipeline.where);
      const std::uint32_t place = places.at(p);
      CHECK(pipeline.joins.at(i) == of.total[place].size());
      CHECK(pipeline.backlog.at(i) == of.backlog[place]);
      CHECK(pipeline.finished.at(i) == of.finished[place]);
      for (std::size_t q = 0; q < PipelineSeries::kQuantiles.size(); ++q) {
        check_column(pipeline.latency[q].at(i), of.total[place], PipelineSeries::kQuantiles[q]);
        check_column(pipeline.own[q].at(i), of.own[place], PipelineSeries::kQuantiles[q]);
      }
    }
  }
}

// What the results file has to keep of the intervals, by name.
std::map<std::string, double> kept_again(Again& again, double length,
                                         const std::vector<std::uint32_t>& places) {
  std::map<std::string, double> kept{{"series.interval_seconds", length}};
  for (std::size_t i = 0; i < again.intervals.size(); ++i) {
    Interval& of = again.intervals[i];
    const auto put = [&](const std::string& name, auto value) {
      kept[fmt::format("series.{}.{:04}", name, i)] = static_cast<double>(value);
    };
    put("offered", of.offered);
    put("served", of.served);
    if (places.empty()) continue;
    put("queries_from_caches", of.from_caches);
    put("queries_from_logs", of.from_logs);
    for (const auto& [name, place] :
         {std::pair("first_pipeline", places.front()), std::pair("last_pipeline", places.back())}) {
      put(fmt::format("joins.{}", name), of.total[place].size());
      put(fmt::format("finished.{}", name), of.finished[place]);
      put(fmt::format("backlog.{}", name), of.backlog[place]);
      if (of.total[place].empty()) continue;
      put(fmt::format("total_p90.{}", name), quantile(of.total[place], 0.9));
      put(fmt::format("own_p90.{}", name), quantile(of.own[place], 0.9));
    }
  }
  return kept;
}

// Returns the number of figures compared.
std::size_t check_kept(const Summary& summary, const std::map<std::string, double>& again) {
  std::map<std::string, double> kept;
  for (const auto& each : photon::analysis::metrics_of(summary)) {
    if (!each.name.starts_with("series.")) continue;
    CHECK(each.adding == photon::analysis::Adding::none);
    CHECK(kept.emplace(each.name, each.value).second);
  }
  for (const auto& [name, value] : again) {
    CAPTURE(name);
    REQUIRE(kept.contains(name));
    CHECK(kept.at(name) == Approx(value).margin(1e-9));
  }
  CHECK(kept.size() == again.size());
  return kept.size();
}

void check_period(const PeriodFigures& reported, const JoinedClicks& clicks) {
  std::vector<double> total, own;
  for (const JoinedClick& each : clicks.all()) {
    if (each.generated < reported.from_seconds - 1e-10) continue;
    if (each.generated > reported.until_seconds - 1e-10) continue;
    total.push_back(each.total());
    own.push_back(each.own);
  }
  check_latency("total", reported.latency, total);
  check_latency("own", reported.own, own);
}

// Returns the number of faults whose latencies were compared.
std::size_t check_faults(const Summary& summary, const JoinedClicks& clicks) {
  std::size_t effective = 0;
  for (const auto& fault : summary.faults) effective += fault.effective ? 1 : 0;
  CHECK(summary.fault_latencies.size() == effective);
  const double least = 10 * summary.series.interval_seconds;
  for (const FaultLatency& each : summary.fault_latencies) {
    CAPTURE(each.description);
    const auto& fault = summary.faults.at(each.number);
    const double from = static_cast<double>(fault.at_ns) / 1e9;
    const bool ends = fault.until_ns != photon::analysis::TracedFault::kNever;
    const double until = ends ? static_cast<double>(fault.until_ns) / 1e9 : from;
    const double span = std::max(until - from, least);
    CHECK(each.before.from_seconds == Approx(std::max(from - span, 0.0)).margin(1e-9));
    CHECK(each.before.until_seconds == Approx(from).margin(1e-9));
    CHECK(each.during.from_seconds == Approx(from).margin(1e-9));
    CHECK(each.during.until_seconds == Approx(until).margin(1e-9));
    CHECK(each.after.from_seconds == Approx(until).margin(1e-9));
    CHECK(each.after.until_seconds == Approx(until + span).margin(1e-9));
    for (const PeriodFigures* period : {&each.before, &each.during, &each.after}) {
      check_period(*period, clicks);
    }
  }
  return effective;
}

// The same, and what each fault cost beside the clicks of a run without faults.
void check_baseline(const Summary& summary, const JoinedClicks& clicks,
                    const JoinedClicks& without) {
  REQUIRE(summary.baseline);
  const auto more = [&](const PeriodFigures& period) {
    double sum = 0, calm = 0, count = 0, others = 0;
    for (const auto& [list, total, number] :
         {std::tuple{&clicks, &sum, &count}, std::tuple{&without, &calm, &others}}) {
      for (const JoinedClick& each : list->all()) {
        if (each.generated < period.from_seconds - 1e-10) continue;
        if (each.generated > period.until_seconds - 1e-10) continue;
        *total += each.own;
        *number += 1;
      }
    }
    return others == 0 ? 0 : sum - calm * count / others;
  };
  for (const FaultLatency& each : summary.fault_latencies) {
    CAPTURE(each.description);
    REQUIRE(each.during_without);
    REQUIRE(each.after_without);
    check_period(*each.during_without, without);
    check_period(*each.after_without, without);
    CHECK(each.cost_seconds() == Approx(more(each.during) + more(each.after)).margin(1e-6));
  }
  check_period(summary.baseline->whole_without, without);
  CHECK(summary.baseline->cost_seconds() == Approx(more(summary.baseline->whole)).margin(1e-6));
  CHECK(summary.baseline->joined == clicks.all().size());
  CHECK(summary.baseline->joined_without == without.all().size());
}

// From the end of the fault until no pipeline had more waiting clicks than in the time before it.
void check_returns(const Summary& summary, Again& again, const std::vector<std::uint32_t>& places) {
  const double step = summary.series.interval_seconds;
  double longest = 0;
  std::size_t checked = 0, not_back = 0;
  for (const FaultLatency& each : summary.fault_latencies) {
    const auto& fault = summary.faults.at(each.number);
    if (!each.ends) continue;
    const double from = static_cast<double>(fault.at_ns) / 1e9;
    const double until = static_cast<double>(fault.until_ns) / 1e9;
    if (until - from < step) continue;
    std::map<std::uint32_t, std::uint64_t> level;
    for (std::size_t i = 0; i < again.intervals.size(); ++i) {
      const double end = static_cast<double>(i + 1) * step;
      if (end < each.before.from_seconds - 1e-6 || end > from + 1e-6) continue;
      for (const std::uint32_t place : places) {
        level[place] = std::max(level[place], again.intervals[i].backlog[place]);
      }
    }
    if (level.empty()) continue;
    std::optional<double> back;
    for (std::size_t i = 0; i < again.intervals.size() && !back; ++i) {
      const double end = static_cast<double>(i + 1) * step;
      if (end <= until + 1e-9 * step) continue;
      const bool calm = std::ranges::all_of(places, [&](std::uint32_t place) {
        return again.intervals[i].backlog[place] <= level[place];
      });
      if (calm) back = end - until;
    }
    CAPTURE(each.description);
    REQUIRE(each.backlog_back);
    REQUIRE(each.backlog_back->seconds.has_value() == back.has_value());
    if (back) CHECK(*each.backlog_back->seconds == Approx(*back).margin(1e-6));
    longest = std::max(longest, back.value_or(0));
    ++checked;
    not_back += back ? 0 : 1;
  }
  REQUIRE(summary.backlog_return.has_value() == (checked > 0 && not_back == 0));
  if (summary.backlog_return) CHECK(*summary.backlog_return == Approx(longest).margin(1e-6));
}

struct Compared {
  std::size_t intervals = 0;
  std::size_t faults = 0;
  std::uint64_t joins = 0;
  std::size_t shards = 0;
  std::size_t reshards = 0;
  std::size_t kept = 0;  // figures of intervals
};

Compared compare(const std::string& scenario, const std::vector<std::string>& overrides) {
  CAPTURE(scenario);
  const auto loaded = photonsim::scenarios::load(scenario, overrides);
  REQUIRE(loaded.ok());
  const auto names = photonsim::scenarios::places_of(loaded.config());
  Recorded recorded;
  const Ran ran = run(scenario, 3, overrides, &recorded);
  const Summary& summary = ran.outcome.summary;
  const TimeSeries& series = summary.series;
  REQUIRE(series.interval_seconds > 0);
  const std::size_t intervals = series.offered.size();
  CHECK(intervals ==
        static_cast<std::size_t>(std::ceil(summary.sim_seconds / series.interval_seconds - 1e-9)));
  std::vector<std::uint32_t> places;
  for (const PipelineSeries& each : series.pipelines) {
    const auto place = std::ranges::find(names.datacenters, each.where);
    REQUIRE(place != names.datacenters.end());
    places.push_back(static_cast<std::uint32_t>(place - names.datacenters.begin()));
  }
  Again again =
      counted(recorded.records, series.interval_seconds, intervals, {places.begin(), places.end()});
  check_series(series, again, places);
  check_returns(summary, again, places);
  std::vector<double> reshards;
  for (const auto& [version, at] : again.reshards) reshards.push_back(at);
  std::ranges::sort(reshards);
  CHECK(series.reshards == reshards);
  Compared compared{intervals, check_faults(summary, again.clicks), 0, series.shards.size(),
                    series.reshards.size()};
  if (summary.keep_series) {
    compared.kept = check_kept(summary, kept_again(again, series.interval_seconds, places));
  }
  for (const PipelineSeries& each : series.pipelines) {
    for (const std::uint64_t joins : each.joins) compared.joins += joins;
  }
  CHECK(compared.joins == summary.latency.count);
  return compared;
}

}  // namespace

TEST_CASE("series: a run over time is that of its raw trace") {
  CHECK(compare("scenarios/healthy.toml", {}).joins > 500);
  CHECK(compare("scenarios/late_queries.toml", {"run.sample_interval=500ms"}).intervals > 120);
  CHECK(compare("scenarios/registry/quiet.toml", {"run.duration=20s"}).joins == 0);
  const Compared resharded = compare("scenarios/corner/BC-16.toml", {});
  CHECK(resharded.shards > 1);
  CHECK(resharded.reshards > 0);
}

TEST_CASE("series: what faults cost is counted beside the same seed without them") {
  const std::string scenario = "scenarios/slow_output.toml";
  const auto loaded = photonsim::scenarios::load(scenario, {});
  REQUIRE(loaded.ok());
  Recorded recorded, calm;
  Ran ran = run(scenario, 3, {}, &recorded);
  Summary& summary = ran.outcome.summary;
  REQUIRE(summary.lost_total() > 0);
  CHECK(photonsim::scenarios::run_baseline(loaded.config(), 3, &calm, nullptr, summary).empty());
  JoinedClicks clicks, without;
  for (const trace::Record& each : recorded.records) clicks.take(each);
  for (const trace::Record& each : calm.records) {
    without.take(each);
    CHECK(each.header.kind != trace::Kind::process_crashed);
  }
  check_baseline(summary, clicks, without);
  CHECK(summary.baseline->lost == summary.lost_total());
  CHECK(summary.baseline->lost_without == 0);
  // Without faults there is nothing to compare.
  Ran healthy = run("scenarios/healthy.toml", 1);
  const auto sound = photonsim::scenarios::load("scenarios/healthy.toml", {});
  CHECK_FALSE(photonsim::scenarios::run_baseline(sound.config(), 1, nullptr, nullptr,
                                                 healthy.outcome.summary)
                  .empty());
  CHECK_FALSE(healthy.outcome.summary.baseline);
}

TEST_CASE("series: latencies around faults are those of the clicks generated then") {
  std::size_t faults = 0;
  faults += compare("scenarios/recovery.toml", {}).faults;
  faults += compare("scenarios/cache_loss.toml", {}).faults;
  faults += compare("scenarios/fault_kinds.toml", {}).faults;
  CHECK(faults > 10);
}

TEST_CASE("series: the figures of intervals that a run keeps are those of its raw trace") {
  const std::vector<std::string> keep{"run.keep_series=true"};
  const Compared healthy = compare("scenarios/healthy.toml", keep);
  CHECK(healthy.kept > 10 * healthy.intervals);
  // A pipeline that returns, caches that lose what they have, clicks that wait for queries.
  CHECK(compare("scenarios/two_day_downtime_scaled.toml", keep).kept > 1000);
  CHECK(compare("scenarios/cache_loss.toml", keep).kept > 1000);
  CHECK(compare("scenarios/late_queries.toml", keep).kept > 1000);
  // A registry alone has no pipelines.
  const Compared alone =
      compare("scenarios/registry/quiet.toml", {"run.keep_series=true", "run.duration=20s"});
  CHECK(alone.kept == 2 * alone.intervals + 1);
  CHECK(compare("scenarios/healthy.toml", {}).kept == 0);
}

TEST_CASE("series: joins of the intervals kept add up to the clicks joined") {
  const Ran ran = run("scenarios/healthy.toml", 3, {"run.keep_series=true"});
  double sum = 0, joined = 0;
  for (const auto& each : photon::analysis::metrics_of(ran.outcome.summary)) {
    if (each.name.starts_with("series.joins.")) sum += each.value;
    if (each.name == "joined") joined = each.value;
  }
  CHECK(ran.outcome.summary.series.pipelines.size() == 2);
  CHECK(joined > 500);
  CHECK(sum == joined);
}
