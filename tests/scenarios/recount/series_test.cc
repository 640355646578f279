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

#include "core_impl/trace/consensus.h"
#include "core_impl/trace/environment.h"
#include "core_impl/trace/pipeline.h"
#include "core_impl/trace/registry.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/baseline_run.h"
#include "scenarios/world/runner.h"
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

// What becomes readable, is finished, and waits for its query only, at each datacenter.
class Backlogs {
 public:
  void take(const trace::Record& record) {
    const trace::Header& header = record.header;
    const std::uint32_t place = header.datacenter.value();
    switch (header.kind) {
      case trace::Kind::click_generated: {
        const auto& click = record.as<trace::ClickGenerated>();
        ends_[click.click_file].emplace_back(click.click_end, key(click.click));
        return;
      }
      case trace::Kind::log_visible: {
        const auto& visible = record.as<trace::LogVisible>();
        for (const auto& [end, id] : ends_[visible.file]) {
          if (end <= visible.length) readable_[place].insert(id);
        }
        return;
      }
      case trace::Kind::click_done:
        finished_[place].insert(key(record.as<trace::ClickDone>().click));
        served_.insert(key(record.as<trace::ClickDone>().click));
        return;
      case trace::Kind::join_answer: {
        const auto& answer = record.as<trace::JoinAnswer>();
        const bool missing = answer.outcome == trace::JoinOutcome::query_not_found;
        if (missing && header.source == trace::Source::delivered) {
          without_query_[place].insert(key(answer.click));
        }
        return;
      }
      case trace::Kind::join_ask:
        if (header.source == trace::Source::sent) {
          without_query_[place].erase(key(record.as<trace::JoinAsk>().click));
        }
        return;
      default:
        return;
    }
  }

  std::uint64_t backlog(std::uint32_t place) {
    std::uint64_t waiting = 0;
    for (const Id& id : readable_[place]) {
      waiting += finished_[place].contains(id) || without_query_[place].contains(id) ? 0 : 1;
    }
    return waiting;
  }
  std::uint64_t served() const { return served_.size(); }

 private:
  std::map<std::uint32_t, std::vector<std::pair<std::uint64_t, Id>>> ends_{};  // by file
  std::map<std::uint32_t, std::set<Id>> readable_{}, finished_{}, without_query_{};
  std::set<Id> served_{};
};

// One interval, found again.
struct Interval {
  std::uint64_t offered = 0, served = 0;
  std::map<std::uint32_t, std::uint64_t> backlog{};
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

Again counted(const std::vector<trace::Record>& records, double interval, std::size_t intervals,
              const std::set<std::uint32_t>& places) {
  Again again;
  Backlogs backlogs;
  std::uint64_t offered = 0, done = 0, offered_before = 0, served_before = 0;
  std::map<std::uint32_t, std::uint64_t> committed;
  std::set<std::pair<std::uint32_t, std::uint64_t>> slots;
  const auto close = [&] {
    Interval& each = again.intervals.emplace_back();
    const std::uint64_t served = backlogs.served() + done;
    each.offered = offered - std::exchange(offered_before, offered);
    each.served = served - std::exchange(served_before, served);
    for (const std::uint32_t place : places) each.backlog[place] = backlogs.backlog(place);
    each.committed = std::exchange(committed, {});
  };
  for (const trace::Record& record : records) {
    const double at = seconds(record.header.at);
    while (again.intervals.size() < interval_of(at, interval, intervals)) close();
    backlogs.take(record);
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
    for (std::uint32_t shard = 0; shard < series.shards.size(); ++shard) {
      CHECK(series.shards[shard].at(i) == of.committed[shard]);
    }
    for (std::size_t p = 0; p < series.pipelines.size(); ++p) {
      const PipelineSeries& pipeline = series.pipelines[p];
      CAPTURE(pipeline.where);
      const std::uint32_t place = places.at(p);
      CHECK(pipeline.joins.at(i) == of.total[place].size());
      CHECK(pipeline.backlog.at(i) == of.backlog[place]);
      for (std::size_t q = 0; q < PipelineSeries::kQuantiles.size(); ++q) {
        check_column(pipeline.latency[q].at(i), of.total[place], PipelineSeries::kQuantiles[q]);
        check_column(pipeline.own[q].at(i), of.own[place], PipelineSeries::kQuantiles[q]);
      }
    }
  }
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
