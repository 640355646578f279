#include "report/report_points.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "campaigns/studies/metric_names.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;

// Of many parameters that differ, as those of unlike scenarios, no label can be made.
constexpr std::size_t kLabelMost = 4;

void label(ReportPoints& points) {
  std::set<std::string> scenarios;
  for (const ReportPoint& point : points.list) scenarios.insert(point.scenario);
  const bool told_apart = scenarios.size() == points.list.size();
  const std::vector<std::string> names = campaigns::shortened(points.parameters);
  const bool by_parameters = !names.empty() && names.size() <= kLabelMost;
  for (std::size_t number = 0; number < points.list.size(); ++number) {
    ReportPoint& point = points.list[number];
    point.label = told_apart || points.list.size() == 1
                      ? point.scenario
                      : fmt::format("{} ({})", point.scenario, number + 1);
    if (!by_parameters) continue;
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (point.parameters[i].empty()) continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", names[i], point.parameters[i]);
    }
    if (!text.empty()) point.label = text;
  }
}

}  // namespace

photon::Result<ReportPoints, analysis::FileError> read_points(
    const analysis::ResultReader& results) {
  ReportPoints points;
  points.parameters = results.parameters();
  std::map<std::tuple<std::string, std::uint32_t>, std::size_t> places;
  const auto read = results.read([&](const analysis::ExportedRun& run) {
    const auto [place, added] =
        places.try_emplace({run.study, run.record.scenario}, points.list.size());
    if (added) points.list.push_back({.scenario = run.scenario, .kind = run.kind});
    ReportPoint& point = points.list[place->second];
    if (added) point.parameters = run.parameters;
    points.model_versions.insert(run.model_version);
    point.runs.push_back({run.id, run.verdict});
    point.records.emplace_back(run.record);
    ++points.runs;
  });
  if (!read) return read.assume_error();
  label(points);
  return points;
}

}  // namespace photonsim::report
