// Random numbers and queues with known truth for the tests of statistics.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core_impl/base/random.h"
#include "core_impl/base/samplers.h"

namespace photon::analysis {

// A stream of its own for each (seed, entity); the next draw is the next ordinal.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t entity) : stream_(seed, Purpose::test, entity) {}

  double uniform() { return unit_interval(stream_.word(next_++)); }
  double exponential(double mean) { return -mean * reproducible_log(uniform()); }
  double normal() { return normal_quantile(uniform()); }
  std::uint32_t poisson(double mean) { return photon::poisson(stream_.word(next_++), mean); }
  // From 1, with this mean.
  std::uint64_t geometric(double mean) {
    const double skips = reproducible_log(uniform()) / reproducible_log(1 - 1 / mean);
    return 1 + static_cast<std::uint64_t>(skips);
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

// M/M/1 by Lindley's recursion, one customer a step. Waiting has the mean rho / (mu - lambda), the
// time in the system is exponential with rate mu - lambda.
class Queue {
 public:
  // Queues of one seed share their arrivals and, up to the rate, their services.
  Queue(std::uint64_t seed, double arrival_rate, double service_rate, double first_wait = 0)
      : arrivals_(seed, 1),
        services_(seed, 2),
        arrival_rate_(arrival_rate),
        service_rate_(service_rate),
        wait_(first_wait) {}

  struct Customer {
    double wait = 0;
    double sojourn = 0;
  };
  Customer next() {
    const double service = services_.exponential(1 / service_rate_);
    const Customer customer{wait_, wait_ + service};
    wait_ = std::max(0.0, customer.sojourn - arrivals_.exponential(1 / arrival_rate_));
    return customer;
  }
  void delete_warm_up(int customers) {
    for (int i = 0; i < customers; ++i) next();
  }
  double mean_wait(int customers) {
    double sum = 0;
    for (int i = 0; i < customers; ++i) sum += next().wait;
    return sum / customers;
  }

 private:
  Draws arrivals_;
  Draws services_;
  double arrival_rate_;
  double service_rate_;
  double wait_;
};

inline double mean_wait_of(double arrival_rate, double service_rate) {
  return arrival_rate / service_rate / (service_rate - arrival_rate);
}

}  // namespace photon::analysis
