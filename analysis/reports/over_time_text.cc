#include "analysis/reports/over_time_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "analysis/reports/report_text.h"

namespace photon::analysis {
namespace {

constexpr std::size_t kWidthMost = 48;
constexpr std::size_t kPipelinesMost = 6;

std::size_t intervals_in_one(std::size_t intervals) {
  return (intervals + kWidthMost - 1) / kWidthMost;
}

// `merge` makes one value of the intervals of a character.
template <class Merge>
std::vector<double> merged(const std::vector<std::uint64_t>& values, const Merge& merge) {
  const std::size_t step = intervals_in_one(values.size());
  std::vector<double> result;
  for (std::size_t from = 0; from < values.size(); from += step) {
    result.push_back(merge(std::span(values).subspan(from, std::min(step, values.size() - from))));
  }
  return result;
}

std::vector<double> rates(const std::vector<std::uint64_t>& counts, double seconds) {
  return merged(counts, [&](std::span<const std::uint64_t> part) {
    const auto sum = std::accumulate(part.begin(), part.end(), std::uint64_t{0});
    return static_cast<double>(sum) / (seconds * static_cast<double>(part.size()));
  });
}

std::vector<double> peaks(const std::vector<std::uint64_t>& values) {
  return merged(values, [](std::span<const std::uint64_t> part) {
    return static_cast<double>(std::ranges::max(part));
  });
}

void put_row(std::string_view what, std::string_view where, const std::vector<double>& values,
             Lines& lines) {
  const double most = values.empty() ? 0 : std::ranges::max(values);
  lines.title(fmt::format(
      "  {:<11}{:<14}{}  most {}", what, where, spark_line(values),
      most >= 1000 ? grouped(static_cast<std::uint64_t>(std::llround(most))) : three_digits(most)));
}

}  // namespace

std::string spark_line(std::span<const double> values) {
  return spark_line(std::vector<std::optional<double>>(values.begin(), values.end()));
}

std::string spark_line(std::span<const std::optional<double>> values) {
  static constexpr std::array<std::string_view, 9> kHeights{" ", "▁", "▂", "▃", "▄",
                                                            "▅", "▆", "▇", "█"};
  double most = 0;
  for (const std::optional<double>& value : values) most = std::max(most, value.value_or(0));
  std::string line;
  for (const std::optional<double>& value : values) {
    if (!value) {
      line += "·";
      continue;
    }
    const double height = most > 0 ? std::ceil(8 * *value / most) : 0;
    line += kHeights.at(static_cast<std::size_t>(std::clamp(height, 0.0, 8.0)));
  }
  return line;
}

void put_spark_lines(const TimeSeries& series, Lines& lines) {
  if (series.interval_seconds <= 0 || series.offered.size() < 2) return;
  const std::size_t step = intervals_in_one(series.offered.size());
  lines.title(fmt::format("over time ({} a character)",
                          spoken(series.interval_seconds * static_cast<double>(step))));
  const bool clicks = std::ranges::any_of(series.pipelines, [](const PipelineSeries& each) {
    return std::ranges::any_of(each.joins, [](std::uint64_t joins) { return joins > 0; });
  });
  if (!clicks || series.pipelines.size() > kPipelinesMost) {
    put_row("offered/s", "", rates(series.offered, series.interval_seconds), lines);
    put_row("served/s", "", rates(series.served, series.interval_seconds), lines);
  } else {
    for (const PipelineSeries& each : series.pipelines) {
      put_row("joined/s", each.where, rates(each.joins, series.interval_seconds), lines);
    }
    for (const PipelineSeries& each : series.pipelines) {
      put_row("backlog", each.where, peaks(each.backlog), lines);
    }
  }
  lines.blank();
}

}  // namespace photon::analysis
