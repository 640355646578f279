#include "analysis/theory/waiting_times.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

#include "analysis/theory/deterministic_wait.h"
#include "analysis/theory/erlang.h"
#include "analysis/theory/finite_states.h"
#include "analysis/theory/quantile_search.h"
#include "analysis/theory/queue_domain.h"

namespace photon::analysis::theory {
namespace {

// P(X + Y > t) for independent exponentials with these rates: with the smaller rate s and the
// greater g, e^(-s t) (1 + s (1 - e^(-(g - s) t)) / (g - s)), which has a limit where they meet.
double tail_of_two_exponentials(double one_per_second, double other_per_second, double seconds) {
  const double slow = std::min(one_per_second, other_per_second);
  const double apart = std::max(one_per_second, other_per_second) - slow;
  const double grown = apart > 0 ? -std::expm1(-apart * seconds) / apart : seconds;
  return std::exp(-slow * seconds) * (1 + slow * grown);
}

// The wait of an admitted customer is a mixture of Erlang distributions: P(wait > t) is the sum
// over n of q(n) P(fewer than n - c + 1 departures by t). `found`: q, the states that the admitted
// find.
double mmck_wait_tail(const std::vector<double>& found, std::uint32_t servers,
                      double departures_by_then) {
  double tail = 0;
  for (std::size_t present = servers; present < found.size(); ++present) {
    const double ahead = static_cast<double>(present - servers + 1);
    tail += found[present] * boost::math::gamma_q(ahead, departures_by_then);
  }
  return tail;
}

}  // namespace

std::optional<double> mm1_wait_quantile_seconds(const QueueLoad& load, double fraction) {
  return mmc_wait_quantile_seconds(load, 1, fraction);
}

std::optional<double> mm1_sojourn_quantile_seconds(const QueueLoad& load, double fraction) {
  const auto means = mm1_means(load);
  if (!means || !is_quantile(fraction)) return {};
  return -means->sojourn_seconds * std::log1p(-fraction);
}

std::optional<double> mmc_wait_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                double fraction) {
  if (!is_stable(load, servers) || !is_quantile(fraction)) return {};
  const auto waiting = erlang_c(load.offered_erlangs(), servers);
  if (!waiting) return {};
  if (1 - fraction >= *waiting) return 0.0;
  const double drain_seconds = load.service_mean_seconds / (servers - load.offered_erlangs());
  return drain_seconds * std::log(*waiting / (1 - fraction));
}

std::optional<double> mmc_sojourn_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                   double fraction) {
  const auto means = mmc_means(load, servers);
  if (!means) return {};
  const auto waiting = erlang_c(load.offered_erlangs(), servers);
  if (!waiting) return {};
  const double service = 1 / load.service_mean_seconds;
  const double drain = servers * service - load.arrivals_per_second;
  const Tail tail = [&](double seconds) {
    return (1 - *waiting) * std::exp(-service * seconds) +
           *waiting * tail_of_two_exponentials(service, drain, seconds);
  };
  return quantile_of(tail, fraction, {.least = 0, .scale = means->sojourn_seconds});
}

std::optional<double> mmck_wait_quantile_seconds(const QueueLoad& load, std::uint32_t servers,
                                                 std::uint32_t places, double fraction) {
  if (!mmck_means(load, servers, places) || !is_quantile(fraction)) return {};
  if (places == servers) return 0.0;
  // An admitted customer finds a free place: q is in proportion to the states below K, and these
  // are the states of the same queue with one place less.
  const std::vector<double> found = mmck_states(load.offered_erlangs(), servers, places - 1);
  const double departures_per_second = servers / load.service_mean_seconds;
  const Tail tail = [&](double seconds) {
    return mmck_wait_tail(found, servers, seconds * departures_per_second);
  };
  return quantile_of(tail, fraction, {.least = 0, .scale = load.service_mean_seconds});
}

std::optional<double> md1_wait_quantile_seconds(const QueueLoad& load, double fraction) {
  if (!is_stable(load, 1)) return {};
  const DeterministicWait wait(load.offered_erlangs());
  const Tail tail = [&](double services) { return wait.tail(services); };
  const auto services = quantile_of(tail, fraction, {.least = 0, .scale = 1});
  if (!services) return {};
  return *services * load.service_mean_seconds;
}

std::optional<double> md1_sojourn_quantile_seconds(const QueueLoad& load, double fraction) {
  const auto wait = md1_wait_quantile_seconds(load, fraction);
  if (!wait) return {};
  return *wait + load.service_mean_seconds;
}

}  // namespace photon::analysis::theory
