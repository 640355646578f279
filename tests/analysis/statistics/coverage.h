// How often an interval contains the truth over many independent repetitions.
#pragma once

#include "analysis/statistics/interval.h"
#include "tests/support/catch.h"

namespace photon::analysis {

struct Coverage {
  int repetitions = 0;
  int given = 0;    // with an interval
  int covered = 0;  // whose interval contains the truth

  void note(const Estimate& estimate, double truth) {
    ++repetitions;
    given += estimate.interval ? 1 : 0;
    covered += estimate.interval && estimate.interval->contains(truth) ? 1 : 0;
  }
  double share() const { return static_cast<double>(covered) / repetitions; }
};

}  // namespace photon::analysis

// A nominal 95 % interval, given every time, covers in 92 % to 98 %. A failure shows the share.
#define CHECK_COVERAGE(coverage)                       \
  do {                                                 \
    CHECK((coverage).given == (coverage).repetitions); \
    CHECK((coverage).share() >= 0.92);                 \
    CHECK((coverage).share() <= 0.98);                 \
  } while (false)
