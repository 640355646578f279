// Configurations of the swarm.
#include "campaigns/swarm/swarm.h"

#include <array>
#include <set>
#include <utility>

#include "campaigns/swarm/rng.h"
#include "campaigns/swarm/swarm_constraints.h"
#include "scenarios/config/config_names.h"
#include "scenarios/faults/all_faults.h"
#include "scenarios/faults/clock.h"
#include "scenarios/faults/disk.h"
#include "scenarios/faults/outage.h"
#include "scenarios/faults/process.h"
#include "scenarios/faults/random.h"
#include "scenarios/faults/slow.h"
#include "scenarios/language/loader.h"
#include "scenarios/world/runner.h"
#include "tests/base/throwing_check_sink.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

TEST_CASE(
    "DESIGN-6 a seed of the swarm is one complete scenario; printed, it loads as the same one") {
  std::set<std::uint64_t> different;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const Config config = swarm::scenario({}, seed);
    CHECK(config == swarm::scenario({}, seed));
    CHECK(config.faults.of<RandomFault>().empty());
    different.insert(config_hash(config));
    const LoadResult brief = load_text(to_brief_toml(config), "brief.toml");
    if (!brief) FAIL(format(brief.diagnostics()));
    CHECK(brief.config() == config);
  }
  CHECK(different.size() == 100);
}

TEST_CASE("in a quarter of the configurations all spans are multiples of a tick") {
  std::uint64_t ticking = 0;
  std::uint64_t without_drift = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Config config = swarm::scenario({}, seed);
    if (config.run.tick == Duration::zero()) continue;
    INFO("seed " << seed);
    ++ticking;
    without_drift += config.registry.clock_drift_bound == 0 ? 1 : 0;
    CHECK(1s % config.run.tick == Duration::zero());
    CHECK(config.network.jitter_mean >= config.run.tick);
    const Registry& r = config.registry;
    const Dispatcher& d = config.dispatcher;
    for (const Duration each :
         {r.heartbeat, r.boundary_period, r.gc_age, d.lease, d.backoff_initial, d.unjoinable_age,
          config.joiner.registry_timeout, config.verification.grace, *config.run.duration}) {
      CHECK(each > Duration::zero());
      CHECK(each % config.run.tick == Duration::zero());
    }
  }
  CHECK(ticking > 60);
  CHECK(ticking < 140);
  CHECK(without_drift > 20);
}

TEST_CASE("A-31 ticks carry no clock beyond its bound") {
  // Once, spans that ticks had rounded up left these faults too little room.
  for (const std::uint64_t seed : {4964U, 6880U, 7226U}) {
    INFO("seed " << seed);
    const Config config = swarm::scenario({}, seed);
    CHECK(config.run.tick > Duration::zero());
    CHECK_FALSE(config.clocks.violate_clock_bound);
    CHECK_FALSE(config.faults.of<ClockFault>().empty());
  }
}

TEST_CASE("near twins: half of the registry loads, and of the loads whose ids share stamps") {
  std::array<std::uint64_t, 2> loads{};
  std::array<std::uint64_t, 2> with_twins{};
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Config config = swarm::scenario({}, seed);
    const bool alone = config.registry_only();
    if (config.scenario.tier == Tier::kContract) continue;
    const bool is_fine = config.run.tick + config.clocks.stamp_resolution == Duration::zero();
    if (!alone && is_fine) {
      CHECK(config.workload.synthetic.processes == 1);
      continue;
    }
    ++loads[alone ? 1 : 0];
    const bool twins =
        alone ? config.workload.registry.twins > 0 : config.workload.synthetic.processes > 1;
    with_twins[alone ? 1 : 0] += twins ? 1 : 0;
  }
  for (const std::size_t kind : {0U, 1U}) {
    CAPTURE(kind, loads[kind], with_twins[kind]);
    CHECK(loads[kind] > 50);
    CHECK(3 * with_twins[kind] > loads[kind]);
    CHECK(3 * with_twins[kind] < 2 * loads[kind]);
  }
}

TEST_CASE("J-P3 in one configuration in 25 a pipeline returns to a backlog, and is judged by it") {
  std::uint64_t drawn = 0;
  std::uint64_t judged = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Config config = swarm::scenario({}, seed);
    if (config.service.dispatcher_step < 100ms) continue;
    INFO("seed " << seed);
    CHECK(config.scenario.tier == Tier::kWithin);  // nothing in it is above tolerance
    REQUIRE(config.faults.of<OutageFault>().size() == 1);
    CHECK(config.faults.of<OutageFault>().front().component == OutageComponent::kPipeline);
    Faults others = config.faults;
    others.of<OutageFault>().clear();
    CHECK(others == Faults{});
    CHECK(config.operations == Operations{});
    CHECK(config.run.core.empty());
    if (++drawn > 8) continue;
    const auto ran = run_scenario({&config, seed, nullptr, nullptr});
    REQUIRE(ran);
    CHECK(ran.assume_value().summary.violations_total == 0);
    judged += ran.assume_value().summary.backlog_windows > 0 ? 1 : 0;
  }
  CHECK((drawn >= 12 && drawn <= 45));
  CHECK(judged >= 2);
}

TEST_CASE("DESIGN-6 B-18 some cores rely on disks that were replaced long before") {
  std::uint64_t drawn = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Config config = swarm::scenario({}, seed);
    bool any = false;
    for (const CrashFault& crash : config.faults.of<CrashFault>()) {
      if (!crash.lose_disk) continue;
      const std::string place = datacenter_of(crash.process);
      if (std::ranges::find(config.run.core, place) == config.run.core.end()) continue;
      INFO("seed " << seed);
      CHECK(crash.at < *config.run.duration / 3 * 2);
      any = true;
    }
    drawn += any ? 1 : 0;
  }
  CHECK(drawn >= 3);
}

TEST_CASE("a group with small commits is asked for no more than it answers in time") {
  std::uint64_t limited = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Config config = swarm::scenario({.tier = Tier::kWithin}, seed);
    if (config.registry_only()) continue;
    INFO("seed " << seed);
    const std::uint64_t askers =
        config.topology.pipelines.size() * (config.joiner.count + config.dispatcher.workers);
    const std::uint64_t most =
        std::max(config.joiner.max_outstanding_registry, config.dispatcher.max_outstanding_lookups);
    const Duration time_limit =
        std::min(config.joiner.registry_timeout, config.dispatcher.lookup_timeout);
    const std::uint64_t at_once =
        config.registry.max_batch_operations * config.registry.pipeline_depth;
    const std::uint64_t commits = askers * most / at_once;
    limited += commits > 10 ? 1 : 0;
    if (most > 1) {
      CHECK(static_cast<std::int64_t>(commits) * config.disk.fsync_median <= time_limit);
    }
  }
  CHECK(limited > 10);  // and some are close to that
}

TEST_CASE("a master answers all simultaneous requests before half of its lease is over") {
  std::uint64_t near = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    Config config = swarm::scenario({.tier = Tier::kWithin}, seed);
    INFO("seed " << seed);
    const auto& verification = config.verification;
    const std::uint64_t verifiers = verification.enabled ? verification.verifiers : 0;
    const auto askers = static_cast<std::int64_t>(
        config.topology.pipelines.size() * (1 + verifiers) * config.workload.synthetic.clicks);
    const Duration busy = config.service.registry_operation * askers;
    if (!config.registry_only()) CHECK(busy <= config.registry.lease / 2);
    near += busy > config.registry.lease / 4 ? 1 : 0;
    // Whatever was drawn last, constraint repair changes nothing. It leaves no multiples of a tick.
    if (config.run.tick > Duration::zero()) continue;
    const std::string before = to_toml(config);
    swarm::repair_constraints(config);
    CHECK(to_toml(config) == before);
  }
  CHECK(near > 10);
}

TEST_CASE("each part of a configuration has its own random stream: weak places are independent") {
  const photon::testing::ChecksThrow checks;
  std::set<std::pair<std::uint64_t, std::uint64_t>> sequences;
  std::size_t drawn = 0;
  const auto add = [&](swarm::Rng rng) {
    const std::uint64_t all = std::uint64_t{1} << 62;
    const std::uint64_t first = rng.count(0, all);
    sequences.emplace(first, rng.count(0, all));
    ++drawn;
  };
  for (std::uint32_t part = 0; part < 100; ++part) add({1, static_cast<swarm::Part>(part)});
  for (const swarm::Part part : {swarm::Part::faults, swarm::Part::guided}) {
    for (std::uint32_t number = 0; number < 100; ++number) add({1, part, number});
  }
  CHECK(sequences.size() == drawn);
  using Failed = photon::testing::CheckFailed;
  CHECK_THROWS_AS(swarm::Rng(1, swarm::Part::fault_classes, 2), Failed);
  CHECK_THROWS_AS(swarm::Rng(1, swarm::Part::faults, 999'000), Failed);
}

TEST_CASE("a kind of fault with a part of its own takes the random stream of no other part") {
  std::size_t own = 0;
  for (const FaultGenerator& each : fault_generators()) {
    if (each.all == nullptr) continue;
    CAPTURE(each.number);
    ++own;
    CHECK_FALSE(swarm::is_part(each.part));
    CHECK(each.part < static_cast<std::uint32_t>(swarm::Part::faults));
  }
  CHECK(own > 0);
}

TEST_CASE("a slow place is limited by its own faults: the slowest of each kind, which multiply") {
  Config config = swarm::scenario({}, 1);
  config.topology.datacenters = {{"dc1", "east"}, {"dc10", "west"}};
  config.cell.append_p99 = config.cell.read_p99 = config.cell.list_latency = 50ms;
  config.disk.fsync_p99 = config.disk.read_p99 = 100ms;  // so a factor of 100 is tolerable
  config.faults = Faults{};
  config.faults.of<SlowFault>() = {{"dc1", 20, 1s, 1s}, {"dc1", 10, 9s, 1s}, {"dc10", 500, 1s, 1s}};
  const auto slow_disk = [](const std::string& where, double factor) {
    DiskFault disk;
    disk.where = where;
    disk.kind = DiskFaultKind::kSlow;
    disk.factor = factor;
    return disk;
  };
  config.faults.of<DiskFault>() = {slow_disk("registry/0@dc1", 4), slow_disk("dc1", 200),
                                   slow_disk("registry/0@dc10", 50)};
  swarm::limit_slowness(config);
  CHECK(config.faults.of<SlowFault>()[0].factor == 20);
  CHECK(config.faults.of<SlowFault>()[1].factor == 10);
  CHECK(config.faults.of<SlowFault>()[2].factor == 100);
  CHECK(config.faults.of<DiskFault>()[0].factor == 4);
  CHECK(config.faults.of<DiskFault>()[1].factor == 5);
  CHECK(config.faults.of<DiskFault>()[2].factor == 1.5);  // the smallest slowdown
  config.faults.of<SlowFault>() = {{"dc10", 500, 1s, 1s}};
  config.cell.list_latency = 200ms;  // now the greatest slowdown
  swarm::limit_slowness(config);
  CHECK(config.faults.of<SlowFault>()[0].factor == 50);
}
