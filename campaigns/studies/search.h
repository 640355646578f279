// A search for the best configuration: points chosen one after the other, each where the ones
// before it promise most (analysis/optimisation/goal_search.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/optimisation/search_space.h"
#include "campaigns/studies/factor.h"

namespace photonsim::campaigns {

struct Search {
  std::uint64_t points = 0;    // to evaluate at the most
  std::uint64_t first = 0;     // of them, drawn before the first model
  std::uint64_t together = 1;  // chosen at a time, whatever the number of processes
  std::uint64_t seed = 1;      // of the first points
  std::uint64_t confirm = 3;   // points confirmed at the end
  std::uint64_t confirmations =
      10;                         // replications of each, with seeds that the search has not used
  std::vector<Factor> factors{};  // choices all: a range is searched at some of its values
};

// The values of each factor: those of a choice, or at most kMostValues of a range.
inline constexpr std::uint64_t kMostValues = 100;
photon::analysis::SearchSpace space_of(const Search& search);

// The values of a point by factor, as --set takes them.
std::vector<std::string> texts_at(const Search& search, const photon::analysis::SearchPoint& point);

// The points before the first model, each with other values than all before. At most
// `search.first`: a small space has fewer.
std::vector<photon::analysis::SearchPoint> first_points(const Search& search);

}  // namespace photonsim::campaigns
