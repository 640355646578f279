#include "models/load_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core_impl/base/check.h"

namespace photon::models {
namespace {

double seconds_between(SimTime from, SimTime to) {
  return static_cast<double>((to - from).count()) * 1e-9;
}

}  // namespace

LoadShape::LoadShape(std::vector<Knot> knots) : knots_(std::move(knots)) {
  PHOTON_CHECK(!knots_.empty(), "a shape has a knot");
  double sum = 0;
  for (std::size_t i = 0; i < knots_.size(); ++i) {
    PHOTON_CHECK(knots_[i].factor >= 0, "a load is not negative");
    if (i > 0) {
      PHOTON_CHECK(knots_[i - 1].at <= knots_[i].at, "the knots of a shape are in order");
      sum += seconds_between(knots_[i - 1].at, knots_[i].at) *
             (knots_[i - 1].factor + knots_[i].factor) / 2;
    }
    sums_.push_back(sum);
  }
}

std::size_t LoadShape::segment_of(SimTime at) const {
  const auto after = std::ranges::upper_bound(knots_, at, {}, &Knot::at);
  const auto count = static_cast<std::size_t>(after - knots_.begin());
  return count == 0 ? 0 : count - 1;
}

double LoadShape::slope_after(std::size_t knot) const {
  if (knot + 1 == knots_.size()) return 0;
  const double length = seconds_between(knots_[knot].at, knots_[knot + 1].at);
  return length > 0 ? (knots_[knot + 1].factor - knots_[knot].factor) / length : 0;
}

double LoadShape::factor(SimTime at) const {
  const std::size_t knot = segment_of(at);
  if (at <= knots_[knot].at) return knots_[knot].factor;
  return knots_[knot].factor + slope_after(knot) * seconds_between(knots_[knot].at, at);
}

double LoadShape::sum_until(SimTime at) const {
  const std::size_t knot = segment_of(at);
  const double since = seconds_between(knots_[knot].at, at);
  if (since <= 0) return sums_[knot] + since * knots_[knot].factor;
  return sums_[knot] + since * (knots_[knot].factor + slope_after(knot) * since / 2);
}

double LoadShape::integral(SimTime from, SimTime to) const {
  PHOTON_CHECK(from <= to, "an integral goes forward");
  return std::max(0.0, sum_until(to) - sum_until(from));
}

SimTime LoadShape::moment(SimTime from, SimTime to, double share) const {
  const double target = sum_until(from) + share * integral(from, to);
  // The last knot whose sum is not above it.
  const auto after = std::ranges::upper_bound(sums_, target);
  const auto count = static_cast<std::size_t>(after - sums_.begin());
  const std::size_t knot = count == 0 ? 0 : count - 1;
  const double rest = target - sums_[knot];
  const double factor = knots_[knot].factor;
  double since = 0;
  if (rest < 0) {
    if (factor > 0) since = rest / factor;  // before the first knot
  } else if (rest > 0) {
    // factor * x + slope * x^2 / 2 = rest
    const double root = std::sqrt(std::max(0.0, factor * factor + 2 * slope_after(knot) * rest));
    // Without a load after the knot, the rest is a rounding error.
    if (factor + root > 0) since = 2 * rest / (factor + root);
  }
  const SimTime found = knots_[knot].at + Duration(static_cast<std::int64_t>(since * 1e9));
  return std::clamp(found, from, to - Duration(1));
}

double LoadShape::peak(SimTime from, SimTime to) const {
  double peak = std::max(factor(from), factor(to));
  for (const Knot& each : knots_) {
    if (from <= each.at && each.at <= to) peak = std::max(peak, each.factor);
  }
  return peak;
}

}  // namespace photon::models
