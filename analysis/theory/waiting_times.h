// Quantiles of the wait and of the sojourn, where their distribution has a closed form.
//
// First come first served; `fraction` in [0, 1), 0.99 for the p99. Each function returns nothing
// for another fraction, and where the means of queues.h have no value. Below the fraction of
// customers who need not wait, the quantile of the wait is 0.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/theory/queues.h"

namespace photon::analysis::theory {

// Gross et al., Fundamentals of Queueing Theory, 4th ed. (2008), section 2.2:
// P(wait > t) = rho e^(-(mu - lambda) t); the sojourn is exponential with rate mu - lambda.
std::optional<double> mm1_wait_quantile_seconds(const QueueLoad& load, double fraction);
std::optional<double> mm1_sojourn_quantile_seconds(const QueueLoad& load, double fraction);

// Gross et al., section 2.3: P(wait > t) = C(c, a) e^(-(c mu - lambda) t), with Erlang's C; the
// sojourn adds an independent exponential service.
std::optional<double> mmc_wait_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                double fraction);
std::optional<double> mmc_sojourn_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                   double fraction);

// Gross et al., section 2.5, of the admitted: an arrival that finds n >= c customers waits for
// n - c + 1 departures, each exponential with rate c mu.
std::optional<double> mmck_wait_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                 std::uint32_t places, double fraction);

// G. J. Franx, "A simple solution for the M/D/c waiting time distribution", Operations Research
// Letters 29 (2001) 221-229, with one server. Unlike Erlang's alternating sum it has positive terms
// only. The sojourn is the wait and the constant service.
std::optional<double> md1_wait_quantile_seconds(const QueueLoad& load, double fraction);
std::optional<double> md1_sojourn_quantile_seconds(const QueueLoad& load, double fraction);

}  // namespace photon::analysis::theory
