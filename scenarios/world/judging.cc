#include "scenarios/world/judging.h"

#include <algorithm>
#include <cstdint>

#include "core_impl/base/jitter.h"
#include "scenarios/world/backoff.h"
#include "scenarios/world/calendar.h"

namespace photonsim::scenarios {
namespace {

// A joiner that nothing holds up is silent about an attempt for less than this.
constexpr Duration kUsualSilence = std::chrono::minutes(2);
// Random lengths stay below this multiple of their mean.
constexpr int kRandomTail = 18;
// The registry client doubles its pauses up to this multiple of its time-out.
constexpr int kLongestPause = 16;

// How long faults may hold up an attempt that is alive: a record that waits for an unavailable cell
// or a request whose shard has no majority shows no sign of life. Scripted faults may follow one
// another, so they are added up.
Duration longest_hold(const Faults& faults) {
  Duration hold{0};
  for (const OutageFault& outage : faults.outages) hold += outage.duration;
  for (const CrashFault& crash : faults.crashes) hold += crash.restart_after;
  for (const PartitionFault& partition : faults.partitions) hold += partition.duration;
  for (const RandomFault& random : faults.random) {
    const bool crash = random.kind == RandomFaultKind::kProcessCrash;
    hold += kRandomTail * (crash ? random.restart_after : random.mean_duration);
  }
  return hold;
}

// From one try of a click to the next, or from its turn to the first: the longest backoff, the
// time-outs of a try, and what a worker may need to find new bytes or to take its file states over.
Duration longest_pause(const Dispatcher& dispatcher) {
  const Duration longest_scan_pause =
      photon::jittered(dispatcher.scan_period, permille(dispatcher.scan_jitter), ~std::uint64_t{0});
  return backoff_of(dispatcher).longest() + dispatcher.lookup_timeout + dispatcher.send_timeout +
         2 * longest_scan_pause + dispatcher.lease;
}

}  // namespace

photon::analysis::JudgeConfig judge_config(const Config& config, const Deployment& deployment) {
  photon::analysis::JudgeConfig judge;
  for (const Pipeline& pipeline : deployment.pipelines) {
    judge.pipelines.push_back(pipeline.datacenter);
  }
  std::ranges::sort(judge.pipelines);
  judge.shards = static_cast<std::uint32_t>(config.registry.shards);
  judge.replicas_per_group = static_cast<std::uint32_t>(config.registry.replicas.size());
  const auto cap = static_cast<std::uint32_t>(config.joiner.max_outstanding_registry);
  judge.joiner_max_in_flight = static_cast<std::uint32_t>(config.joiner.max_in_flight);
  judge.joiner_max_outstanding_registry = cap;
  judge.joiner_window_bound = cap;
  judge.dispatcher_max_outstanding =
      static_cast<std::uint32_t>(config.dispatcher.max_outstanding_sends);
  judge.dispatcher_send_timeout = config.dispatcher.send_timeout;
  judge.unjoinable_attempts = config.dispatcher.unjoinable_attempts;
  judge.unjoinable_age = config.dispatcher.unjoinable_age;
  judge.attempt_silence_bound =
      kUsualSilence + longest_hold(config.faults) + kLongestPause * config.joiner.registry_timeout;
  judge.dispatcher_patience = longest_pause(config.dispatcher);
  judge.gc_age = config.registry.gc_age;
  judge.clock_epsilon = config.clocks.epsilon;
  judge.calendar_epoch = kCalendarEpoch;
  judge.monotonic_drift_ppb =
      static_cast<std::uint32_t>(config.registry.clock_drift_bound * 1e9 + 0.5);
  return judge;
}

}  // namespace photonsim::scenarios
