#include "report/report_points.h"

#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;

// Of many parameters that differ, as those of unlike scenarios, no label can be made.
constexpr std::size_t kLabelMost = 4;

std::string label_of(const ReportPoint& point, const std::vector<std::string>& names,
                     std::size_t number) {
  if (names.empty()) return point.scenario;
  if (names.size() > kLabelMost) return fmt::format("{} ({})", point.scenario, number + 1);
  std::string label;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (point.parameters[i].empty()) continue;
    label += fmt::format("{}{}={}", label.empty() ? "" : ", ", names[i], point.parameters[i]);
  }
  return label.empty() ? point.scenario : label;
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
  for (std::size_t i = 0; i < points.list.size(); ++i) {
    points.list[i].label = label_of(points.list[i], points.parameters, i);
  }
  return points;
}

}  // namespace photonsim::report
