// The point of a space where a function that is cheap to evaluate is largest: an expected
// improvement, which has many local maxima and is flat between the values of a factor.
//
// Deterministic: fixed Sobol' points over the whole space and near the given places, then climbs
// from the best of them. A climb moves real factors by maximum_in() and the others value by value.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "analysis/optimisation/search_space.h"

namespace photon::analysis {

struct AcquisitionMaximum {
  SearchPoint point{};  // rounded
  double value = 0;
};

// `function` receives rounded points only; minus infinity forbids a point. `near`: places that are
// promising, such as the best evaluated point. Nothing if all points tried are forbidden; a space
// without real factors and up to 4,096 points is tried whole.
std::optional<AcquisitionMaximum> acquisition_maximum(
    const SearchSpace& space, const std::function<double(const SearchPoint&)>& function,
    std::span<const SearchPoint> near);

}  // namespace photon::analysis
