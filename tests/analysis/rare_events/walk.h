// A random walk whose probability of reaching a level before it returns to zero is known: the
// embedded walk of an M/M/1 queue in one busy period (gambler's ruin).
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/rare_events/fixed_effort.h"
#include "core_impl/base/hash.h"
#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::analysis {

struct Walk {
  double up = 0.3;  // probability of a step up; down otherwise
  std::vector<std::int64_t> levels{};

  // From 1 to the last level before 0.
  double truth() const {
    const double odds = (1 - up) / up;
    return (odds - 1) / (std::pow(odds, static_cast<double>(levels.back())) - 1);
  }

  std::optional<std::int64_t> go(std::int64_t from, std::int64_t level, std::uint64_t seed) const {
    const RandomStream steps(seed, Purpose::test, 0);
    std::int64_t at = from;
    for (std::uint64_t step = 0; at > 0 && at < level; ++step) {
      at += unit_interval(steps.word(step)) < up ? 1 : -1;
    }
    return at >= level ? std::optional(at) : std::nullopt;
  }

  Splitting split_once(std::uint64_t effort, std::uint64_t seed) const {
    const auto seed_of = [=](std::uint64_t stage, std::uint64_t trial) {
      return combine(combine(mix(seed), stage), trial);
    };
    return split<std::int64_t>(
        {levels.size(), effort, seed},
        [&](std::uint64_t trial) { return go(1, levels.front(), seed_of(0, trial)); },
        [&](std::int64_t from, std::uint64_t stage, std::uint64_t trial) {
          return go(from, levels[stage], seed_of(stage, trial));
        });
  }
};

}  // namespace photon::analysis
