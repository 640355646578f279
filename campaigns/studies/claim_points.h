// The points of a study that a claim is about.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "campaigns/studies/study.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct StudyPoint;

struct ClaimPoints {
  std::vector<std::size_t> at{};  // ascending; empty: the claim is refused
  std::optional<std::size_t> beside{};
};

// Of each claim of the study. Adds a problem if its `at` selects no point, or its `beside` not
// exactly one. A point does not stand beside itself.
std::vector<ClaimPoints> claim_points(const Study& study, const std::vector<StudyPoint>& points,
                                      std::vector<scenarios::Diagnostic>& problems);

}  // namespace photonsim::campaigns
