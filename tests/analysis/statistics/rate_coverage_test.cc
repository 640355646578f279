// The coverage of rates whose events come in clusters, and of the selection of the best.
#include <cstdint>
#include <utility>
#include <vector>

#include <boost/math/distributions/beta.hpp>

#include "analysis/statistics/ratios.h"
#include "analysis/statistics/selection.h"
#include "tests/analysis/statistics/coverage.h"
#include "tests/analysis/statistics/draws.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

struct CrashModel {
  int replications = 20;
  double crashes = 1.5;  // of one replication, Poisson
  double losses = 50;    // of one crash, geometric
  std::uint64_t clicks = 10'000;

  double rate() const { return crashes * losses / static_cast<double>(clicks); }
};

// Replications of unequal length: crashes and clicks are in proportion to it.
std::vector<Cluster> crashing_runs(const CrashModel& model, std::uint64_t seed) {
  Draws draws(seed, 5);
  std::vector<Cluster> runs;
  for (int run = 0; run < model.replications; ++run) {
    const double length = 0.8 + 0.4 * draws.uniform();
    Cluster cluster;
    cluster.trials = static_cast<std::uint64_t>(length * static_cast<double>(model.clicks));
    for (std::uint32_t left = draws.poisson(model.crashes * length); left > 0; --left) {
      cluster.events += draws.geometric(model.losses);
    }
    runs.push_back(cluster);
  }
  return runs;
}

// What must not be used: every click as a trial of its own.
Estimate clopper_pearson(const std::vector<Cluster>& clusters) {
  double events = 0;
  double trials = 0;
  for (const Cluster& cluster : clusters) {
    events += static_cast<double>(cluster.events);
    trials += static_cast<double>(cluster.trials);
  }
  const boost::math::beta_distribution<> lower(events, trials - events + 1);
  const boost::math::beta_distribution<> upper(events + 1, trials - events);
  const Interval interval{quantile(lower, 0.025), quantile(upper, 0.975)};
  return Estimate::with_interval(events / trials, interval, static_cast<std::uint64_t>(trials));
}

}  // namespace

TEST_CASE("coverage: a loss rate with losses clustered by crash") {
  constexpr int kRepetitions = 4'000;
  for (const auto& [replications, crashes] : {std::pair{10, 3.0}, {20, 1.5}, {100, 0.3}}) {
    const CrashModel model{.replications = replications, .crashes = crashes};
    Coverage clustered;
    Coverage plain;
    for (int repetition = 0; repetition < kRepetitions; ++repetition) {
      const auto runs = crashing_runs(model, static_cast<std::uint64_t>(repetition));
      clustered.note(clustered_rate(runs), model.rate());
      plain.note(clopper_pearson(runs), model.rate());
    }
    CAPTURE(replications);
    CHECK_COVERAGE(clustered);
    // The check can fail: Clopper-Pearson over clicks misses four times out of five.
    CHECK(plain.share() < 0.3);
  }
}

TEST_CASE("coverage: Clopper-Pearson is right for the losses that are not clustered") {
  const CrashModel single{.replications = 20, .crashes = 20, .losses = 1.0001};
  Coverage plain;
  for (int repetition = 0; repetition < 1'000; ++repetition) {
    plain.note(clopper_pearson(crashing_runs(single, static_cast<std::uint64_t>(repetition))),
               single.rate());
  }
  CHECK_COVERAGE(plain);
}

TEST_CASE("coverage: without an event the rule of three holds the rate") {
  // 0.05 crashes a run: no event in ten runs happens with probability 0.61.
  const CrashModel rare{.replications = 10, .crashes = 0.05};
  Coverage bounded;
  for (int repetition = 0; repetition < 1'000; ++repetition) {
    const Estimate rate =
        clustered_rate(crashing_runs(rare, static_cast<std::uint64_t>(repetition)));
    if (rate.value == 0) bounded.note(rate, rare.rate());
  }
  CHECK(bounded.repetitions > 500);
  CHECK(bounded.share() == 1);
}

TEST_CASE("coverage: the best of five is among the survivors, with independent and common seeds") {
  // The best leads by 0.3 of its standard deviation; the others vary more.
  constexpr int kRepetitions = 1'000;
  constexpr double kLead = 0.3;
  int kept = 0;
  int kept_paired = 0;
  std::size_t survivors = 0;
  std::size_t survivors_paired = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    Draws draws(static_cast<std::uint64_t>(repetition), 6);
    std::vector<Moments> moments(5);
    std::vector<std::vector<double>> rows(5);
    for (int replication = 0; replication < 15; ++replication) {
      const double common = draws.normal();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double spread = 1 + 0.25 * static_cast<double>(i);
        const double truth = i == 0 ? 0 : kLead;
        moments[i].add(truth + spread * draws.normal());
        rows[i].push_back(truth + common + 0.2 * spread * draws.normal());
      }
    }
    const auto best = select_best(moments);
    const auto best_paired = select_best_paired(rows);
    kept += best.front() == 0 ? 1 : 0;
    kept_paired += best_paired.front() == 0 ? 1 : 0;
    survivors += best.size();
    survivors_paired += best_paired.size();
  }
  CHECK(kept >= kRepetitions * 95 / 100);
  CHECK(kept_paired >= kRepetitions * 95 / 100);
  // Common seeds rule the others out.
  CHECK(survivors > kRepetitions * 4);
  CHECK(survivors_paired < kRepetitions * 5 / 2);
}

TEST_CASE(
    "coverage: of two equals each survives in about 95 %, so that the promise costs no more") {
  constexpr int kRepetitions = 4'000;
  int kept = 0;
  int kept_paired = 0;
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    Draws draws(static_cast<std::uint64_t>(repetition), 7);
    std::vector<Moments> moments(2);
    std::vector<std::vector<double>> rows(2);
    for (int replication = 0; replication < 10; ++replication) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].push_back((i == 0 ? 1 : 3) * draws.normal());
        moments[i].add(rows[i].back());
      }
    }
    kept += select_best(moments).front() == 0 ? 1 : 0;
    kept_paired += select_best_paired(rows).front() == 0 ? 1 : 0;
  }
  for (const int count : {kept, kept_paired}) {
    CHECK(count >= kRepetitions * 94 / 100);
    CHECK(count <= kRepetitions * 97 / 100);
  }
}

}  // namespace photon::analysis
