#include "analysis/sensitivity/saltelli.h"

#include <cstddef>
#include <vector>

#include "core_impl/base/check.h"

namespace photon::analysis {

Rows saltelli_rows(const Rows& halves) {
  Rows rows;
  for (const std::vector<double>& both : halves) {
    PHOTON_CHECK(both.size() % 2 == 0, "a row has two points of equally many factors");
    const std::size_t factors = both.size() / 2;
    const auto middle = both.begin() + static_cast<std::ptrdiff_t>(factors);
    const std::vector<double> first(both.begin(), middle), second(middle, both.end());
    rows.push_back(first);
    rows.push_back(second);
    for (std::size_t factor = 0; factor < factors; ++factor) {
      rows.push_back(first);
      rows.back()[factor] = second[factor];
    }
  }
  return rows;
}

}  // namespace photon::analysis
