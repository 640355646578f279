#include "report/point_data.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <boost/json/array.hpp>

#include "campaigns/studies/estimates.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

json::value number(double value) {
  return std::isfinite(value) ? json::value(value) : json::value(nullptr);
}

// One figure at all points.
class MetricColumn {
 public:
  void add(const std::optional<campaigns::MetricEstimate>& found) {
    const analysis::Estimate estimate = found ? found->shown() : analysis::Estimate{};
    const auto& interval = estimate.interval;
    value_.emplace_back(found ? number(estimate.value) : json::value(nullptr));
    low_.emplace_back(interval ? number(interval->low) : json::value(nullptr));
    high_.emplace_back(interval ? number(interval->high) : json::value(nullptr));
    n_.emplace_back(estimate.n);
    note_.emplace_back(found ? note_of(*found) : "");
    if (found) unit_ = found->unit;
    shows_ = shows_ || (found && estimate.value != 0);
  }
  // Some point has another value than zero.
  bool shows() const { return shows_; }
  json::object take() {
    return {{"unit", name_of(unit_)},   {"value", std::move(value_)}, {"low", std::move(low_)},
            {"high", std::move(high_)}, {"n", std::move(n_)},         {"note", std::move(note_)}};
  }

 private:
  // What a reader of several runs must know of the figure; of one run there are no intervals.
  static const char* note_of(const campaigns::MetricEstimate& metric) {
    const analysis::Estimate estimate = metric.shown();
    if (estimate.n < 2 || estimate.shortage == analysis::Shortage::no_event) return "";
    if (!estimate.interval) return "(n too small)";
    return metric.is_too_correlated() ? "!" : "";
  }

  analysis::Unit unit_ = analysis::Unit::count;
  bool shows_ = false;
  json::array value_, low_, high_, n_, note_;
};

}  // namespace

json::object point_columns(const ReportPoints& points) {
  json::array label, scenario, kind, runs, failed, stationary, doubtful, bound_by, generated;
  for (const ReportPoint& point : points.list) {
    const campaigns::PointEstimates estimates(point.records);
    const auto known = estimates.stationary();
    label.emplace_back(point.label);
    scenario.emplace_back(point.scenario);
    kind.emplace_back(point.kind);
    runs.emplace_back(point.runs.size());
    failed.emplace_back(estimates.failed());
    const bool swarm = point.is_swarm();
    stationary.emplace_back(known && !swarm ? json::value(*known) : json::value(nullptr));
    doubtful.emplace_back(known.value_or(true) && estimates.is_doubtful() && !swarm);
    bound_by.emplace_back(swarm ? std::string() : estimates.bound_by());
    generated.emplace_back(swarm);
  }
  return {{"label", std::move(label)},        {"scenario", std::move(scenario)},
          {"kind", std::move(kind)},          {"runs", std::move(runs)},
          {"failed", std::move(failed)},      {"stationary", std::move(stationary)},
          {"doubtful", std::move(doubtful)},  {"bound_by", std::move(bound_by)},
          {"generated", std::move(generated)}};
}

json::object parameter_columns(const ReportPoints& points) {
  json::object columns;
  for (std::size_t i = 0; i < points.parameters.size(); ++i) {
    json::array values;
    for (const ReportPoint& point : points.list) {
      values.emplace_back(i < point.parameters.size() ? point.parameters[i] : std::string());
    }
    columns[points.parameters[i]] = std::move(values);
  }
  return columns;
}

json::object metric_columns(const ReportPoints& points) {
  std::vector<campaigns::PointEstimates> estimates;
  std::set<std::string> names;
  for (const ReportPoint& point : points.list) {
    estimates.emplace_back(point.records);
    for (std::string& name : estimates.back().names()) names.insert(std::move(name));
  }
  json::object columns;
  for (const std::string& name : names) {
    MetricColumn column;
    for (const campaigns::PointEstimates& each : estimates) column.add(each.of(name));
    if (column.shows()) columns[name] = column.take();
  }
  return columns;
}

json::object run_columns(const ReportPoints& points) {
  json::array id, point, seed, verdict, exit_code, fingerprint, events, length, what, replay, same;
  for (std::size_t i = 0; i < points.list.size(); ++i) {
    const ReportPoint& of = points.list[i];
    for (std::size_t each = 0; each < of.runs.size(); ++each) {
      const analysis::RunRecord& record = *of.records[each];
      id.emplace_back(of.runs[each].id);
      point.emplace_back(i);
      seed.emplace_back(std::to_string(record.seed));
      verdict.emplace_back(of.runs[each].verdict);
      exit_code.emplace_back(record.exit_code);
      fingerprint.emplace_back(record.fingerprint);
      events.emplace_back(record.events);
      length.emplace_back(static_cast<double>(record.sim_milliseconds) / 1e3);
      what.emplace_back(record.what);
      replay.emplace_back(record.replay);
      same.emplace_back(name_of(record.determinism));
    }
  }
  return {{"id", std::move(id)},
          {"point", std::move(point)},
          {"seed", std::move(seed)},
          {"verdict", std::move(verdict)},
          {"exit_code", std::move(exit_code)},
          {"fingerprint", std::move(fingerprint)},
          {"events", std::move(events)},
          {"sim_seconds", std::move(length)},
          {"what", std::move(what)},
          {"replay", std::move(replay)},
          {"determinism", std::move(same)}};
}

}  // namespace photonsim::report
