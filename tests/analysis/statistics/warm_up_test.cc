#include "analysis/statistics/warm_up.h"

#include <vector>

#include <rapidcheck.h>

#include "tests/analysis/statistics/draws.h"
#include "tests/support/catch.h"

namespace photon::analysis {
namespace {

// Five observations with this mean for each batch.
std::vector<double> series_of(const std::vector<double>& batches) {
  std::vector<double> series;
  for (const double mean : batches) {
    for (const double apart : {-2.0, 2.0, 0.0, -1.0, 1.0}) series.push_back(mean + apart);
  }
  return series;
}

// The definition, batch by batch.
double mser(const std::vector<double>& batches, std::size_t first) {
  const auto remain = static_cast<double>(batches.size() - first);
  double sum = 0;
  for (std::size_t i = first; i < batches.size(); ++i) sum += batches[i];
  double squares = 0;
  for (std::size_t i = first; i < batches.size(); ++i) {
    squares += (batches[i] - sum / remain) * (batches[i] - sum / remain);
  }
  return squares / (remain * remain);
}

}  // namespace

TEST_CASE("warm-up: the first batch is cut where it alone is far off") {
  // MSER: 96.9 / 100 with all ten, (80 / 9) / 81 without the first, 8 / 64 without two.
  const auto warm_up = mser5(series_of({10, 1, -1, 1, -1, 1, -1, 1, -1, 1}));
  REQUIRE(warm_up);
  CHECK(warm_up.value().length == 5);
  CHECK(warm_up.value().statistic == Approx(80.0 / 729));
}

TEST_CASE("warm-up: a constant series has none") {
  const auto warm_up = mser5(std::vector<double>(200, 4.5));
  REQUIRE(warm_up);
  CHECK(warm_up.value().length == 0);
}

TEST_CASE("warm-up: a short series and one that still moves are refused") {
  CHECK(mser5(std::vector<double>(49, 1)).error() == WarmUpRefusal::series_too_short);
  CHECK(mser5(std::vector<double>(50, 1)));
  for (const int length : {50, 55, 500}) {
    std::vector<double> growing;
    for (int i = 0; i < length; ++i) growing.push_back(i);
    CHECK(mser5(growing).error() == WarmUpRefusal::minimum_in_second_half);
  }
}

TEST_CASE("warm-up: no other candidate has a smaller statistic") {
  CHECK(rc::check("minimum", [] {
    const auto drawn =
        *rc::gen::container<std::vector<int>>(*rc::gen::inRange(10, 60), rc::gen::inRange(-50, 50));
    const std::vector<double> batches(drawn.begin(), drawn.end());
    const auto warm_up = mser5(series_of(batches));
    std::size_t best = 0;
    for (std::size_t first = 0; first + 5 <= batches.size(); ++first) {
      if (mser(batches, first) < mser(batches, best) - 1e-9) best = first;
    }
    if (!warm_up) {
      RC_ASSERT(2 * best + 1 >= batches.size());
      return;
    }
    RC_ASSERT(warm_up.value().statistic == Approx(mser(batches, best)).margin(1e-9));
    RC_ASSERT(warm_up.value().length * 2 < batches.size() * kWarmUpBatch);
  }));
}

TEST_CASE("warm-up: a queue that begins with a backlog is cut where it is gone") {
  // The means over 50 runs: the first customer waits 60, in equilibrium 1.5.
  constexpr int kRuns = 50;
  std::vector<double> waits(2000);
  for (int run = 0; run < kRuns; ++run) {
    Queue queue(static_cast<std::uint64_t>(run), 0.6, 1, 60);
    for (double& wait : waits) wait += queue.next().wait / kRuns;
  }
  const auto warm_up = mser5(waits);
  REQUIRE(warm_up);
  // The backlog of 60 shrinks by 1 - 0.6 a unit of time, 0.6 customers in each: 90 customers.
  CHECK(warm_up.value().length >= 60);
  CHECK(warm_up.value().length <= 250);
}

}  // namespace photon::analysis
