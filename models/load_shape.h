// How a load changes over a run: a factor for each moment, piecewise linear.
//
// Integrals and moments are computed with IEEE add, multiply, divide and square root alone, so they
// have the same bits on every machine (DESIGN 5).
#pragma once

#include <vector>

#include "core_impl/base/time.h"

namespace photon::models {

class LoadShape {
 public:
  struct Knot {
    SimTime at{};
    double factor = 1;
    bool operator==(const Knot&) const = default;
  };

  // Linear between two knots; the factor jumps where two knots have one time. Before the first knot
  // and after the last the factor is theirs. Requires knots with ascending times and factors >= 0.
  explicit LoadShape(std::vector<Knot> knots);

  // After the jump, where there is one.
  double factor(SimTime at) const;
  // The integral of the factor over [from, to), in seconds. Requires from <= to.
  double integral(SimTime from, SimTime to) const;
  // The moment in [from, to) before which that share of the integral lies. Requires a share in
  // [0, 1), and from < to.
  SimTime moment(SimTime from, SimTime to, double share) const;
  // The greatest factor in [from, to).
  double peak(SimTime from, SimTime to) const;
  const std::vector<Knot>& knots() const { return knots_; }

 private:
  double sum_until(SimTime at) const;          // of the factor since the first knot, in seconds
  std::size_t segment_of(SimTime at) const;    // the last knot at or before it; else the first
  double slope_after(std::size_t knot) const;  // per second; 0 after the last

  std::vector<Knot> knots_;
  std::vector<double> sums_;  // of the factor, until each knot
};

}  // namespace photon::models
