#include "scenarios/language/loader.h"
#include "scenarios/world/drift.h"
#include "scenarios/world/runner.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;

namespace {

photon::analysis::JudgeConfig judged(const std::vector<std::string>& set,
                                     const char* scenario = "scenarios/healthy.toml") {
  const LoadResult loaded = load(scenario, set);
  if (!loaded) FAIL(format(loaded.diagnostics()));
  return judge_config_of(loaded.config());
}

Duration silence(const std::vector<std::string>& set) { return judged(set).attempt_silence_bound; }

}  // namespace

TEST_CASE("J.2 D-12 the longest silence of an attempt: sixteen times the time-out, and the usual") {
  const Duration usual = silence({}) - 16 * std::chrono::seconds(1);
  // Two appends, each ten to the power of 2.4 times its median at worst.
  CHECK(usual > std::chrono::minutes(2) + 2 * std::chrono::milliseconds(5'000));
  CHECK(usual < std::chrono::minutes(2) + 2 * std::chrono::milliseconds(5'100));
  CHECK(silence({"joiner.registry_timeout=3s"}) == usual + 16 * std::chrono::seconds(3));
}

TEST_CASE("B-11 A-32 leases allow for at least the drift that clocks may have") {
  const auto ppm_of = [](double bound) {
    Registry registry;
    registry.clock_drift_bound = bound;
    return clock_drift_ppm(registry);
  };
  CHECK(ppm_of(200e-6) == 200);
  CHECK(ppm_of(200.4e-6) == 201);
  CHECK(ppm_of(200.001e-6) == 201);
  CHECK(ppm_of(0) == 0);
  CHECK(ppm_of(0.1) == 100'000);
  CHECK(judged({"registry.clock_drift_bound=0.0002004"}).monotonic_drift_ppb == 200'400);
}

TEST_CASE("J.2 D-16 of all faults only outages of its cell silence an attempt that is alive") {
  const Duration undisturbed = silence({});
  CHECK(silence({"faults.random=[{kind=\"process_crash\",mean_interval=\"1min\","
                 "restart_after=\"1h\"}]"}) == undisturbed);
  CHECK(silence({"faults.partition=[{from=[\"us-east1\"],to=[\"us-west1\"],at=\"1min\","
                 "for=\"3min\"}]"}) == undisturbed);
  CHECK(silence({"faults.crash=[{process=\"registry/0@us-east1\",at=\"1min\","
                 "restart_after=\"3min\"}]"}) == undisturbed);
  CHECK(silence({"faults.outage=[{datacenter=\"us-east1\",component=\"all\",at=\"1min\","
                 "for=\"3min\"}]"}) == undisturbed);
  // Those of one cell may follow one another; those of another cell delay other attempts.
  const std::string one = "{datacenter=\"us-east1\",component=\"cell\",at=\"1min\",for=\"50s\"}";
  const std::string next = "{datacenter=\"us-east1\",component=\"cell\",at=\"110s\",for=\"40s\"}";
  const std::string far = "{datacenter=\"us-west1\",component=\"cell\",at=\"1min\",for=\"80s\"}";
  CHECK(silence({"faults.outage=[" + one + "," + next + "," + far + "]"}) ==
        undisturbed + std::chrono::seconds(90));
}

TEST_CASE("J-P0 all replicas of all groups have the obligation to restore redundancy") {
  const auto judge = judged({"registry.shards=2", "registry.sharding=dynamic"});
  CHECK(judge.replicas.size() == std::size_t{judge.shards} * judge.replicas_per_group);
  CHECK(judge.unsound.empty());
  CHECK(judge.redundancy_bound >= std::chrono::seconds(40));
  // A replica that receives one slot at a time, or one byte of a snapshot, needs more time for it.
  CHECK(judged({"registry.catch_up_slots=1"}).catch_up_turn > judge.catch_up_turn);
  CHECK(judged({"registry.snapshot_chunk_bytes=1B"}).fetch_turn > judge.fetch_turn);
  // What is lost is requested again.
  CHECK(judged({"network.loss=0.5"}).redundancy_bound > judge.redundancy_bound);
  CHECK(judged({"network.loss=1.0"}).redundancy_bound > judge.redundancy_bound);
}

TEST_CASE("J-P2 B-30 a bundled load's simultaneous operations may be queued before a request") {
  const auto bound = [](std::vector<std::string> set) {
    for (const char* each : {"run.duration=20s", "workload.registry.rate=1",
                             "workload.registry.contested=0", "registry.max_batch_operations=1"}) {
      set.emplace_back(each);
    }
    return judged(set, "scenarios/registry/quiet.toml").commit_bound;
  };
  const Duration alone = bound({"workload.registry.bundle=2000"});  // and nothing arrives bundled
  const std::vector<std::string> bundled{"workload.registry.bundle=2000",
                                         "workload.registry.bundled=0.01"};
  // A transaction each, of a round trip at least.
  CHECK(bound(bundled) - alone > 1'900 * std::chrono::milliseconds(100));
  // No more than a queue takes.
  auto refused = bundled;
  refused.emplace_back("registry.max_queue=30");
  CHECK(bound(refused) < alone + 20 * std::chrono::seconds(1));
  // Operations after an insert are requested as well.
  CHECK(bound({"workload.registry.repeated=0.1", "workload.registry.cleared=0.1",
               "workload.registry.removed=0.1"}) > alone);
}
