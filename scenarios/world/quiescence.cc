#include "scenarios/world/quiescence.h"

#include <algorithm>

#include "core_impl/photon/registry_client/registry_client.h"
#include "scenarios/world/backoff.h"

namespace photonsim::scenarios {
namespace {

// Exponential delays stay below this multiple of their mean but once in 10^8 draws.
constexpr int kExponentialTail = 18;

// No computed limit is longer: an extreme scenario must not overflow it.
constexpr Duration kLongest = std::chrono::hours(24) * 10'000;

// The pauses of a click that fails once more than R times, each with its longest jitter.
Duration all_backoffs(const Dispatcher& dispatcher) {
  const photon::Backoff backoff = backoff_of(dispatcher);
  Duration total{0};
  Duration pause = backoff.base_delay(1);
  for (std::uint64_t i = 0; i <= dispatcher.unjoinable_attempts && total < kLongest; ++i) {
    total += backoff.longest(pause);
    pause = backoff.grown(pause);
  }
  return std::min(total, kLongest);
}

Duration shipping_tail(const Shipping& shipping) {
  Duration late{0};
  if (shipping.query_late_fraction > 0) late = shipping.query_late_extra_mean;
  return kExponentialTail * (shipping.common_mean + shipping.noise_mean + late) +
         shipping.near_far_gap + shipping.redraw;
}

}  // namespace

Duration quiesce_limit(const Config& config) {
  if (config.run.quiesce_limit) return *config.run.quiesce_limit;
  const Dispatcher& dispatcher = config.dispatcher;
  const Duration election = 2 * config.registry.election_timeout + config.registry.lease;
  if (config.registry_only()) {
    // A request that met silence is repeated, and may then be sent to the wrong replica first.
    const Duration silence =
        photon::RegistryClient::kLongestPatience * config.joiner.registry_timeout;
    return std::min(2 * (election + 2 * silence + dispatcher.lookup_timeout), kLongest);
  }
  const Duration attempt = dispatcher.lookup_timeout + dispatcher.send_timeout;
  const Duration tail = shipping_tail(config.shipping);
  return std::min(2 * (dispatcher.unjoinable_age + all_backoffs(dispatcher) + election + attempt +
                       dispatcher.backoff_cap + tail),
                  kLongest);
}

}  // namespace photonsim::scenarios
