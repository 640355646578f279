// Points that fill the unit cube: where an experiment with several factors is to look.
//
// All are functions of their arguments, bit by bit the same on every machine: integers until one
// last multiplication or division, which IEEE arithmetic rounds in one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace photon::analysis {

// One row for each point, one value in [0, 1) for each factor.
using Rows = std::vector<std::vector<double>>;

inline constexpr std::size_t kMostHypercubePoints = std::size_t{1} << 20U;

// Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979): each factor has a point in
// each of `size` strata of equal length, at a random place in it, in an order of its own.
//
// size <= kMostHypercubePoints.
Rows latin_hypercube(std::size_t size, std::size_t factors, std::uint64_t seed);

// Independent points.
Rows random_points(std::size_t size, std::size_t factors, std::uint64_t seed);

inline constexpr std::size_t kMostSobolFactors = 3667;

// The first points of Sobol's sequence, its origin included, with the direction numbers of Joe and
// Kuo (SIAM Journal on Scientific Computing 30, 2008), scrambled: each factor's digits by a random
// lower triangular matrix and a random shift (Matousek, Journal of Complexity 14, 1998). Each point
// alone is uniform. The first 2^m have one point in each of 2^m strata of every factor, and of the
// first two factors one in each of 2^m equal boxes of any shape with sides of powers of two: leave
// none out, and take a power of two (Owen, "On dropping the first Sobol' point", 2020).
//
// factors <= kMostSobolFactors.
Rows sobol_points(std::size_t size, std::size_t factors, std::uint64_t seed);

// The rows of `count` designs of `size` points, one after the other, each scrambled on its own:
// means over designs are independent and tell the error of their mean.
Rows independent_sobol_points(std::size_t count, std::size_t size, std::size_t factors,
                              std::uint64_t seed);

}  // namespace photon::analysis
