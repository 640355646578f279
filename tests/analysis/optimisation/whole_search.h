// A search from its first point to its last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/optimisation/goal_search.h"

namespace photon::analysis {

struct WholeSearch {
  SearchSpace space;
  SearchGoal goal{};
  std::size_t evaluations = 0;  // at the most
  std::size_t together = 1;
  SearchOptions options{};

  std::vector<SearchPoint> next(std::span<const ObjectivesObservation> known) const {
    const std::size_t left = evaluations - known.size();
    return next_goal_points(space, known, goal, std::min(together, left), options);
  }
  // Ends early when nothing is proposed. `evaluate` gives the observation of a point.
  template <class Evaluate>
  std::vector<ObjectivesObservation> of(Evaluate evaluate) const {
    std::vector<ObjectivesObservation> known;
    while (known.size() < evaluations) {
      const std::vector<SearchPoint> points = next(known);
      if (points.empty()) break;
      for (const SearchPoint& point : points) known.push_back(evaluate(point));
    }
    return known;
  }
  // The first candidate's point.
  const SearchPoint& best(const std::vector<ObjectivesObservation>& known) const {
    return known[goal_candidates(space, known, goal, 1).front()].point;
  }
};

}  // namespace photon::analysis
