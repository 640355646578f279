// The largest value of a function in a box near a start, without derivatives: BOBYQA (Powell, The
// BOBYQA algorithm for bound constrained optimization without derivatives, Cambridge NA2009/06)
// and, for one variable, which BOBYQA does not take, Subplex (Rowan, 1990). The only door to NLopt.
//
// Deterministic: equal arguments give equal results on one build of the program.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace photon::analysis {

struct Box {
  std::vector<double> low, high;  // low < high in each variable
};

struct BoxMaximum {
  std::vector<double> at;
  double value = 0;
};

// Never less than the value at `start`, which lies in the box and is finite. The function must not
// throw; a value that is not finite counts as the smallest so far. It is called about `evaluations`
// times at the most.
BoxMaximum maximum_in(const Box& box, std::vector<double> start,
                      const std::function<double(std::span<const double>)>& function,
                      std::size_t evaluations);

}  // namespace photon::analysis
