// The points of a study that one of its figures is about: of a claim, or of a line of a chart.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/studies/study.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct StudyPoint;

// Lines of charts over time begin after the warm-up, in which no click is generated, and end with
// the load, as what drains after it is no steady state.
inline constexpr std::string_view kRunDuration = "run.duration";
inline constexpr std::string_view kRunWarmUp = "run.warm_up";

struct FigurePoints {
  std::vector<std::size_t> at{};  // ascending; empty: no run is asked
  std::optional<std::size_t> beside{};
  // For each of `at` the keys that its formulas name, which are numbers there; over time the length
  // of the run too.
  std::vector<std::map<std::string, double>> keys{};
};

// Of each claim of the study, and of each line of each chart. Adds a problem if its `at` selects no
// point, its `beside` not exactly one, or its theory names what is neither a figure nor a number
// there. A point does not stand beside itself.
std::vector<FigurePoints> claim_points(const Study& study, const std::vector<StudyPoint>& points,
                                       std::vector<scenarios::Diagnostic>& problems);
std::vector<std::vector<FigurePoints>> chart_points(const Study& study,
                                                    const std::vector<StudyPoint>& points,
                                                    std::vector<scenarios::Diagnostic>& problems);

}  // namespace photonsim::campaigns
