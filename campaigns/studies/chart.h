// A chart that a study draws of its points: [[chart]] in a study file.
//
//   [[chart]]
//   id = "Fig 11"
//   title = "A shard and a new one after the number of shards is tripled"
//   x = "run.duration / registry.gc_age"  # of keys and figures, or "case", or a formula of "time"
//   x_title = "share of N"
//   y_title = "ids"
//   line = [ { label = "shard 0", figure = "ids_held.first_shard" } ]   # at, beside, theory too
//   bound = [ { label = "waste below 5 %", formula = "x / 19.5" } ]   # what holds lies below it
//
// Over time, each line has a value for each interval of its point (run.keep_series), and `x` is a
// formula of `time`, the seconds from the start to the end of the interval.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/formula.h"
#include "campaigns/studies/study_figure.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

inline constexpr std::string_view kTime = "time";

struct ChartLine : StudyFigure {
  std::string label{};
};

// A curve over the chart's x.
struct ChartBound {
  std::string label{};
  Formula formula{};   // of `x`
  bool least = false;  // what holds lies above it
};

struct Chart {
  enum class Across : unsigned char { points, cases, time };

  std::string id{};
  std::string title{};
  std::string x_title{};
  std::string y_title{};
  Across across = Across::points;
  std::optional<Formula> x{};  // nothing: across cases
  std::vector<ChartLine> lines{};
  std::vector<ChartBound> bounds{};
  scenarios::Place place{};  // in the study file
};

}  // namespace photonsim::campaigns
