// What the points of a search have shown so far, as its models take them
// (analysis/optimisation/goal_search.h).
//
// Objectives are the metric that [answer] wants least of, or its keys, and those of its front; then
// come the terms of `subject_to`, and one more figure if a point failed or could not keep up: its
// bound keeps the search away from there.
//
// * A figure that is above zero at all points is modelled by its logarithm: a latency beyond
//   capacity would otherwise hide all differences below it.
// * Its noise is the variance of its mean over replications. That of a few replications is
//   itself noisy, so it is drawn to what most points have, as if that were known from kPriorDegrees
//   replications more.
// * All points share their seeds, which the models do not know: what seeds have in common moves all
//   points alike.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/optimisation/goal_search.h"
#include "campaigns/studies/estimates.h"
#include "campaigns/studies/study.h"
#include "campaigns/studies/study_plan.h"

namespace photonsim::campaigns {

struct SearchEvaluations {
  photon::analysis::SearchGoal goal{};
  std::vector<photon::analysis::ObjectivesObservation> list{};  // one for each point
};

// `places`: of the points in the search's space. Points, places and estimates go together.
SearchEvaluations search_evaluations(const Study& study, const std::vector<StudyPoint>& points,
                                     const std::vector<photon::analysis::SearchPoint>& places,
                                     const std::vector<PointEstimates>& estimates);

inline constexpr double kPriorDegrees = 4;

}  // namespace photonsim::campaigns
