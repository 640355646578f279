#include "campaigns/studies/series_figures.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "analysis/results/run_record.h"
#include "analysis/results/series_metrics.h"

namespace photonsim::campaigns {
namespace {

bool is_part_of_name(char each) {
  return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' || each == '.';
}

// "a / series.joins.first_pipeline" with the interval behind each series.
std::string with_interval(const std::string& text, std::uint64_t interval) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part_of_name(text[end])) ++end;
    const std::string word = text.substr(at, std::max<std::size_t>(end - at, 1));
    result += of_interval(word, interval);
    at += word.size();
  }
  return result;
}

}  // namespace

std::string of_interval(const std::string& name, std::uint64_t interval) {
  const bool series = photon::analysis::is_of_series(name) && name != kIntervalSeconds;
  return series ? fmt::format("{}.{:04}", name, interval) : name;
}

StudyFigure figure_of_interval(const StudyFigure& figure, std::uint64_t interval) {
  StudyFigure made = figure;
  made.figure = with_interval(figure.figure, interval);
  for (Condition::Factor& each : made.factors) each.text = with_interval(each.text, interval);
  if (made.formula) made.formula = Formula::parse(made.figure).formula;
  if (made.theory) {
    made.theory = Formula::parse(with_interval(figure.theory->text(), interval)).formula;
  }
  return made;
}

std::uint64_t intervals_of(const PointEstimates& at) {
  if (at.used().empty()) return 0;
  std::uint64_t intervals = 0;
  for (const photon::analysis::Metric& each : at.used().front()->metrics) {
    if (!photon::analysis::is_of_series(each.name)) continue;
    const std::string_view number = std::string_view(each.name).substr(each.name.rfind('.') + 1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), value);
    if (error == std::errc() && end == number.end()) intervals = std::max(intervals, value + 1);
  }
  return intervals;
}

}  // namespace photonsim::campaigns
