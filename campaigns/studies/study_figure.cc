#include "campaigns/studies/study_figure.h"

#include <algorithm>
#include <cmath>

#include "campaigns/studies/gates.h"
#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {

std::vector<std::string> StudyFigure::figure_names() const {
  if (formula) return formula->names();
  std::vector<std::string> names;
  for (const Condition::Factor& each : factors) {
    if (!quantity_of(each.text)) names.push_back(each.text);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Dimension dimension_of(const StudyFigure& figure) {
  if (!figure.formula) return dimension_of_product(figure.factors, dimension_of_word);
  const auto scaled = [&](double seconds, double bytes) {
    double next = 1;
    return figure.formula->value([&](const std::string& name) {
      next = next * 1.37 + 1;  // no two figures alike
      const Dimension each = dimension_of_word(name);
      return next * std::pow(seconds, each.seconds) * std::pow(bytes, each.bytes);
    });
  };
  const auto power = [](const std::optional<double>& grown, const std::optional<double>& one) {
    if (!grown || !one || *one == 0 || *grown / *one <= 0) return 0;
    const double exact = std::log2(*grown / *one);
    const auto whole = static_cast<int>(std::lround(exact));
    return std::abs(exact - whole) < 1e-6 ? whole : 0;
  };
  const auto one = scaled(1, 1);
  return {power(scaled(2, 1), one), power(scaled(1, 2), one)};
}

}  // namespace photonsim::campaigns
