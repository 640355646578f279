// A figure that a study file asks for at some of its points: what a claim is about, or a line of a
// chart.
//
//   figure = "registry.transactions / load.seconds"   # a product, or a formula (formula.h)
//   at = ["workload.registry.rate == 500"]   # every point that meets it; not stated: all points
//   beside = ["registry.max_batch_operations == 1"]   # the figure is divided by that of this point
//   theory = "1 / latency.commit.mean"       # what theory says of the figure
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaigns/studies/condition.h"
#include "campaigns/studies/dimension.h"
#include "campaigns/studies/formula.h"
#include "scenarios/schema/diagnostic.h"

namespace photonsim::campaigns {

struct StudyFigure {
  std::string figure{};                      // as it is written; empty: no run is asked
  std::vector<Condition::Factor> factors{};  // of it, if it is a product
  std::optional<Formula> formula{};          // otherwise
  std::vector<Condition> at{};               // on keys
  std::vector<Condition> beside{};           // the same; of one point
  std::optional<Formula> theory{};           // of the figure, seed by seed
  scenarios::Place place{};                  // in the study file

  // Of the figures in it, each once.
  std::vector<std::string> figure_names() const;
};

// Of a formula: by which powers it grows with its times and sizes; a number if by none.
Dimension dimension_of(const StudyFigure& figure);

}  // namespace photonsim::campaigns
