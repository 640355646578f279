#include "campaigns/studies/sensitivity.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

std::vector<std::size_t> Sensitivity::order() const {
  std::vector<std::size_t> order(std::max(effects.size(), indices.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [this](std::size_t factor) {
    return effects.empty() ? indices[factor].total.value : effects[factor].magnitude.value;
  });
  return order;
}

Sensitivity sensitivity_of(const Sample& sample, const std::string& metric, analysis::Unit unit,
                           const std::function<PointFigure(std::size_t choice)>& figure_of) {
  Sensitivity found{.metric = metric, .unit = unit};
  const std::size_t choices = 1 + *std::ranges::max_element(sample.choice_of_row);
  std::vector<double> values(choices);
  std::map<std::string, std::size_t> missing;
  for (std::size_t choice = 0; choice < choices; ++choice) {
    const PointFigure figure = figure_of(choice);
    if (figure.value) {
      values[choice] = *figure.value;
    } else {
      ++missing[figure.missing];
    }
  }
  for (const auto& [why, points] : missing) {
    found.missing += fmt::format("{}{} of {} points {}", found.missing.empty() ? "" : ", ", points,
                                 choices, why);
  }
  if (!found.missing.empty()) return found;
  std::vector<double> figures;
  for (const std::size_t choice : sample.choice_of_row) figures.push_back(values[choice]);
  if (sample.kind == DesignKind::morris) {
    analysis::Rows rows = rows_of(sample);
    for (std::vector<double>& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = sample.factors[i].position_at(row[i]);
    }
    found.effects = analysis::elementary_effects(rows, figures, sample.seed);
  } else if (sample.kind == DesignKind::saltelli) {
    found.indices = analysis::sobol_indices(sample.factors.size(), figures, sample.seed,
                                            {.designs = kSaltelliDesigns});
    if (found.indices.empty()) found.missing = "it is the same at all points";
  }
  return found;
}

}  // namespace photonsim::campaigns
