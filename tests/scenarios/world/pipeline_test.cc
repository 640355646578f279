// The whole of Photon, end to end, judged by the oracles.
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

const std::string kSmall = "scenarios/trace.toml";
const std::vector<std::string> kNoFaults{"faults.random=[]", "faults.outage=[]",
                                         "faults.crash=[]",  "faults.partition=[]",
                                         "network.loss=0",   "network.duplication=0"};

// The replicas of these datacenters are down from 100 s to 130 s.
std::string registry_outages(const std::vector<std::string>& datacenters) {
  std::string list;
  for (const std::string& each : datacenters) {
    list += (list.empty() ? "" : ", ") + std::string("{datacenter = \"") + each +
            "\", component = \"registry\", at = \"100s\", for = \"30s\"}";
  }
  return "faults.outage=[" + list + "]";
}

}  // namespace

TEST_CASE("A-02 B-02 D-07 a small trace without faults: every click that has its query is joined") {
  const Ran ran = run(kSmall, 1, kNoFaults);
  require_clean(ran);
  CHECK(ran.outcome.summary.generated == 400);
  CHECK(ran.outcome.summary.joined == 395);
  CHECK(never_joinable_by(ran, "unjoinable") == 5);
  CHECK(lost(ran) == 0);
  CHECK(ran.outcome.summary.registry.elections == 4);  // one per shard and no more
}

TEST_CASE("C-24 J-P0 replica crashes, message loss and an outage lose nothing, in 5 seeds",
          "[sweep]") {
  for (std::uint64_t seed = 1; seed <= photon::testing::effort(5); ++seed) {
    const Ran ran = run(kSmall, seed);
    require_clean(ran);
    CHECK(ran.outcome.summary.joined == 395);
    CHECK(never_joinable_by(ran, "unjoinable") == 5);
    CHECK(ran.outcome.summary.faults_effective > 0);
  }
}

TEST_CASE("D-20 killed joiners lose only what they had registered, each click with its evidence") {
  std::uint64_t crashes = 0;
  for (std::uint64_t seed = 1; photon::testing::another_seed(seed, 5, crashes > 0); ++seed) {
    const Ran ran = run("scenarios/trace_kills.toml", seed);
    require_clean(ran);
    CHECK(ran.outcome.summary.joined + lost_by(ran, "L-crash") == 395);
    CHECK(lost(ran) == lost_by(ran, "L-crash"));
    crashes += ran.outcome.summary.joiner_crashes;
  }
  CHECK(crashes > 0);
}

TEST_CASE("D-21 a joiner's own measure of latency may be negative, true latency may not") {
  const Ran ran = run("scenarios/healthy.toml", 1,
                      {"run.duration=2min", "clocks.epsilon=2s", "clocks.sync_error=1500ms"});
  require_clean(ran);
  const photon::analysis::Summary& summary = ran.outcome.summary;
  CHECK(summary.latency_at_output.min > 0.1);
  CHECK(summary.latency_biased.min < -0.5);
  CHECK(summary.latency_biased.count == summary.joined);
  CHECK(summary.latency.mean > summary.latency_at_output.mean);
  CHECK(summary.latency.mean - summary.latency_at_output.mean < 0.2);  // one append
}

TEST_CASE("C-10 G-15 without the pre-lookup the result is the same, and every join is done twice") {
  const Ran with = run("scenarios/healthy.toml", 4);
  const Ran without = run("scenarios/healthy.toml", 4, {"dispatcher.pre_lookup=false"});
  require_clean(with);
  require_clean(without);
  CHECK(without.outcome.summary.joined == with.outcome.summary.joined);
  CHECK(without.outcome.summary.wasted_joins > 10 * (with.outcome.summary.wasted_joins + 1));
  // Two pipelines, each of which joins everything: one of them needlessly.
  CHECK(without.outcome.summary.wasted_joins > without.outcome.summary.joined * 99 / 100);
  CHECK(without.outcome.summary.wasted_joins <= without.outcome.summary.joined);
}

TEST_CASE("L-40 one pipeline alone joins everything as well") {
  const Ran ran = run("scenarios/healthy.toml", 5, {"topology.pipelines=us-east1"});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.wasted_joins == 0);
}

TEST_CASE("G-01 a region of two replicas lost: service continues under a new master") {
  const Ran ran = run("scenarios/healthy.toml", 6, {registry_outages({"us-west1", "us-west2"})});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.registry.failovers > 0);
}

TEST_CASE(
    "B-17 three of five replicas lost: nothing commits, nothing is lost, it heals by itself") {
  const Ran ran =
      run("scenarios/healthy.toml", 7, {registry_outages({"us-west1", "us-west2", "us-central1"})});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.latency.max > 20.0);  // the outage is visible as waiting
}

TEST_CASE("E-16 C-22 readers down for longer than the unjoinable age cost time, not clicks") {
  const Ran ran = run(
      "scenarios/healthy.toml", 8,
      {"dispatcher.unjoinable_age=30s", "dispatcher.unjoinable_attempts=3",
       "dispatcher.backoff_cap=10s",
       "faults.crash=[{process = \"us-east1/reader/0\", at = \"60s\", restart_after = \"150s\"}, "
       "{process = \"us-west1/reader/0\", at = \"60s\", restart_after = \"150s\"}]"});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
}

TEST_CASE("B-31 D-12 clients that time out on a slow registry do not overload it") {
  // Some 30 operations per second are possible and 20 are requested; but elections, batches of one
  // and a round trip over the continent make many clients wait longer than their time-out.
  const Ran ran =
      run("scenarios/healthy.toml", 1,
          {"run.duration=60s", "run.warm_up=5s", "workload.synthetic.clicks=600",
           "registry.max_batch_operations=1", "registry.shards=1", "dispatcher.pre_lookup=false"});
  require_clean(ran);
  const auto& summary = ran.outcome.summary;
  CHECK(summary.joined == summary.generated);
  // Every click is tried once in each datacenter, and repetitions are not executed again.
  CHECK(summary.registry.insert_attempts < 3 * summary.generated);
  CHECK(summary.registry.transactions < 3 * summary.generated);
}

TEST_CASE("C-20 J-P0 answers later than the dispatcher's time-out finish their clicks") {
  // More is requested than is possible, until the joiners' caps are full: then every registration
  // takes longer than a dispatcher's time-out, and only late answers can arrive.
  const Ran ran =
      run("scenarios/healthy.toml", 1,
          {"run.duration=60s", "run.warm_up=5s", "workload.synthetic.clicks=1200",
           "registry.max_batch_operations=1", "registry.shards=1", "dispatcher.pre_lookup=false"});
  require_clean(ran);
  CHECK(ran.outcome.summary.joined == ran.outcome.summary.generated);
  CHECK(ran.outcome.summary.registry.insert_attempts < 10 * ran.outcome.summary.generated);
}
