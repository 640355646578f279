#include "analysis/optimisation/box_maximum.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <nlopt.h>

#include "core_impl/base/check.h"

namespace photon::analysis {
namespace {

constexpr double kPrecision = 1e-5;  // of each variable, as a part of the box's side
constexpr double kFirstStep = 0.2;   // likewise

struct Search {
  const std::function<double(std::span<const double>)>* function;
  BoxMaximum best;
  double worst;  // so far: a far smaller number would bend the quadratic model of BOBYQA
};

double evaluate(unsigned count, const double* at, double*, void* data) {
  auto& search = *static_cast<Search*>(data);
  const std::span<const double> point(at, count);
  double value = (*search.function)(point);
  if (!std::isfinite(value)) value = search.worst;
  search.worst = std::min(search.worst, value);
  if (value > search.best.value) {
    search.best = {{point.begin(), point.end()}, value};
  }
  return value;
}

}  // namespace

BoxMaximum maximum_in(const Box& box, std::vector<double> start,
                      const std::function<double(std::span<const double>)>& function,
                      std::size_t evaluations) {
  const std::size_t count = start.size();
  PHOTON_CHECK(count > 0 && box.low.size() == count && box.high.size() == count,
               "the box has as many variables as the start");
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(
      nlopt_create(count > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX, static_cast<unsigned>(count)),
      nlopt_destroy);
  PHOTON_CHECK(optimiser != nullptr, "NLopt has the algorithm");
  std::vector<double> steps(count), tolerances(count);
  for (std::size_t i = 0; i < count; ++i) {
    steps[i] = kFirstStep * (box.high[i] - box.low[i]);
    tolerances[i] = kPrecision * (box.high[i] - box.low[i]);
  }
  Search search{&function, {start, function(start)}, 0};
  PHOTON_CHECK(std::isfinite(search.best.value), "a search starts at a finite value");
  search.worst = search.best.value;
  nlopt_set_lower_bounds(optimiser.get(), box.low.data());
  nlopt_set_upper_bounds(optimiser.get(), box.high.data());
  nlopt_set_max_objective(optimiser.get(), evaluate, &search);
  nlopt_set_initial_step(optimiser.get(), steps.data());
  nlopt_set_xtol_abs(optimiser.get(), tolerances.data());
  nlopt_set_maxeval(optimiser.get(), static_cast<int>(evaluations));
  double value = 0;
  // However it ends (rounding errors end it too), the best that it saw counts.
  nlopt_optimize(optimiser.get(), start.data(), &value);
  return search.best;
}

}  // namespace photon::analysis
