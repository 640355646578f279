// The points of a study that a claim is about.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/studies/study.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct StudyPoint;

struct ClaimPoints {
  std::vector<std::size_t> at{};  // ascending; empty: the claim has no figure
  std::optional<std::size_t> beside{};
  // For each of `at` the keys that its theory names, which are numbers there.
  std::vector<std::map<std::string, double>> keys{};
};

// Of each claim of the study. Adds a problem if its `at` selects no point, its `beside` not exactly
// one, or its theory names what is neither a figure nor a number there. A point does not stand
// beside itself.
std::vector<ClaimPoints> claim_points(const Study& study, const std::vector<StudyPoint>& points,
                                      std::vector<scenarios::Diagnostic>& problems);

}  // namespace photonsim::campaigns
