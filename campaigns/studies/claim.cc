#include "campaigns/studies/claim.h"

#include <algorithm>

#include "campaigns/studies/metric_names.h"

namespace photonsim::campaigns {

std::vector<std::string> Claim::figure_names() const {
  if (formula) return formula->names();
  std::vector<std::string> names;
  for (const Condition::Factor& each : factors) {
    if (is_metric(each.text)) names.push_back(each.text);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace photonsim::campaigns
