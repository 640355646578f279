// What a study says of its search and of its Pareto front, as text and as JSON.
#include <algorithm>
#include <string>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "analysis/reports/report_text.h"
#include "campaigns/study_report.h"

namespace photonsim::campaigns {

namespace analysis = photon::analysis;
namespace json = boost::json;

std::vector<std::size_t> StudyReport::order() const {
  std::vector<std::size_t> order = engine_.confirmed();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!points_[i].confirmed) order.push_back(i);
  }
  return order;
}

std::string StudyReport::search_text() const {
  if (!study_.search) return {};
  const Search& search = *study_.search;
  std::string text =
      fmt::format("search: {} evaluated with {}, {} of them drawn before the first model\n",
                  analysis::counted(points_.size(), "point"),
                  analysis::counted(study_.least_replications, "seed"),
                  std::min<std::size_t>(search.first, points_.size()));
  const std::size_t confirmed = engine_.confirmed().size();
  if (confirmed == 0) return text + "  none confirmed yet: no point is an answer\n";
  return text + fmt::format(
                    "  the first {} of the table {} confirmed with {} that the search has "
                    "not used;\n  the others stand as the search saw them, with its luck\n",
                    analysis::counted(confirmed, "row"), confirmed == 1 ? "is" : "are",
                    analysis::counted(search.confirmations, "seed"));
}

std::string StudyReport::front_text() const {
  if (study_.pareto.empty()) return {};
  std::string metrics;
  for (const std::string& each : study_.pareto) metrics += (metrics.empty() ? "" : ", ") + each;
  if (front_.empty()) return fmt::format("Pareto front of {}: none\n", metrics) + misses_text();
  std::string text = fmt::format("Pareto front of {}, by means: {}\n", metrics,
                                 analysis::counted(front_.size(), "point"));
  for (const std::size_t point : front_) {
    text += fmt::format("  {}", points_[point].point->label);
    for (const std::string& each : study_.pareto) {
      const auto found = points_[point].estimates.of(each);
      text += fmt::format("; {}", analysis::value_text(found->unit, found->estimate.value));
    }
    text += "\n";
  }
  return text;
}

json::value StudyReport::search_value() const {
  if (!study_.search) return nullptr;
  json::array confirmed;
  for (const std::size_t point : engine_.confirmed()) {
    confirmed.emplace_back(points_[point].point->label);
  }
  return json::object{{"evaluated", points_.size()},
                      {"drawn", std::min<std::size_t>(study_.search->first, points_.size())},
                      {"fresh_from_seed", study_.first_seed + study_.least_replications},
                      {"confirmed", std::move(confirmed)}};
}

}  // namespace photonsim::campaigns
