// What a drawn study says of each of its keys: how much a figure changes with it, or what share of
// the figure's variance it explains.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/reports/figure.h"
#include "analysis/sensitivity/morris.h"
#include "analysis/sensitivity/sobol_indices.h"
#include "campaigns/studies/sample.h"

namespace photonsim::campaigns {

struct Sensitivity {
  std::string metric{};
  photon::analysis::Unit unit = photon::analysis::Unit::count;
  std::vector<photon::analysis::ElementaryEffects> effects{};  // of morris, by factor
  std::vector<photon::analysis::SobolIndices> indices{};       // of saltelli, by factor
  // Why there are none of either; empty: there are.
  std::string missing{};

  // The factors, the one that matters most first.
  std::vector<std::size_t> order() const;
};

// A figure of a point, or why it has none.
struct PointFigure {
  std::optional<double> value{};
  std::string missing{};  // "cannot keep up"
};

// `figure_of`: of the point that a choice of the study's axis became.
Sensitivity sensitivity_of(const Sample& sample, const std::string& metric,
                           photon::analysis::Unit unit,
                           const std::function<PointFigure(std::size_t choice)>& figure_of);

// Designs whose every point counts: `where` must not leave one out.
constexpr bool needs_all_points(DesignKind kind) {
  return kind == DesignKind::morris || kind == DesignKind::saltelli;
}

}  // namespace photonsim::campaigns
