// The run over time in block characters.
#include <optional>
#include <vector>

#include "analysis/reports/over_time_text.h"
#include "analysis/reports/report_text.h"
#include "tests/support/catch.h"

using namespace photon::analysis;
using Catch::Contains;

TEST_CASE("spark line: eight heights up to the greatest value, a blank for nothing") {
  CHECK(spark_line(std::vector<double>{}).empty());
  CHECK(spark_line(std::vector<double>{0, 0}) == "  ");
  CHECK(spark_line(std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8}) == " ▁▂▃▄▅▆▇█");
  CHECK(spark_line(std::vector<double>{0.001, 100}) == "▁█");  // little is not nothing
  CHECK(spark_line(std::vector<std::optional<double>>{0, std::nullopt, 8}) == " ·█");
}

TEST_CASE("spark lines: many intervals share a character; joins are means, a backlog its peak") {
  TimeSeries series;
  series.interval_seconds = 10;
  constexpr std::size_t kIntervals = 96;  // two in a character
  series.offered.assign(kIntervals, 100);
  series.served.assign(kIntervals, 100);
  PipelineSeries& pipeline = series.pipelines.emplace_back();
  pipeline.where = "us-east1";
  pipeline.joins.assign(kIntervals, 0);
  pipeline.joins[0] = 80;  // 8 a second over one interval, 4 over the character
  pipeline.backlog.assign(kIntervals, 0);
  pipeline.backlog[95] = 1'234;
  Lines lines;
  put_spark_lines(series, lines);
  const std::string text = lines.take();
  INFO(text);
  const std::string blanks(47, ' ');
  CHECK_THAT(text, Contains("over time (20.0 s a character)\n"));
  CHECK_THAT(text, Contains("joined/s   us-east1      █" + blanks + "  most 4.00\n"));
  CHECK_THAT(text, Contains("backlog    us-east1      " + blanks + "█  most 1,234\n"));
}

TEST_CASE("spark lines: of a registry alone what was asked and answered; nothing without samples") {
  Lines none;
  put_spark_lines({}, none);
  CHECK(none.take().empty());
  TimeSeries series;
  series.interval_seconds = 1;
  series.offered = {10, 20};
  series.served = {5, 20};
  Lines lines;
  put_spark_lines(series, lines);
  CHECK_THAT(lines.take(), Contains("offered/s                ▄█  most 20.0\n") &&
                               Contains("served/s                 ▂█  most 20.0\n"));
}
