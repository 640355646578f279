// Points that fill the unit cube: where an experiment with several factors is to look.
//
// All are functions of their arguments, bit by bit the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace photon::analysis {

// One row for each point, one value in [0, 1) for each factor.
using Rows = std::vector<std::vector<double>>;

// Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979): each factor has a point in
// each of `size` strata of equal length, at a random place in it, in an order of its own.
Rows latin_hypercube(std::size_t size, std::size_t factors, std::uint64_t seed);

// Independent points.
Rows random_points(std::size_t size, std::size_t factors, std::uint64_t seed);

inline constexpr std::size_t kMostSobolFactors = 3667;

// The first points of Sobol's sequence with the direction numbers of Joe and Kuo (SIAM Journal on
// Scientific Computing 30, 2008), scrambled: each factor's digits by a random lower triangular
// matrix and a random shift (Matousek, Journal of Complexity 14, 1998). Each point alone is
// uniform, and together the first 2^m have one point in each of 2^m strata of every factor.
//
// factors <= kMostSobolFactors.
Rows sobol_points(std::size_t size, std::size_t factors, std::uint64_t seed);

}  // namespace photon::analysis
