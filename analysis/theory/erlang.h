// Erlang's loss and delay formulas for c equal servers with Poisson arrivals.
//
// Source: L. Kleinrock, Queueing Systems I (1975), sections 3.5 and 3.7; the recursion over the
// number of servers is in V. B. Iversen, Teletraffic Engineering Handbook (2010). It adds and
// multiplies positive numbers only, so it neither overflows nor cancels.
#pragma once

#include <cstdint>
#include <optional>

namespace photon::analysis::theory {

// Erlang B: the fraction of customers who are lost when all servers are busy and none may wait.
// `offered_erlangs` is the arrival rate times the mean service time; any distribution of service.
// Every finite load >= 0 has a steady state; nothing for another.
std::optional<double> erlang_b(double offered_erlangs, std::uint32_t servers);

// Erlang C: the fraction of customers who wait when all may wait; exponential service.
// Nothing when unstable (offered_erlangs >= servers) or for a load that is no finite number >= 0.
std::optional<double> erlang_c(double offered_erlangs, std::uint32_t servers);

}  // namespace photon::analysis::theory
