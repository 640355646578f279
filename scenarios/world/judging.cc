#include "scenarios/world/judging.h"

#include <algorithm>

#include "scenarios/world/calendar.h"

namespace photonsim::scenarios {

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
  judge.gc_age = config.registry.gc_age;
  judge.clock_epsilon = config.clocks.epsilon;
  judge.calendar_epoch = kCalendarEpoch;
  judge.monotonic_drift_ppb =
      static_cast<std::uint32_t>(config.registry.clock_drift_bound * 1e9 + 0.5);
  return judge;
}

}  // namespace photonsim::scenarios
