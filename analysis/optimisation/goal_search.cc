#include "analysis/optimisation/goal_search.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/optimisation/bounded_search.h"
#include "analysis/optimisation/evaluated_points.h"
#include "analysis/optimisation/expected_improvement.h"
#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

using Evaluations = std::span<const ObjectivesObservation>;

// Objectives scalarised into one figure, and the figures with bounds.
std::vector<ObjectivesObservation> with_one_objective(Evaluations evaluations,
                                                      const SearchGoal& goal,
                                                      const SearchOptions& options) {
  const auto first = static_cast<std::ptrdiff_t>(goal.objectives);
  std::vector<ObjectivesObservation> objectives;
  for (const ObjectivesObservation& each : evaluations) {
    objectives.push_back({each.point,
                          {each.values.begin(), each.values.begin() + first},
                          {each.noise_variances.begin(), each.noise_variances.begin() + first}});
  }
  const auto weights = scalarisation_weights(goal.objectives, options.seed, evaluations.size());
  const auto scalars = scalarised(objectives, weights);
  std::vector<ObjectivesObservation> all;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    ObjectivesObservation& one = all.emplace_back();
    one.point = evaluations[i].point;
    one.values = {scalars[i].value};
    one.noise_variances = {scalars[i].noise_variance};
    for (std::size_t figure = goal.objectives; figure < goal.figures(); ++figure) {
      one.values.push_back(evaluations[i].values[figure]);
      one.noise_variances.push_back(evaluations[i].noise_variances[figure]);
    }
  }
  return all;
}

// As if the point had been evaluated with what the models expect there.
ObjectivesObservation believed(const SearchSpace& space, Evaluations evaluations,
                               const SearchGoal& goal, const SearchPoint& point) {
  ObjectivesObservation one{.point = point};
  for (std::size_t figure = 0; figure < goal.figures(); ++figure) {
    const std::vector<Observation> known = figure_of(evaluations, figure);
    one.values.push_back(GaussianProcess(space, known).predict(point).mean);
    one.noise_variances.push_back(usual_noise(known));
  }
  return one;
}

// An evaluated point, as the models see it.
struct Candidate {
  std::size_t evaluation = 0;
  Objectives means{};          // of the objectives
  double log_probability = 0;  // of meeting all bounds
};

std::vector<Candidate> candidates_of(const SearchSpace& space, Evaluations evaluations,
                                     const SearchGoal& goal) {
  std::vector<Candidate> all;
  std::set<SearchPoint> seen;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    if (seen.insert(space.rounded(evaluations[i].point)).second) all.push_back({.evaluation = i});
  }
  for (std::size_t figure = 0; figure < goal.figures(); ++figure) {
    const GaussianProcess model(space, figure_of(evaluations, figure));
    for (Candidate& each : all) {
      const Prediction prediction = model.predict(evaluations[each.evaluation].point);
      if (figure < goal.objectives) {
        each.means.push_back(prediction.mean);
      } else {
        each.log_probability +=
            log_probability_below(prediction, goal.bounds[figure - goal.objectives]);
      }
    }
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
  for (const ObjectivesObservation& each : evaluations) {
    PHOTON_CHECK(
        each.values.size() == goal.figures() && each.noise_variances.size() == goal.figures(),
        "an evaluation has a figure for each objective and bound");
  }
  const std::size_t first = first_points_of(space, options.first_points);
  std::vector<Observation> points = figure_of(evaluations, 0);
  std::vector<SearchPoint> next;
  while (next.size() < count && points.size() < first) {
    auto point = first_point(space, points, options.seed);
    if (!point) break;
    points.push_back({*point});
    next.push_back(std::move(*point));
  }
  if (!next.empty()) return next;
  std::vector<ObjectivesObservation> known(evaluations.begin(), evaluations.end());
  while (next.size() < count && known.size() >= 2) {
    auto point =
        next_bounded_point(space, with_one_objective(known, goal, options), goal.bounds, options);
    if (!point) break;
    next.push_back(*point);
    if (next.size() < count) known.push_back(believed(space, known, goal, *point));
  }
  return next;
}

std::vector<std::size_t> goal_candidates(const SearchSpace& space, Evaluations evaluations,
                                         const SearchGoal& goal, std::size_t count) {
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
