#include "scenarios/world/quiescence.h"

#include <algorithm>

namespace photonsim::scenarios {
namespace {

// Exponential delays stay below this multiple of their mean but once in 10^8 draws.
constexpr int kExponentialTail = 18;

// No computed limit is longer: an extreme scenario must not overflow it.
constexpr Duration kLongest = std::chrono::hours(24) * 10'000;

Duration scaled(Duration value, double factor) {
  return Duration(static_cast<std::int64_t>(static_cast<double>(value.count()) * factor));
}

Duration all_backoffs(const Dispatcher& dispatcher) {
  Duration total{0};
  Duration next = dispatcher.backoff_initial;
  for (std::uint64_t i = 0; i <= dispatcher.unjoinable_attempts; ++i) {
    next = std::min(next, dispatcher.backoff_cap);
    total = std::min(total + scaled(next, 1.0 + dispatcher.backoff_jitter), kLongest);
    next = scaled(next, dispatcher.backoff_factor);
  }
  return total;
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
  const Duration attempt = dispatcher.lookup_timeout + dispatcher.send_timeout;
  const Duration tail = shipping_tail(config.shipping);
  return std::min(2 * (dispatcher.unjoinable_age + all_backoffs(dispatcher) + election + attempt +
                       dispatcher.backoff_cap + tail),
                  kLongest);
}

}  // namespace photonsim::scenarios
