#include "report/report_points.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "campaigns/plan.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::report {
namespace {

namespace analysis = photon::analysis;

// Of many parameters that differ, as those of unlike scenarios, no label can be made.
constexpr std::size_t kLabelMost = 4;

// "shards=1, no outage" of a study's "registry.shards=1, no outage".
std::string without_tables(const std::string& label) {
  constexpr std::string_view kNext = ", ";
  std::string text;
  for (std::size_t begin = 0; begin < label.size();) {
    const std::size_t next = std::min(label.find(kNext, begin), label.size());
    const std::string part = label.substr(begin, next - begin);
    const std::size_t dot = part.rfind('.', part.find('='));
    const bool key = part.find('=') != std::string::npos && dot != std::string::npos;
    text += (begin == 0 ? "" : std::string(kNext)) + (key ? part.substr(dot + 1) : part);
    begin = next + kNext.size();
  }
  return text;
}

// Points of unlike scenarios have their names, those of a study its labels, others their parameters.
void label(ReportPoints& points) {
  std::set<std::string> scenarios;
  for (const ReportPoint& point : points.list) {
    scenarios.insert(without_tables(point.scenario));
  }
  const bool told_apart = scenarios.size() == points.list.size();
  const std::vector<std::string> names = campaigns::shortened(points.parameters);
  const bool by_parameters = !names.empty() && names.size() <= kLabelMost;
  for (std::size_t number = 0; number < points.list.size(); ++number) {
    ReportPoint& point = points.list[number];
    point.label = told_apart || points.list.size() == 1
                      ? without_tables(point.scenario)
                      : fmt::format("{} ({})", point.scenario, number + 1);
    if (!by_parameters || (told_apart && points.list.size() > 1)) continue;
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (point.parameters[i].empty()) continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", names[i], point.parameters[i]);
    }
    if (!text.empty()) point.label = text;
  }
}

}  // namespace

bool ReportPoint::is_swarm() const {
  return kind == "campaign" && scenario == campaigns::kSwarmName;
}

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
  // Processes end in any order: points come in that of their study.
  std::vector<ReportPoint> sorted;
  for (const auto& [key, place] : places) sorted.push_back(std::move(points.list[place]));
  points.list = std::move(sorted);
  label(points);
  return points;
}

}  // namespace photonsim::report
