#include "analysis/theory/queues.h"

#include <cmath>

#include "analysis/theory/erlang.h"
#include "analysis/theory/finite_states.h"
#include "analysis/theory/queue_domain.h"

namespace photon::analysis::theory {
namespace {

// Little's law gives the queue, and the service time the sojourn.
QueueMeans means_of(const QueueLoad& load, double utilisation, double wait_seconds) {
  return {.utilisation = utilisation,
          .wait_seconds = wait_seconds,
          .sojourn_seconds = wait_seconds + load.service_mean_seconds,
          .queue = load.arrivals_per_second * wait_seconds};
}

}  // namespace

std::optional<QueueMeans> mm1_means(const QueueLoad& load) { return mg1_means(load, 1); }

std::optional<QueueMeans> md1_means(const QueueLoad& load) { return mg1_means(load, 0); }

std::optional<QueueMeans> mg1_means(const QueueLoad& load, double service_cv_squared) {
  if (!is_stable(load, 1)) return {};
  if (!std::isfinite(service_cv_squared) || service_cv_squared < 0) return {};
  const double utilisation = load.offered_erlangs();
  const double wait =
      utilisation * load.service_mean_seconds * (1 + service_cv_squared) / (2 * (1 - utilisation));
  return means_of(load, utilisation, wait);
}

std::optional<QueueMeans> mmc_means(const QueueLoad& load, std::uint32_t servers) {
  if (!is_stable(load, servers)) return {};
  const auto waiting = erlang_c(load.offered_erlangs(), servers);
  if (!waiting) return {};
  const double wait = *waiting * load.service_mean_seconds / (servers - load.offered_erlangs());
  return means_of(load, load.offered_erlangs() / servers, wait);
}

std::optional<FiniteQueueMeans> mmck_means(const QueueLoad& load, std::uint32_t servers,
                                           std::uint32_t places) {
  if (!is_load(load) || servers == 0 || places < servers) return {};
  const std::vector<double> states = mmck_states(load.offered_erlangs(), servers, places);
  double queue = 0;
  double busy = 0;
  for (std::uint32_t present = 0; present <= places; ++present) {
    queue += states[present] * (present > servers ? present - servers : 0);
    busy += states[present] * (present > servers ? servers : present);
  }
  // `busy` is a sum of positive numbers; arrivals times (1 - refused) cancels under overload.
  const double served_per_second = busy / load.service_mean_seconds;
  const double wait = served_per_second > 0 ? queue / served_per_second : 0;
  return FiniteQueueMeans{.admitted = {.utilisation = busy / servers,
                                       .wait_seconds = wait,
                                       .sojourn_seconds = wait + load.service_mean_seconds,
                                       .queue = queue},
                          .refused_fraction = states[places],
                          .served_per_second = served_per_second};
}

}  // namespace photon::analysis::theory
