// When backlog and latency were back: intervals of ten seconds, a fault from 40 s to 60 s.
#include "analysis/reports/recovery_times.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/reports/fault_latency.h"
#include "analysis/reports/time_series.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct Columns {
  std::vector<std::uint64_t> backlog{};
  std::vector<double> own_p90{};  // 0: nothing was joined
};

TimeSeries series_of(const std::vector<Columns>& pipelines, double step = 10) {
  TimeSeries series;
  series.interval_seconds = step;
  for (const Columns& each : pipelines) {
    PipelineSeries& pipeline = series.pipelines.emplace_back();
    pipeline.backlog = each.backlog;
    for (const double value : each.own_p90) {
      pipeline.own[1].push_back(value > 0 ? std::optional(value) : std::nullopt);
    }
  }
  return series;
}

FaultLatency fault_of(double from, double until) {
  FaultLatency fault;
  fault.before.from_seconds = from - 20;
  fault.before.until_seconds = from;
  fault.during.from_seconds = from;
  fault.during.until_seconds = until;
  return fault;
}

FaultLatency recovered(const std::vector<Columns>& pipelines, double from = 40, double until = 60) {
  std::vector<FaultLatency> faults{fault_of(from, until)};
  set_return_times(series_of(pipelines), faults);
  return faults.front();
}

// Ends of intervals:                   10 20 30 40  50  60  70 80 90 100
const std::vector<std::uint64_t> kBacklog{9, 2, 2, 3, 50, 90, 60, 4, 3, 3};
const std::vector<double> kLatency{1, 1, 1, 2, 8, 0, 9, 2, 1, 1};

}  // namespace

TEST_CASE("return times: backlog and latency are back at the level just before the fault") {
  const FaultLatency fault = recovered({{kBacklog, kLatency}});
  // Nine clicks waited earlier than `before`, which has three at most; 4 are still more.
  REQUIRE((fault.backlog_back && fault.own_p90_back));
  CHECK(fault.backlog_back->seconds == 30.0);
  CHECK(fault.own_p90_back->seconds == 20.0);
}

TEST_CASE("return times: every pipeline has to be back, each at its own level") {
  const std::vector<std::uint64_t> other{0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  const std::vector<double> nothing(10, 0);
  const FaultLatency fault = recovered({{kBacklog, kLatency}, {other, nothing}});
  CHECK(fault.backlog_back->seconds == 40.0);
  // Where nothing is joined nothing is slow.
  CHECK(fault.own_p90_back->seconds == 20.0);
}

TEST_CASE("return times: of a fault that is shorter than an interval nothing is known") {
  const FaultLatency fault = recovered({{kBacklog, kLatency}}, 40, 45);
  CHECK_FALSE(fault.backlog_back);
  CHECK_FALSE(fault.own_p90_back);
}

TEST_CASE("return times: without a figure before the fault there is no level to come back to") {
  const std::vector<double> late{0, 0, 0, 0, 0, 0, 5, 5, 5, 5};
  const FaultLatency fault = recovered({{kBacklog, late}});
  CHECK(fault.backlog_back);
  CHECK_FALSE(fault.own_p90_back);
  // A fault at the very beginning.
  CHECK_FALSE(recovered({{kBacklog, kLatency}}, 0, 20).backlog_back);
}

TEST_CASE("return times: multiples of an interval that are not exact end with it") {
  std::vector<FaultLatency> faults{fault_of(0.3, 0.6)};
  faults.front().before.from_seconds = 0.25;
  set_return_times(series_of({{kBacklog, kLatency}}, 0.1), faults);
  // 3 * 0.1 is more than 0.3: the third interval, with two waiting clicks, ends before the fault.
  REQUIRE(faults.front().backlog_back);
  CHECK_FALSE(faults.front().backlog_back->seconds);
  CHECK(*faults.front().own_p90_back->seconds == Approx(0.3));
}

TEST_CASE("return times: nothing returns from a fault that lasts to the end of the run") {
  std::vector<FaultLatency> faults{fault_of(40, 60)};
  faults.front().ends = false;
  set_return_times(series_of({{kBacklog, kLatency}}), faults);
  CHECK_FALSE(faults.front().backlog_back);
}

TEST_CASE("return times: the longest of several faults, and none where one is not back") {
  std::vector<FaultLatency> faults{fault_of(40, 60), fault_of(40, 80), fault_of(40, 45)};
  set_return_times(series_of({{kBacklog, kLatency}}), faults);
  CHECK(longest_backlog_return(faults) == 30.0);
  CHECK_FALSE(longest_backlog_return({faults[2]}));
  std::vector<std::uint64_t> stuck = kBacklog;
  stuck[8] = stuck[9] = 40;
  set_return_times(series_of({{stuck, kLatency}}), faults);
  REQUIRE(faults.front().backlog_back);
  CHECK_FALSE(faults.front().backlog_back->seconds);
  CHECK_FALSE(longest_backlog_return(faults));
}

}  // namespace photon::analysis
