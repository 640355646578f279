// Validation of the kernel: queues that it drives have the waits of theory.
//
// Independent replications, each from an empty queue with its first customers left out. The check:
// theory lies inside the 99 % Student interval of the replications' means. It can fail: a theory
// that is 5 % off, and dependent random streams, are rejected.
#include <cmath>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

#include "analysis/theory/erlang.h"
#include "analysis/theory/queues.h"
#include "tests/sim/queue_station.h"
#include "tests/support/catch.h"

namespace photon::sim {
namespace {

namespace theory = analysis::theory;
using namespace std::chrono_literals;

constexpr std::uint64_t kReplications = 50;

// The Student interval of a mean of independent values.
struct Interval {
  double mean = 0;
  double half_width = 0;

  bool holds(double value) const { return std::abs(value - mean) <= half_width; }
};

Interval interval_99(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const boost::math::students_t student(count - 1);
  const double quantile = boost::math::quantile(student, 0.995);
  return {.mean = mean, .half_width = quantile * std::sqrt(squares / (count - 1) / count)};
}

struct Simulated {
  Interval wait_seconds;
  Interval waiting_fraction;
};

// Replication r has the seed first_seed + r.
Simulated simulate(const StationOptions& options, std::uint64_t first_seed) {
  std::vector<double> waits;
  std::vector<double> fractions;
  for (std::uint64_t run = 0; run < kReplications; ++run) {
    const StationMeans means = QueueStation(options, first_seed + run).run();
    waits.push_back(means.wait_seconds);
    fractions.push_back(means.waiting_fraction);
  }
  return {interval_99(waits), interval_99(fractions)};
}

// `utilisation` of each server, with a mean service of 10 ms. The warm-up is many times the
// relaxation time of the queue, 1 / (mu (1 - sqrt(rho))^2) for M/M/1.
StationOptions station_of(double utilisation, std::uint32_t servers) {
  const Duration service = 10ms;
  return {.gap_mean = Duration(
              std::llround(static_cast<double>(service.count()) / (utilisation * servers))),
          .service_mean = service,
          .servers = servers,
          .warm_up = 3000,
          .measured = 60'000};
}

theory::QueueLoad load_of(const StationOptions& options) {
  return {.arrivals_per_second = 1 / seconds_of(options.gap_mean),
          .service_mean_seconds = seconds_of(options.service_mean)};
}

void check_agrees(const Simulated& simulated, double wait_seconds, double waiting_fraction) {
  CAPTURE(wait_seconds, simulated.wait_seconds.mean, simulated.wait_seconds.half_width);
  CHECK(simulated.wait_seconds.holds(wait_seconds));
  CHECK_FALSE(simulated.wait_seconds.holds(1.05 * wait_seconds));
  CHECK_FALSE(simulated.wait_seconds.holds(0.95 * wait_seconds));
  CAPTURE(waiting_fraction, simulated.waiting_fraction.mean, simulated.waiting_fraction.half_width);
  CHECK(simulated.waiting_fraction.holds(waiting_fraction));
  CHECK_FALSE(simulated.waiting_fraction.holds(1.05 * waiting_fraction));
  CHECK_FALSE(simulated.waiting_fraction.holds(0.95 * waiting_fraction));
}

}  // namespace

TEST_CASE("The kernel simulates M/M/1 with the wait of theory") {
  for (const Planning planning : {Planning::one_by_one, Planning::all_ahead}) {
    CAPTURE(static_cast<int>(planning));
    StationOptions options = station_of(0.7, 1);
    options.planning = planning;
    const std::uint64_t seed = planning == Planning::one_by_one ? 1000 : 2000;
    check_agrees(simulate(options, seed), theory::mm1_means(load_of(options))->wait_seconds, 0.7);
  }
}

TEST_CASE("The kernel simulates M/D/1 with the wait of Pollaczek and Khinchine") {
  StationOptions options = station_of(0.8, 1);
  options.service_times = ServiceTimes::constant;
  check_agrees(simulate(options, 3000), theory::md1_means(load_of(options))->wait_seconds, 0.8);
}

TEST_CASE("The kernel simulates M/M/c with the wait of Erlang C") {
  for (const std::uint32_t servers : {2U, 5U}) {
    CAPTURE(servers);
    const StationOptions options = station_of(0.75, servers);
    check_agrees(simulate(options, 4000 + 1000 * servers),
                 theory::mmc_means(load_of(options), servers)->wait_seconds,
                 *theory::erlang_c(load_of(options).offered_erlangs(), servers));
  }
}

TEST_CASE("Queues whose arrivals and services share a stream fail the comparison with theory") {
  StationOptions options = station_of(0.7, 1);
  options.streams = Streams::shared;
  const Simulated simulated = simulate(options, 1000);
  CHECK_FALSE(simulated.wait_seconds.holds(theory::mm1_means(load_of(options))->wait_seconds));
}

TEST_CASE("A queue has the same waits however many of its events are pending") {
  StationOptions options = station_of(0.9, 3);
  const StationMeans few = QueueStation(options, 1).run();
  options.planning = Planning::all_ahead;
  const StationMeans many = QueueStation(options, 1).run();
  CHECK(few.wait_seconds == many.wait_seconds);
  CHECK(few.waiting_fraction == many.waiting_fraction);
}

}  // namespace photon::sim
