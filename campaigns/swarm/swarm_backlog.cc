#include "campaigns/swarm/swarm_backlog.h"

#include <algorithm>

#include "campaigns/swarm/rng.h"
#include "scenarios/faults/outage.h"

namespace photonsim::scenarios::swarm {
namespace {

// Makes a worker slow: it has few requests in flight and spends a long time on each click. Other
// delays are short, and so are the windows in which the backlog must decrease.
void slow_down(Dispatcher& dispatcher, Service& service, Rng& rng) {
  dispatcher.workers = rng.count(1, 2);
  if (dispatcher.partitions != 0) {
    dispatcher.partitions = std::max(dispatcher.partitions, dispatcher.workers);
  }
  dispatcher.group = 1;
  dispatcher.max_outstanding_lookups = rng.count(1, 3);
  dispatcher.max_outstanding_sends = rng.count(2, 8);
  dispatcher.scan_period = rng.time(100ms, 500ms);
  dispatcher.scan_jitter = 0.5;
  dispatcher.state_save_period = rng.time(200ms, 500ms);
  dispatcher.lease = dispatcher.state_save_period * 3 + rng.time(1s, 2s);
  service.dispatcher_step = rng.time(100ms, 300ms);
  // An answer waits until the worker is free, and must still arrive before the time-out.
  const Duration busy = 2 * service.dispatcher_step *
                        static_cast<std::int64_t>(dispatcher.max_outstanding_lookups + 1);
  dispatcher.lookup_timeout = std::max<Duration>(dispatcher.lookup_timeout, 1s + busy);
  dispatcher.send_timeout += busy;
}

}  // namespace

void draw_backlog(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::backlog);
  const bool possible = !config.registry_only() && config.scenario.tier == Tier::kWithin;
  if (!possible || !rng.chance(0.05)) return;
  config.faults = {};
  config.operations = {};
  config.run.core.clear();
  slow_down(config.dispatcher, config.service, rng);
  config.workload.synthetic.clicks = rng.size(400, 700);
  // Waiting in the backlog must not make a click too old.
  config.registry.gc_age = 72h;
  config.registry.gc_slice = Registry{}.gc_slice;
  // Far longer than the backlog takes, so that J-P3 reports a stuck backlog before J-P0 does.
  config.run.quiesce_limit = 4h;
  OutageFault outage;
  outage.component = OutageComponent::kPipeline;
  outage.datacenter = rng.of(config.topology.pipelines);
  outage.at = rng.time(1s, 30s);
  outage.duration = (*config.run.duration - outage.at) / 10 * static_cast<int>(rng.count(6, 9));
  config.faults.of<OutageFault>().push_back(outage);
}

}  // namespace photonsim::scenarios::swarm
