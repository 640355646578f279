#include "report/report_data.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <boost/json/array.hpp>

#include "campaigns/studies/estimates.h"
#include "report/campaign_data.h"
#include "report/conclusions.h"
#include "report/differences.h"
#include "report/latency_curves.h"
#include "report/point_data.h"
#include "report/report_points.h"
#include "report/run_details.h"
#include "report/variance_shares.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

// Of clicks; of a registry-only load.
const std::array<std::string, 4> kCurves{"latency_seconds", "latency_own", "load.insert_latency",
                                         "load.lookup_latency"};

// Of all runs: how many failed, what was lost, what was checked.
json::object verdict_of(const ReportPoints& points) {
  std::uint64_t failed = 0, violations = 0, not_counted = 0, checks = 0;
  double lost = 0, joined = 0, duplicates = 0, operations = 0;
  for (const ReportPoint& point : points.list) {
    for (const auto& record : point.records) {
      failed += record->exit_code != 0 ? 1 : 0;
      for (const auto& each : record->findings) {
        (each.standing == analysis::Standing::failing ? violations : not_counted) += each.count;
      }
      for (const auto& each : record->obligations) checks += each.count;
      lost += record->metric("lost").value_or(0);
      duplicates += record->metric("duplicates").value_or(0);
      joined += record->metric("joined").value_or(0);
      operations += record->metric("load.operations").value_or(0);
    }
  }
  return {{"runs", points.runs},
          {"failed", failed},
          {"violations", violations},
          {"not_counted", not_counted},  // expected of a scenario, or exempt
          {"checks", checks},
          {"lost", lost},
          {"joined", joined},
          {"duplicates", duplicates},
          {"operations", operations}};
}

// Of a search only the seeds count that StudyReport counts: of a confirmed point the fresh ones, of
// another one those that the search used itself.
void count_as_searched(const json::object& study, ReportPoints& points) {
  const json::value* const search = study.if_contains("search");
  if (search == nullptr || !search->is_object()) return;
  const auto fresh = search->at("fresh_from_seed").to_number<std::uint64_t>();
  std::set<std::string> confirmed, labels;
  for (const json::value& each : search->at("confirmed").as_array()) {
    confirmed.emplace(each.as_string());
  }
  for (const json::value& each : study.at("labels").as_array()) labels.emplace(each.as_string());
  for (ReportPoint& point : points.list) {
    if (!labels.contains(point.scenario)) continue;
    const bool wants_fresh = confirmed.contains(point.scenario);
    for (std::size_t i = point.records.size(); i-- > 0;) {
      if ((point.records[i]->seed >= fresh) == wants_fresh) continue;
      point.records.erase(point.records.begin() + static_cast<std::ptrdiff_t>(i));
      point.runs.erase(point.runs.begin() + static_cast<std::ptrdiff_t>(i));
      --points.runs;
    }
  }
}

}  // namespace

photon::Result<json::object, analysis::FileError> report_data(const analysis::ResultReader& results,
                                                              const std::string& file) {
  auto read = read_points(results);
  if (!read) return std::move(read).assume_error();
  ReportPoints& points = read.assume_value();
  auto conclusions = conclusions_of(results);
  if (!conclusions) return std::move(conclusions).assume_error();
  // With several studies a label does not tell whose point it is.
  const json::array& studies = conclusions.assume_value().studies;
  if (studies.size() == 1) count_as_searched(studies.front().as_object(), points);
  auto details = run_details(results, points);
  if (!details) return std::move(details).assume_error();
  json::array versions;
  for (const std::string& each : points.model_versions) versions.emplace_back(each);
  json::object data;
  data["file"] = file;
  data["model_versions"] = std::move(versions);
  data["studies"] = std::move(conclusions.assume_value().studies);
  data["campaigns"] = std::move(conclusions.assume_value().campaigns);
  data["verdict"] = verdict_of(points);
  data["parameters"] = parameter_columns(points);
  data["points"] = point_columns(points);
  data["runs"] = run_columns(points);
  data["metrics"] = metric_columns(points);
  data["quantiles"] = quantile_curves(points, kCurves);
  data["distributions"] = distributions(points, kCurves);
  data["differences"] = differences(points);
  data["sensitivity"] = variance_shares(data["parameters"].as_object(), data["points"].as_object(),
                                        data["metrics"].as_object());
  data["campaign"] = campaign_data(points);
  data["details"] = std::move(details).assume_value();
  return data;
}

}  // namespace photonsim::report
