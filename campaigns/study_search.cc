#include "campaigns/study_search.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace photonsim::campaigns {

namespace analysis = photon::analysis;

StudySearch::StudySearch(StudyEngine& engine, OnGrowth on_growth)
    : engine_(engine),
      search_(*engine.plan().study().search),
      on_growth_(std::move(on_growth)),
      places_(first_points(search_)) {}

void StudySearch::run() {
  do {
    engine_.run();
    if (engine_.error_code() != 0) return;
  } while (choose_more());
  if (engine_.error_code() != 0 || stopped_) return;
  confirm();
  engine_.run();
}

SearchEvaluations StudySearch::evaluations() const {
  std::vector<PointEstimates> estimates;
  // Without the confirmations, which a results file may have already.
  const std::uint64_t least = engine_.plan().study().least_replications;
  for (std::size_t point = 0; point < places_.size(); ++point) {
    const std::span<const std::optional<analysis::RunRecord>> all = engine_.runs()[point];
    estimates.emplace_back(all.first(std::min<std::size_t>(least, all.size())));
  }
  return search_evaluations(engine_.plan().study(), engine_.plan().points(), places_, estimates);
}

bool StudySearch::choose_more() {
  if (places_.size() >= search_.points) return false;
  const std::uint64_t count =
      std::min<std::uint64_t>(search_.together, search_.points - places_.size());
  const SearchEvaluations known = evaluations();
  // A point is evaluated once: more replications belong to the confirmation.
  const analysis::SearchOptions options{
      .first_points = 2, .most_repetitions = 1, .seed = search_.seed};
  const auto next = analysis::next_goal_points(space_of(search_), known.list, known.goal,
                                               static_cast<std::size_t>(count), options);
  std::vector<Choice> choices;
  for (const analysis::SearchPoint& each : next) {
    choices.push_back(choice_at(search_, each));
    places_.push_back(each);
  }
  if (choices.empty() || !engine_.grow(choices)) return false;
  stopped_ = !on_growth_();
  return !stopped_;
}

void StudySearch::confirm() {
  const SearchEvaluations known = evaluations();
  if (known.list.size() < 2) return;
  engine_.confirm(analysis::goal_candidates(space_of(search_), known.list, known.goal,
                                            static_cast<std::size_t>(search_.confirm)));
}

}  // namespace photonsim::campaigns
