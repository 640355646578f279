#include "campaigns/swarm/swarm_contract.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "campaigns/swarm/rng.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/clock.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/link.h"
#include "scenarios/faults/log.h"
#include "scenarios/faults/process.h"

namespace photonsim::scenarios::swarm {
namespace {

// Provides clicks at every point where damage is done, and removes long delays from the pipelines.
void keep_flowing(Config& c) {
  const auto seconds = static_cast<std::uint64_t>(*c.run.duration / 1s);
  c.workload.synthetic.clicks = std::max(c.workload.synthetic.clicks, 3 * seconds);
  c.workload.synthetic.fast_fraction = 1.0;
  c.workload.synthetic.disorder = 0s;
  c.registry.gc_age = 72h;
  c.registry.max_queue = Registry{}.max_queue;
  c.registry.reject_future = false;
  c.joiner.max_in_flight = Joiner{}.max_in_flight;
  c.joiner.max_outstanding_registry = Joiner{}.max_outstanding_registry;
  c.joiner.max_outstanding_per_shard = Joiner{}.max_outstanding_per_shard;
  c.joiner.max_window = Joiner{}.max_window;
  c.joiner.adapter = AdapterKind::kCombine;
  c.joiner.skip_modulo = Joiner{}.skip_modulo;
  c.joiner.output_copies = false;
  c.dispatcher.max_outstanding_lookups = Dispatcher{}.max_outstanding_lookups;
  c.dispatcher.max_outstanding_sends = Dispatcher{}.max_outstanding_sends;
  c.dispatcher.group = Dispatcher{}.group;
  c.dispatcher.group_wait = Dispatcher{}.group_wait;
  c.dispatcher.scan_period = std::min<Duration>(c.dispatcher.scan_period, 500ms);
  c.shipping.common_mean = std::min<Duration>(c.shipping.common_mean, 500ms);
  c.shipping.near_far_gap = std::min<Duration>(c.shipping.near_far_gap, 500ms);
  c.shipping.query_late_fraction = 0;
}

// Two thirds into the run.
Duration late_in(const Config& c) { return *c.run.duration / 3 * 2 / 1s * 1s; }

// The number of shards grows at a time t2 about 7 s ahead, S and the age of the clients'
// histories included. By then the clocks of all click servers are at least 24 s ahead. Ids of the
// last 12 s before the request for the change therefore bear stamps after t2. Clients that check
// only the age of their history (rule 1 of B-60c, which rests on S) have registered these ids
// under the old number. At three clicks a second, about thirty ids belong to another shard than
// the one that has them.
void break_clock_bound(Config& c, Rng& rng) {
  c.clocks.violate_clock_bound = true;
  c.registry.sharding = Sharding::kDynamic;
  c.registry.shards = rng.count(1, 2);
  c.registry.routing = Routing{};
  c.registry.routing.freshness = true;
  c.registry.routing.read_after_stamp = false;
  c.registry.routing.max_age = 1s;
  const Duration change = late_in(c);
  const Duration starts_in = c.clocks.skew_bound() + c.registry.routing.max_age + 4s;
  c.operations.reshards.push_back({change, rng.count(3, 5), starts_in, ReshardEnd::kDone});
  ClockFault clock;
  clock.log = LogKind::kClicks;
  if (rng.chance(0.5)) {
    clock.kind = ClockFaultKind::kOffset;
    clock.by = 1s * static_cast<std::int64_t>(rng.count(24, 60));
    clock.at = 1s * static_cast<std::int64_t>(rng.count(1, 20));
  } else {
    clock.kind = ClockFaultKind::kDrift;
    clock.rate = 0.4;
    clock.at = 0s;
  }
  clock.duration = *c.run.duration;
  c.faults.of<ClockFault>().push_back(clock);
}

// Keeps the number of shards constant, so that each shard receives clicks until the end.
void fix_shards(Config& c) {
  c.registry.sharding = Sharding::kFixed;
  c.registry.routing = Routing{};
}

// A majority or more of one group lose their disks before the first of them restarts.
// Returns their datacenters.
std::vector<std::string> lose_majority(Config& c, std::uint64_t shard, Rng& rng) {
  const std::uint64_t replicas = c.registry.replicas.size();
  const std::uint64_t lost = rng.count(replicas / 2 + 1, replicas);
  const Duration gap = rng.chance(0.4) ? 0s : rng.time(1ms, 2s);
  const Duration last = gap * static_cast<std::int64_t>(lost - 1);
  Duration at = late_in(c);
  const std::vector<std::string> places = rng.some(c.registry.replicas, lost);
  for (const std::string& place : places) {
    CrashFault crash;
    crash.process = fmt::format("registry/{}@{}", shard, place);
    crash.at = at;
    crash.restart_after = last + rng.time(10ms, 5s);
    crash.lose_disk = true;
    c.faults.of<CrashFault>().push_back(crash);
    at += gap;
  }
  return places;
}

// None of the new disks can be admitted: the replicas that would have to answer are gone
// (core_impl/paxos/generations.h). The ids of that shard are lost, and the group stays silent.
// Later clicks never complete (J-P0), and no other violation is allowed. A group that continued
// would be worse, so safety is checked as well. Each shard receives some of the clicks.
void silence_group(Config& c, Rng& rng) {
  fix_shards(c);
  lose_majority(c, rng.count(0, c.registry.shards - 1), rng);
}

// The same, but the operator sets the replaced disks up as for a new group. They form a majority
// with no memory, and its master refills slots in which other values were chosen (J-S6). The other
// replicas are down until then: one of them could know all chosen values and continue.
void found_group_anew(Config& c, Rng& rng) {
  fix_shards(c);
  const std::uint64_t shard = rng.count(0, c.registry.shards - 1);
  const std::vector<std::string> lost = lose_majority(c, shard, rng);
  for (CrashFault& each : c.faults.of<CrashFault>()) each.as_new = true;
  const Duration at = c.faults.of<CrashFault>().front().at;
  for (const std::string& place : c.registry.replicas) {
    if (std::ranges::find(lost, place) != lost.end()) continue;
    CrashFault crash;
    crash.process = fmt::format("registry/{}@{}", shard, place);
    crash.at = at;
    crash.restart_after = *c.run.duration - at + 1s;
    c.faults.of<CrashFault>().push_back(crash);
  }
}

// The disks of all replicas of a group acknowledge bytes that they have not stored, and then all
// their hosts crash at once. The group forgets what was chosen since, and chooses other values in
// its place (J-S6).
void lie_about_syncs(Config& c, Rng& rng) {
  fix_shards(c);
  const std::uint64_t shard = rng.count(0, c.registry.shards - 1);
  const Duration crashed = late_in(c);
  const Duration lying = rng.time(10s, 20s);
  for (const std::string& place : c.registry.replicas) {
    const std::string process = fmt::format("registry/{}@{}", shard, place);
    DiskFault disk;
    disk.where = process;
    disk.kind = DiskFaultKind::kLostSync;
    disk.at = crashed - lying;
    disk.duration = lying + 1s;
    c.faults.of<DiskFault>().push_back(disk);
    CrashFault crash;
    crash.process = process;
    crash.at = crashed;
    crash.restart_after = rng.time(1ms, 3s);
    crash.whole_host = true;
    c.faults.of<CrashFault>().push_back(crash);
  }
}

// TrueTime's intervals at all replicas of a shard lie in the future, far beyond the bound. The
// boundary, which must lie N before true time, moves too far ahead (J-S8).
void lie_about_time(Config& c, Rng& rng) {
  fix_shards(c);
  c.clocks.violate_clock_bound = true;
  c.registry.boundary_period = rng.time(1s, 4s);
  for (std::uint64_t shard = 0; shard < c.registry.shards; ++shard) {
    for (const std::string& place : c.registry.replicas) {
      ClockFault clock;
      clock.process = fmt::format("registry/{}@{}", shard, place);
      clock.kind = ClockFaultKind::kLyingInterval;
      clock.by = rng.time(60s, 10min);
      clock.at = late_in(c);
      clock.duration = rng.time(15s, 30s);
      c.faults.of<ClockFault>().push_back(clock);
    }
  }
}

// The clock that measures the lease of each shard's master runs far too slowly; then the link
// between the master and the other replicas is cut, while its clients still reach it. For at least
// two seconds it answers as master although the others may follow another (J-S7). Each click is
// looked up in both pipelines, so about ten look-ups fall into that time.
void slow_leases(Config& c, Rng& rng) {
  fix_shards(c);
  c.clocks.violate_clock_bound = true;
  c.registry.lookup_mode = LookupMode::kBypass;
  c.dispatcher.pre_lookup = true;
  c.registry.master_placement = MasterPlacement::kPinned;
  c.registry.pinned_datacenter = rng.of(c.registry.replicas);
  c.registry.master_return_after = 10s;  // moves the master there from any other place
  c.registry.lease = rng.time(5s, 8s);
  c.registry.election_timeout = c.registry.lease + 500ms;
  const double rate = rng.share(0.3, 0.4);
  const Duration cut = late_in(c);
  for (std::uint64_t shard = 0; shard < c.registry.shards; ++shard) {
    const std::string master = fmt::format("registry/{}@{}", shard, c.registry.pinned_datacenter);
    ClockFault clock;
    clock.process = master;
    clock.kind = ClockFaultKind::kMonotonicDrift;
    clock.direction = ClockDirection::kBack;
    clock.rate = rate;
    clock.at = cut - rng.time(1s, 10s);
    clock.duration = *c.run.duration - clock.at;
    c.faults.of<ClockFault>().push_back(clock);
    LinkFault alone;
    alone.kind = LinkFaultKind::kLoss;
    alone.from = {master};
    alone.to = {fmt::format("registry/{}", shard)};
    alone.at = cut;
    alone.duration = 2 * c.registry.lease;
    c.faults.of<LinkFault>().push_back(alone);
    std::swap(alone.from, alone.to);
    c.faults.of<LinkFault>().push_back(alone);
  }
}

// Cells show records again that they had lost. A reader of the earlier output gets these records a
// second time (J-S1). Every cell has the fault, because it is not known which pipeline joins.
void return_output(Config& c, Rng& rng) {
  for (const std::string& pipeline : c.topology.pipelines) {
    OutputLossFault loss;
    loss.datacenter = pipeline;
    loss.at = late_in(c);
    loss.records = rng.size(1, 100);
    loss.returns_after = rng.time(10ms, 20s);
    c.faults.of<OutputLossFault>().push_back(loss);
  }
}

struct Break {
  std::string_view name;
  std::string_view description;
  std::string_view detected_by;
  void (*draw)(Config& config, Rng& rng);
};

// Each break names the oracle whose rule rests directly on the broken assumption. Later
// consequences, such as one click joined twice, depend on when clicks come.
constexpr std::array kBreaks{
    Break{"clock_bound", "The clock bound is broken in the window of a change of shards", "J-S5",
          break_clock_bound},
    Break{"majority_lost", "A group loses the disks of a majority", "J-P0", silence_group},
    Break{"output_returns", "Cells show joined records again that they had lost", "J-S1",
          return_output},
    Break{"majority_forgets", "The lost disks of a majority are set up as for a new group", "J-S6",
          found_group_anew},
    Break{"lost_syncs", "Disks of a group say that bytes are stored which are not", "J-S6",
          lie_about_syncs},
    Break{"lying_truetime", "TrueTime's intervals do not contain true time", "J-S8",
          lie_about_time},
    Break{"slow_lease", "Masters measure their leases with clocks that run too slowly", "J-S7",
          slow_leases}};

}  // namespace

void draw_contract(Config& config, std::uint64_t seed) {
  Rng rng(seed, Part::contract);
  keep_flowing(config);
  config.faults.inert = InertFaults::kAllow;
  const Break& drawn = kBreaks[seed % kBreaks.size()];
  config.scenario.description = drawn.description;
  config.scenario.breaks = drawn.name;
  config.scenario.detected_by = {std::string(drawn.detected_by)};
  drawn.draw(config, rng);
}

}  // namespace photonsim::scenarios::swarm
