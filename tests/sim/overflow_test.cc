// Splitting of a queue that the kernel drives: it equals brute force and theory, at a hundredth of
// the events, and its intervals cover.
#include <chrono>
#include <cmath>
#include <vector>

#include "analysis/rare_events/fixed_effort.h"
#include "analysis/rare_events/replications.h"
#include "analysis/statistics/moments.h"
#include "core_impl/base/hash.h"
#include "tests/analysis/statistics/coverage.h"
#include "tests/sim/overflow_queue.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

using namespace std::chrono_literals;
using analysis::Estimate;

constexpr Duration kGap = 20ms;  // twice the service: it holds half a customer on average
constexpr Duration kService = 10ms;

// From one customer to `level` before it is empty (gambler's ruin).
double truth(std::uint64_t level) { return 1 / (std::pow(2.0, static_cast<double>(level)) - 1); }

struct Cost {
  std::uint64_t events = 0;
};

double split_once(const std::vector<std::uint64_t>& levels, std::uint64_t effort,
                  std::uint64_t seed, Cost& cost) {
  const auto follow = [&](std::uint64_t from, std::uint64_t stage, std::uint64_t trial) {
    OverflowQueue queue(kGap, kService, combine(combine(mix(seed), stage), trial));
    const auto reached = queue.run(from, levels[stage]);
    cost.events += queue.events();
    return reached;
  };
  return analysis::split<std::uint64_t>(
             {levels.size(), effort, seed},
             [&](std::uint64_t trial) { return follow(1, 0, trial); }, follow)
      .probability;
}

std::vector<std::uint64_t> levels_to(std::uint64_t last) {
  std::vector<std::uint64_t> levels;
  for (std::uint64_t level = 2; level <= last; level += 2) levels.push_back(level);
  return levels;
}

}  // namespace

TEST_CASE("splitting: a queue overflows as rarely as by brute force and theory") {
  constexpr std::uint64_t kLevel = 10, kPlain = 200'000;
  std::vector<double> estimates;
  Cost split_cost;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    estimates.push_back(split_once(levels_to(kLevel), 250, seed, split_cost));
  }
  std::uint64_t reached = 0;
  for (std::uint64_t seed = 0; seed < kPlain; ++seed) {
    OverflowQueue queue(kGap, kService, mix(seed));
    reached += queue.run(1, kLevel) ? 1 : 0;
  }
  const Estimate split = analysis::positive_mean(estimates);
  const double plain = static_cast<double>(reached) / kPlain;
  const double error = std::sqrt(plain / kPlain);
  CAPTURE(truth(kLevel), split.value, split.interval->low, split.interval->high, plain, error);
  CHECK(split.interval->contains(truth(kLevel)));
  CHECK(std::abs(plain - truth(kLevel)) < 3 * error);
}

TEST_CASE("splitting: a probability of a millionth takes a hundredth of the events and less") {
  constexpr std::uint64_t kLevel = 20;
  std::vector<double> estimates;
  Cost cost;
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    estimates.push_back(split_once(levels_to(kLevel), 100, seed, cost));
  }
  const double p = truth(kLevel);
  analysis::Moments moments;
  for (const double each : estimates) moments.add(each);
  const Estimate split = analysis::positive_mean(estimates);
  CHECK(split.interval->contains(p));
  // A plain run of this queue is short, on average: of its events those of 20,000 tell.
  std::uint64_t events = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    OverflowQueue queue(kGap, kService, mix(seed));
    queue.run(1, kLevel);
    events += queue.events();
  }
  const double per_run = static_cast<double>(events) / 20'000;
  const double plain_runs = p * (1 - p) / (moments.variance() / 32);
  const double gain = plain_runs * per_run / static_cast<double>(cost.events);
  CAPTURE(p, split.value, split.interval->low, split.interval->high, cost.events, plain_runs, gain);
  CHECK(gain > 100);
}

TEST_CASE("splitting: the interval of a rare overflow covers", "[sweep]") {
  constexpr std::uint64_t kLevel = 16;
  analysis::Coverage coverage;
  Cost cost;
  for (std::uint64_t repetition = 0; repetition < 200; ++repetition) {
    std::vector<double> estimates;
    for (std::uint64_t i = 1; i <= 16; ++i) {
      estimates.push_back(split_once(levels_to(kLevel), 60, repetition * 100 + i, cost));
    }
    coverage.note(analysis::positive_mean(estimates), truth(kLevel));
  }
  INFO("covered " << coverage.share());
  CHECK_COVERAGE(coverage);
}

}  // namespace photon::sim
