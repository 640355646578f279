#include "campaigns/studies/search.h"

#include <utility>

#include "analysis/optimisation/goal_search.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

analysis::SearchSpace space_of(const Search& search) {
  std::vector<std::size_t> values;
  for (const Factor& each : search.factors) values.push_back(each.values.size());
  return analysis::SearchSpace(std::move(values));
}

std::vector<std::string> texts_at(const Search& search, const analysis::SearchPoint& point) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < search.factors.size(); ++i) {
    texts.push_back(search.factors[i].text_at(point[i]));
  }
  return texts;
}

std::vector<analysis::SearchPoint> first_points(const Search& search) {
  return analysis::next_goal_points(space_of(search), {}, {}, search.first,
                                    {.first_points = search.first, .seed = search.seed});
}

}  // namespace photonsim::campaigns
