// Which of several points with several objectives are best: those that no other beats in all. Every
// objective is to be small.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace photon::analysis {

// By objective, finite.
using Objectives = std::vector<double>;

// True if `one` is nowhere larger than `other`, and somewhere smaller.
bool dominates(const Objectives& one, const Objectives& other);

// Indices of the points that no other dominates, in ascending order. Equal points stand together.
std::vector<std::size_t> pareto_front(std::span<const Objectives> points);

// The volume that the points dominate below `reference` (Zitzler and Thiele, IEEE Transactions on
// Evolutionary Computation 3, 1999): one number that grows as a front gets better or fuller. Points
// that are not below the reference in every objective count nothing. The time grows with the number
// of points to the power of the number of objectives: some hundred points of two or three.
double dominated_volume(std::span<const Objectives> points, const Objectives& reference);

}  // namespace photon::analysis
