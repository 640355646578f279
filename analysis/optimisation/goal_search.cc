#include "analysis/optimisation/goal_search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/optimisation/bounded_search.h"
#include "analysis/optimisation/figure_model.h"
#include "analysis/optimisation/scalarisation.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

using Evaluations = std::span<const ObjectivesObservation>;

void check_figures(Evaluations evaluations, const SearchGoal& goal) {
  for (const ObjectivesObservation& each : evaluations) {
    PHOTON_CHECK(
        each.values.size() == goal.figures() && each.noise_variances.size() == goal.figures(),
        "an evaluation has a figure for each objective and bound");
  }
}

// What is to be small: the objective, or a scalarisation of several, with other weights for each
// point that is chosen.
class GoalObjective {
 public:
  GoalObjective(const SearchSpace& space, Evaluations evaluations, const SearchGoal& goal,
                std::uint64_t seed)
      : space_(space),
        evaluations_(evaluations),
        goal_(goal),
        seed_(seed),
        model_(space, observations(0)) {}

  const FigureModel& model() const { return model_; }
  // `chosen`: all points of this step; the last is the newest.
  void believe(std::span<const SearchPoint> chosen) {
    if (goal_.objectives == 1) {
      model_.believe(chosen.last(1));
    } else {
      model_ = FigureModel(space_, observations(chosen.size()), model_);
      model_.believe(chosen);
    }
  }

 private:
  std::vector<Observation> observations(std::size_t chosen) const {
    if (goal_.objectives == 1) return figure_of(evaluations_, 0);
    const std::uint64_t step = evaluations_.size() + chosen;
    return scalarised(evaluations_, scalarisation_weights(goal_.objectives, seed_, step));
  }

  const SearchSpace& space_;
  Evaluations evaluations_;
  const SearchGoal& goal_;
  std::uint64_t seed_;
  FigureModel model_;
};

std::vector<SearchPoint> points_of(Evaluations evaluations) {
  std::vector<SearchPoint> points;
  for (const ObjectivesObservation& each : evaluations) points.push_back(each.point);
  return points;
}

// By models of two evaluations or more.
std::vector<SearchPoint> modelled_points(const SearchSpace& space, Evaluations evaluations,
                                         const SearchGoal& goal, std::size_t count,
                                         const SearchOptions& options) {
  GoalObjective objective(space, evaluations, goal, options.seed);
  BoundedFigures bounded(space, evaluations, goal.objectives, goal.bounds);
  Exhausted exhausted(space, evaluations, options.most_repetitions);
  std::vector<SearchPoint> known = points_of(evaluations);
  std::vector<SearchPoint> next;
  for (;;) {
    auto point = next_bounded_point(space, objective.model(), bounded, known, exhausted);
    if (!point) return next;
    next.push_back(*std::move(point));
    if (next.size() == count) return next;
    const SearchPoint& newest = next.back();
    known.push_back(newest);
    exhausted.add(newest, objective.model().noise() + bounded.noise());
    objective.believe(next);
    bounded.believe(std::span(&newest, 1));
  }
}

// An evaluated point, as the models see it.
struct Candidate {
  std::size_t evaluation = 0;
  Objectives means{};          // of the objectives
  double log_probability = 0;  // of meeting all bounds
};

std::vector<Candidate> candidates_of(const SearchSpace& space, Evaluations evaluations,
                                     const SearchGoal& goal) {
  std::vector<FigureModel> objectives;
  for (std::size_t figure = 0; figure < goal.objectives; ++figure) {
    objectives.emplace_back(space, figure_of(evaluations, figure));
  }
  const BoundedFigures bounded(space, evaluations, goal.objectives, goal.bounds);
  std::vector<Candidate> all;
  std::set<SearchPoint> seen;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    const SearchPoint& point = evaluations[i].point;
    if (!seen.insert(space.rounded(point)).second) continue;
    Candidate& candidate = all.emplace_back();
    candidate.evaluation = i;
    for (const FigureModel& each : objectives) {
      candidate.means.push_back(each.predict(point).mean);
    }
    candidate.log_probability = bounded.log_probability(point);
  }
  return all;
}

// Worse than all of them in every objective, so that each has a volume.
Objectives reference_of(const std::vector<Candidate>& among) {
  Objectives reference = among.front().means, least = reference;
  for (const Candidate& each : among) {
    for (std::size_t i = 0; i < reference.size(); ++i) {
      reference[i] = std::max(reference[i], each.means[i]);
      least[i] = std::min(least[i], each.means[i]);
    }
  }
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double range = reference[i] - least[i];
    reference[i] += range > 0 ? range / 10 : 1;
  }
  return reference;
}

// Of the front: the one with the smallest first objective, then by what each adds.
std::vector<Candidate> spread_over_front(const std::vector<Candidate>& among, std::size_t count) {
  std::vector<Objectives> means;
  for (const Candidate& each : among) means.push_back(each.means);
  std::vector<Candidate> left, chosen;
  for (const std::size_t i : pareto_front(means)) left.push_back(among[i]);
  const Objectives reference = reference_of(among);
  std::vector<Objectives> volume;
  while (!left.empty() && chosen.size() < count) {
    const auto gain = [&](const Candidate& each) {
      std::vector<Objectives> with = volume;
      with.push_back(each.means);
      return dominated_volume(with, reference);
    };
    const auto next = chosen.empty() ? std::ranges::min_element(
                                           left, {}, [](const auto& each) { return each.means[0]; })
                                     : std::ranges::max_element(left, {}, gain);
    volume.push_back(next->means);
    chosen.push_back(std::move(*next));
    left.erase(next);
  }
  return chosen;
}

}  // namespace

std::vector<SearchPoint> next_goal_points(const SearchSpace& space, Evaluations evaluations,
                                          const SearchGoal& goal, std::size_t count,
                                          const SearchOptions& options) {
  check_figures(evaluations, goal);
  const std::size_t first = first_points_of(space, options.first_points);
  std::vector<SearchPoint> points = points_of(evaluations);
  std::vector<SearchPoint> next;
  while (next.size() < count && points.size() < first) {
    auto point = first_point(space, points, options.seed);
    if (!point) break;
    points.push_back(*point);
    next.push_back(*std::move(point));
  }
  // First points that are still to be evaluated have no value to believe in.
  if (!next.empty() || count == 0) return next;
  if (evaluations.size() > 1) return modelled_points(space, evaluations, goal, count, options);
  SearchPoint only = space.rounded(points.front());  // the space has no other
  const Exhausted exhausted(space, evaluations, options.most_repetitions);
  if (!exhausted(only)) next.push_back(std::move(only));
  return next;
}

std::vector<std::size_t> goal_candidates(const SearchSpace& space, Evaluations evaluations,
                                         const SearchGoal& goal, std::size_t count) {
  check_figures(evaluations, goal);
  PHOTON_CHECK(evaluations.size() >= 2, "models are fit to two evaluations or more");
  constexpr double kLikely = 0.5;
  std::vector<Candidate> all = candidates_of(space, evaluations, goal);
  std::vector<Candidate> meet;
  for (const Candidate& each : all) {
    if (each.log_probability >= std::log(kLikely)) meet.push_back(each);
  }
  const auto keep = [count](std::vector<Candidate>& list) {
    if (list.size() > count) list.resize(count);
  };
  if (meet.empty()) {
    meet = std::move(all);
    std::ranges::stable_sort(meet, std::ranges::greater{}, &Candidate::log_probability);
    keep(meet);
  } else if (goal.objectives > 1) {
    meet = spread_over_front(meet, count);
  } else {
    std::ranges::stable_sort(meet, {}, [](const Candidate& each) { return each.means.front(); });
    keep(meet);
  }
  std::vector<std::size_t> chosen;
  for (const Candidate& each : meet) chosen.push_back(each.evaluation);
  return chosen;
}

}  // namespace photon::analysis
