#include "analysis/optimisation/figure_model.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/optimisation/expected_improvement.h"
#include "analysis/sensitivity/designs.h"
#include "tests/analysis/optimisation/test_functions.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Two figures of a design: a wave and a slope.
std::vector<ObjectivesObservation> wave_and_slope(std::size_t count, double deviation) {
  Noise noise(3, deviation);
  std::vector<ObjectivesObservation> all;
  for (const SearchPoint& point : sobol_points(count, 2, 5)) {
    all.push_back({point,
                   {std::sin(6 * point[0]) + point[1] + noise(), point[0] - point[1] + noise()},
                   {noise.variance(), noise.variance()}});
  }
  return all;
}

}  // namespace

TEST_CASE("points believed in keep all means, take variance near them, and are not fit again") {
  const SearchSpace space = SearchSpace::of_reals(2);
  const auto evaluations = wave_and_slope(25, 0.05);
  const FigureModel before(space, figure_of(evaluations, 0));
  CHECK(before.noise() == Approx(0.0025));
  const std::vector<SearchPoint> chosen{{0.31, 0.97}, {0.99, 0.02}};
  FigureModel after = before;
  after.believe(chosen);
  for (const SearchPoint& at : sobol_points(50, 2, 8)) {
    CHECK(after.predict(at).mean == Approx(before.predict(at).mean).margin(1e-6));
    CHECK(after.predict(at).variance <= before.predict(at).variance + 1e-9);
  }
  CHECK(after.noise() == before.noise());
  for (const SearchPoint& at : chosen) {
    CHECK(before.predict(at).variance > 1e-3);
    CHECK(after.predict(at).variance < 1e-6);  // believed without noise
  }
  FigureModel singly = before;
  for (const SearchPoint& at : chosen) singly.believe(std::vector<SearchPoint>{at});
  const SearchPoint near{0.4, 0.9};
  CHECK(singly.predict(near).variance == Approx(after.predict(near).variance).epsilon(1e-6));
  CHECK(after.predict(near).variance < 0.95 * before.predict(near).variance);
}

TEST_CASE("a point is as likely to meet its bounds as the product over the bounded figures") {
  const SearchSpace space = SearchSpace::of_reals(2);
  const auto evaluations = wave_and_slope(25, 0.05);
  const BoundedFigures second(space, evaluations, 1, {0.1});
  const BoundedFigures both(space, evaluations, 0, {0.7, 0.1});
  const FigureModel wave(space, figure_of(evaluations, 0));
  const FigureModel slope(space, figure_of(evaluations, 1));
  const SearchPoint at{0.52, 0.44};
  const double one = log_probability_below(wave.predict(at), 0.7);
  const double other = log_probability_below(slope.predict(at), 0.1);
  CHECK(second.log_probability(at) == Approx(other));
  CHECK(both.log_probability(at) == Approx(one + other));
  CHECK(both.noise() == Approx(2 * 0.0025));
  const BoundedFigures none(space, evaluations, 2, {});
  CHECK(none.log_probability(at) == 0);
  CHECK(none.noise() == 0);
}

TEST_CASE("belief in a point sharpens whether its neighbours meet the bounds") {
  const SearchSpace space = SearchSpace::of_reals(2);
  const auto evaluations = wave_and_slope(12, 0.05);
  const FigureModel wave(space, figure_of(evaluations, 0));
  const SearchPoint at{0.02, 0.98};
  const Prediction before = wave.predict(at);
  BoundedFigures meets(space, evaluations, 0, {before.mean + before.standard_deviation()});
  const double doubtful = meets.log_probability(at);
  meets.believe(std::vector<SearchPoint>{at});
  CHECK(meets.log_probability(at) > doubtful);
}

}  // namespace photon::analysis
