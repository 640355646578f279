// Means of queues with Poisson arrivals in steady state, first come first served.
//
// The names are Kendall's: arrivals / service / servers / places in the system, M for exponential,
// D for constant, G for any distribution. Source: L. Kleinrock, Queueing Systems I (1975), chapters
// 3 and 5; D. Gross et al., Fundamentals of Queueing Theory, 4th ed. (2008), chapters 2 and 5.
//
// Every function returns nothing when the queue has no steady state (utilisation >= 1), and for
// arguments that describe no queue: a rate, time or variation that is negative or not finite, a
// service time of zero, no server. It never returns NaN.
#pragma once

#include <cstdint>
#include <optional>

namespace photon::analysis::theory {

struct QueueLoad {
  double arrivals_per_second = 0;
  double service_mean_seconds = 0;

  // Mean number of busy servers if all customers are served.
  double offered_erlangs() const { return arrivals_per_second * service_mean_seconds; }
};

struct QueueMeans {
  double utilisation = 0;      // of one server, in [0, 1)
  double wait_seconds = 0;     // from arrival to the start of service
  double sojourn_seconds = 0;  // wait and service
  double queue = 0;            // customers who wait, without those in service
};

// Kleinrock 3.2.
std::optional<QueueMeans> mm1_means(const QueueLoad& load);
// Kleinrock 3.5: wait = C(c, a) / (c mu - lambda), with Erlang's C.
std::optional<QueueMeans> mmc_means(const QueueLoad& load, std::uint32_t servers);
// The case of mg1_means without variation: half the wait of M/M/1.
std::optional<QueueMeans> md1_means(const QueueLoad& load);
// Pollaczek and Khinchine, Kleinrock chapter 5: wait = rho s (1 + cv^2) / (2 (1 - rho)).
// `service_cv_squared`: variance of the service time over the square of its mean.
std::optional<QueueMeans> mg1_means(const QueueLoad& load, double service_cv_squared);

// A queue that refuses customers when its places are taken.
struct FiniteQueueMeans {
  QueueMeans admitted{};        // of the customers who were admitted; utilisation may reach 1
  double refused_fraction = 0;  // of all who arrive
  double served_per_second = 0;
};

// M/M/c/K, Gross et al. 2.5: `places` is K, those in service included. Stable under every load;
// nothing also for places < servers.
std::optional<FiniteQueueMeans> mmck_means(const QueueLoad& load, std::uint32_t servers,
                                           std::uint32_t places);

}  // namespace photon::analysis::theory
