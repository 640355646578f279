// When backlog and latency were back: intervals of ten seconds, a fault from 40 s to 60 s.
#include "report/recovery_times.h"

#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value_from.hpp>

#include "tests/support/catch.h"

namespace {

namespace json = boost::json;

struct Columns {
  std::vector<double> backlog{};
  std::vector<double> own_p90{};  // 0: nothing was joined
};

json::object details_of(const std::vector<Columns>& pipelines, double from, double until) {
  json::array list;
  for (const Columns& each : pipelines) {
    json::array latencies;
    for (const double value : each.own_p90) {
      latencies.emplace_back(value > 0 ? json::value(value) : json::value(nullptr));
    }
    list.push_back(json::object{{"backlog", json::value_from(each.backlog)},
                                {"own_p90", std::move(latencies)}});
  }
  const auto period = [](double since, double end) {
    return json::object{{"from_seconds", since}, {"until_seconds", end}};
  };
  json::object fault{{"before", period(from - 20, from)}, {"during", period(from, until)}};
  return {{"series", json::object{{"interval_seconds", 10.0}, {"pipelines", std::move(list)}}},
          {"around_faults", json::array{std::move(fault)}}};
}

json::object recovered(const std::vector<Columns>& pipelines, double from = 40, double until = 60) {
  json::object details = details_of(pipelines, from, until);
  photonsim::report::add_recovery_times(details);
  return details.at("around_faults").at(0).as_object();
}

// Ends of intervals:            10 20 30 40  50  60  70 80 90 100
const std::vector<double> kBacklog{9, 2, 2, 3, 50, 90, 60, 4, 3, 3};
const std::vector<double> kLatency{1, 1, 1, 2, 8, 0, 9, 2, 1, 1};

}  // namespace

TEST_CASE("recovery: backlog and latency are back at the level just before the fault") {
  const json::object fault = recovered({{kBacklog, kLatency}});
  // Nine clicks waited earlier than `before`, which has three at most; 4 are still more.
  CHECK(fault.at("backlog_back_after_seconds").to_number<double>() == 30);
  CHECK(fault.at("own_p90_back_after_seconds").to_number<double>() == 20);
}

TEST_CASE("recovery: every pipeline has to be back, each at its own level") {
  const std::vector<double> other{0, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  const std::vector<double> nothing(10, 0);
  const json::object fault = recovered({{kBacklog, kLatency}, {other, nothing}});
  CHECK(fault.at("backlog_back_after_seconds").to_number<double>() == 40);
  // Where nothing is joined nothing is slow.
  CHECK(fault.at("own_p90_back_after_seconds").to_number<double>() == 20);
}

TEST_CASE("recovery: of a fault that is shorter than an interval nothing is known") {
  const json::object fault = recovered({{kBacklog, kLatency}}, 40, 45);
  CHECK_FALSE(fault.contains("backlog_back_after_seconds"));
  CHECK_FALSE(fault.contains("own_p90_back_after_seconds"));
}

TEST_CASE("recovery: without a figure before the fault there is no level to come back to") {
  const std::vector<double> late{0, 0, 0, 0, 0, 0, 5, 5, 5, 5};
  const json::object fault = recovered({{kBacklog, late}});
  CHECK(fault.contains("backlog_back_after_seconds"));
  CHECK_FALSE(fault.contains("own_p90_back_after_seconds"));
  // A fault at the very beginning.
  const json::object first = recovered({{kBacklog, kLatency}}, 0, 20);
  CHECK_FALSE(first.contains("backlog_back_after_seconds"));
}

TEST_CASE("recovery: multiples of an interval that are not exact end with it") {
  json::object details = details_of({{kBacklog, kLatency}}, 0.3, 0.6);
  details.at("series").as_object()["interval_seconds"] = 0.1;
  auto& fault = details.at("around_faults").at(0).as_object();
  fault.at("before").as_object()["from_seconds"] = 0.25;
  photonsim::report::add_recovery_times(details);
  // 3 * 0.1 is more than 0.3: the third interval, with two waiting clicks, ends before the fault.
  CHECK(fault.at("backlog_back_after_seconds").is_null());
  CHECK(fault.at("own_p90_back_after_seconds").to_number<double>() == Approx(0.3));
}

TEST_CASE("recovery: nothing recovers from a fault that lasts to the end of the run") {
  json::object details = details_of({{kBacklog, kLatency}}, 40, 60);
  auto& fault = details.at("around_faults").at(0).as_object();
  fault["ends"] = false;
  photonsim::report::add_recovery_times(details);
  CHECK_FALSE(fault.contains("backlog_back_after_seconds"));
}

TEST_CASE("recovery: not before the end is null") {
  std::vector<double> stuck = kBacklog;
  stuck[8] = stuck[9] = 40;
  const json::object fault = recovered({{stuck, kLatency}});
  CHECK(fault.at("backlog_back_after_seconds").is_null());
}
