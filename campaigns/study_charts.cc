// The part of a study's report on its charts: one JSON object for each, and bars for the terminal.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "analysis/reports/over_time_text.h"
#include "analysis/reports/report_text.h"
#include "campaigns/estimate_text.h"
#include "campaigns/studies/plan_checks.h"
#include "campaigns/study_report.h"
#include "campaigns/text_table.h"

namespace photonsim::campaigns {
namespace {

namespace analysis = photon::analysis;
namespace json = boost::json;

// The label that a point has in its study's [[list]], or its whole label.
std::string case_of(const StudyPoint& point) {
  for (const auto& [name, value] : point.choices) {
    if (name == kCase) return value;
  }
  return point.label;
}

// As many of `width` cells as the value has of `most`, to an eighth of a cell.
std::string bar(double value, double most, int width) {
  static constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (most <= 0 || value <= 0) return {};
  const auto eighths = static_cast<std::size_t>(std::lround(value / most * width * 8));
  std::string text;
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths.at(eighths % 8);
}

constexpr int kBarCells = 30;

// What a chart says of a point that may not keep up; empty: it does.
constexpr std::string_view kGrows = "not stationary";
constexpr std::string_view kDoubtful = "perhaps not stationary";

class ChartText {
 public:
  // `states`: of each point of the study.
  ChartText(const Chart& chart, const ChartResult& result, const std::vector<PointReport>& points,
            const std::vector<std::string_view>& states)
      : chart_(chart), result_(result), points_(points), states_(states) {}

  std::string text() const {
    const std::string title = fmt::format("\n{}: {}\n", chart_.id, chart_.title);
    return title + (chart_.across == Chart::Across::time ? over_time() : over_points());
  }

 private:
  // A row for each line: its least and greatest value, and its course.
  std::string over_time() const {
    TextTable table({chart_.y_title, "from", "to", "over time"});
    for (const DrawnLine& line : result_.lines) {
      std::vector<std::optional<double>> means = course_of(line);
      std::vector<double> values;
      for (const ChartValue& each : line.values) values.push_back(each.estimate.value);
      if (values.empty()) {
        table.row({line.label, "not measured"});
        continue;
      }
      table.row({line.label, analysis::value_text(line.unit, std::ranges::min(values)),
                 analysis::value_text(line.unit, std::ranges::max(values)),
                 analysis::spark_line(means)});
    }
    return table.text();
  }

  // Averages neighbours, so that at most 60 values remain.
  static std::vector<std::optional<double>> course_of(const DrawnLine& line) {
    constexpr std::size_t kMost = 60;
    const std::size_t together = line.values.size() / kMost + 1;
    std::vector<std::optional<double>> means;
    for (std::size_t at = 0; at < line.values.size(); at += together) {
      const std::size_t end = std::min(at + together, line.values.size());
      double sum = 0;
      for (std::size_t i = at; i < end; ++i) sum += line.values[i].estimate.value;
      means.emplace_back(sum / static_cast<double>(end - at));
    }
    return means;
  }

  // A row for each line and x: value, what theory says of it, and a bar.
  std::string over_points() const {
    double most = 0;
    bool theory = false;
    // Beside a point whose queue grows the others would be too short to read.
    double most_growing = 0;
    for (const DrawnLine& line : result_.lines) {
      for (const ChartValue& each : line.values) {
        const bool grows = states_[*each.point] == kGrows && each.estimate.value > 0;
        double& of_kind = grows ? most_growing : most;
        of_kind = std::max(of_kind, each.estimate.value);
        theory = theory || each.theory;
      }
    }
    if (most == 0) most = most_growing;
    std::vector<std::string> headers{chart_.x_title, "", chart_.y_title};
    if (theory) headers.emplace_back("theory");
    headers.emplace_back();
    TextTable table(std::move(headers));
    bool doubtful = false;
    for (const DrawnLine& line : result_.lines) {
      if (line.values.empty()) table.row({"-", line.label, "not measured"});
      for (const ChartValue& each : line.values) {
        std::vector<std::string> cells{x_text(each), line.label,
                                       analysis::value_text(line.unit, each.estimate.value)};
        if (theory) {
          cells.push_back(each.theory ? analysis::value_text(line.unit, *each.theory) : "-");
        }
        const std::string_view state = states_[*each.point];
        doubtful = doubtful || state == kDoubtful;
        cells.push_back(bar(std::min(each.estimate.value, most), most, kBarCells) +
                        (state == kGrows      ? " NOT STATIONARY"
                         : state == kDoubtful ? " ?"
                                              : ""));
        table.row(std::move(cells));
      }
    }
    std::string text = table.text();
    if (doubtful) text += "? perhaps not stationary: too short to tell\n";
    for (const DrawnBound& each : result_.bounds) {
      text += fmt::format("bound: {} ({} a curve that reports draw)\n", each.label,
                          each.least ? "above" : "below");
    }
    return text;
  }

  std::string x_text(const ChartValue& value) const {
    return value.x ? fmt::format("{:.4g}", *value.x) : case_of(*points_[*value.point].point);
  }

  const Chart& chart_;
  const ChartResult& result_;
  const std::vector<PointReport>& points_;
  const std::vector<std::string_view>& states_;
};

json::object line_object(const DrawnLine& line, const std::vector<PointReport>& points,
                         const std::vector<std::string_view>& states) {
  json::array x, at, value, low, high, theory, state;
  for (const ChartValue& each : line.values) {
    const PointReport& point = points[*each.point];
    const auto& interval = each.estimate.interval;
    x.push_back(json_number(each.x));
    at.emplace_back(case_of(*point.point));
    value.push_back(json_number(each.estimate.value));
    low.push_back(interval ? json_number(interval->low) : json::value(nullptr));
    high.push_back(interval ? json_number(interval->high) : json::value(nullptr));
    theory.push_back(json_number(each.theory));
    state.emplace_back(states[*each.point]);
  }
  return {{"label", line.label},     {"unit", name_of(line.unit)},  {"x", std::move(x)},
          {"at", std::move(at)},     {"value", std::move(value)},   {"low", std::move(low)},
          {"high", std::move(high)}, {"theory", std::move(theory)}, {"state", std::move(state)}};
}

json::object bound_object(const DrawnBound& bound) {
  json::array x, y;
  for (const auto& [at, value] : bound.values) {
    x.push_back(json_number(at));
    y.push_back(json_number(value));  // null where the bound has no value
  }
  return {{"label", bound.label},
          {"side", bound.least ? "above" : "below"},
          {"x", std::move(x)},
          {"y", std::move(y)}};
}

}  // namespace

std::vector<std::string_view> StudyReport::states_of_points() const {
  std::vector<std::string_view> states;
  for (const PointReport& each : points_) {
    const bool grows = !each.estimates.stationary().value_or(true);
    states.push_back(grows ? kGrows : is_doubtful(each) ? kDoubtful : std::string_view());
  }
  return states;
}

std::string StudyReport::claims_and_charts() const {
  const std::string text = claims_text() + charts_text();
  return text.substr(std::min(text.find_first_not_of('\n'), text.size()));
}

std::string StudyReport::charts_text() const {
  std::string text;
  const std::vector<std::string_view> states = states_of_points();
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    text += ChartText(study_.charts[i], charts_[i], points_, states).text();
  }
  return text;
}

json::array StudyReport::charts_array() const {
  json::array list;
  const std::vector<std::string_view> states = states_of_points();
  for (std::size_t i = 0; i < charts_.size(); ++i) {
    const Chart& chart = study_.charts[i];
    json::array lines, bounds;
    for (const DrawnLine& each : charts_[i].lines)
      lines.push_back(line_object(each, points_, states));
    for (const DrawnBound& each : charts_[i].bounds) bounds.push_back(bound_object(each));
    const bool time = chart.across == Chart::Across::time;
    list.push_back(json::object{{"id", chart.id},
                                {"title", chart.title},
                                {"x_title", chart.x_title},
                                {"y_title", chart.y_title},
                                {"across", time                                   ? "time"
                                           : chart.across == Chart::Across::cases ? "cases"
                                                                                  : "points"},
                                {"lines", std::move(lines)},
                                {"bounds", std::move(bounds)}});
  }
  return list;
}

}  // namespace photonsim::campaigns
