#include "scenarios/world/quiescence.h"

#include <algorithm>

#include "core_impl/photon/registry_client/registry_client.h"
#include "scenarios/faults/consequences.h"
#include "scenarios/world/backoff.h"
#include "scenarios/world/slow_storage.h"

namespace photonsim::scenarios {
namespace {

// Exponential delays stay below this multiple of their mean but once in 10^8 draws.
constexpr int kExponentialTail = 18;

// No computed limit is longer: an extreme scenario must not overflow it.
constexpr Duration kLongestWait = std::chrono::hours(24) * 10'000;

// The pauses of a click that fails once more than R times, each with its longest jitter.
Duration all_backoffs(const Dispatcher& dispatcher) {
  const photon::Backoff backoff = backoff_of(dispatcher);
  Duration total{0};
  Duration pause = backoff.base_delay(1);
  for (std::uint64_t i = 0; i <= dispatcher.unjoinable_attempts && total < kLongestWait; ++i) {
    total += backoff.longest(pause);
    pause = backoff.grown(pause);
  }
  return std::min(total, kLongestWait);
}

// What a stall held comes in a tail of its own, and a piece may be held by one after the other.
Duration shipping_tail(const Shipping& shipping, const Consequences& faults) {
  Duration late = faults.logs_late;
  if (shipping.query_late_fraction > 0) late += shipping.query_late_extra_mean;
  return kExponentialTail * (shipping.common_mean + shipping.noise_mean + late) +
         shipping.near_far_gap + shipping.redraw;
}

// What shards that take little at a time may still have to work off: at most everything that is
// ever asked for, a batch or a queue in the time that clients allow for an answer.
Duration backlog(const Config& config) {
  const RegistryWorkload& load = config.workload.registry;
  const Registry& registry = config.registry;
  const double seconds = static_cast<double>(config.run.duration.value_or(0s).count()) / 1e9;
  const double operations = load.rate * seconds * static_cast<double>(load.contenders);
  const std::uint64_t turn_takes = std::min(registry.max_batch_operations, registry.max_queue);
  const auto at_once = static_cast<double>(registry.shards * turn_takes);
  const double longest = static_cast<double>(kLongestWait.count());
  const double turn = static_cast<double>(config.joiner.registry_timeout.count());
  return Duration(static_cast<std::int64_t>(std::min(operations / at_once * turn, longest)));
}

// With each pause of the retries at least as many clicks come through as the joiners of a pipeline
// take at a time: hardly more where pauses have no jitter, and all come at the same moment.
Duration joining(const Config& config) {
  const std::uint64_t at_once =
      std::max<std::uint64_t>(std::min(config.joiner.count * config.joiner.max_in_flight,
                                       config.dispatcher.max_outstanding_sends),
                              1);
  const auto rounds = static_cast<double>(config.workload.synthetic.clicks / at_once);
  const double needed = rounds * static_cast<double>(config.dispatcher.backoff_cap.count());
  return Duration(
      static_cast<std::int64_t>(std::min(needed, static_cast<double>(kLongestWait.count()))));
}

}  // namespace

Duration recovery_bound(const Verification& verification) {
  if (!verification.enabled) return Duration{0};
  return verification.grace + 3 * verification.recheck_cap +
         4 * (verification.scan_period + verification.answer_timeout);
}

Duration quiesce_limit(const Config& config) {
  if (config.run.quiesce_limit) return *config.run.quiesce_limit;
  const Dispatcher& dispatcher = config.dispatcher;
  const Duration election = 2 * config.registry.election_timeout + config.registry.lease;
  if (config.registry_only()) {
    // A request that met silence is repeated, and may then be sent to the wrong replica first.
    const Duration silence =
        photon::RegistryClient::kLongestDetour * config.joiner.registry_timeout;
    return std::min(2 * (election + 2 * silence + dispatcher.lookup_timeout) + backlog(config),
                    kLongestWait);
  }
  const Duration attempt = dispatcher.lookup_timeout + dispatcher.send_timeout;
  const Duration tail = shipping_tail(config.shipping, consequences_of(config));
  // A journal may change owners; then the output, the retry store and the notes of recovery each
  // wait for an append after another.
  const Duration storage = slowest_takeover(config.cell) + 4 * slowest_append(config.cell);
  const Duration unregistered =
      config.verification.enabled ? config.verification.unregistered_after : Duration{0};
  return std::min(
      2 * (dispatcher.unjoinable_age + all_backoffs(dispatcher) + election + attempt +
           dispatcher.backoff_cap + tail + storage + recovery_bound(config.verification)) +
          unregistered + joining(config),
      kLongestWait);
}

}  // namespace photonsim::scenarios
