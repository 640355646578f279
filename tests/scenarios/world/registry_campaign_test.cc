// The randomised campaign of the registry alone, in small: many short runs full of faults, no
// violation, and every corner case really occurs. The large one: `photonsim fuzz`.
#include <cmath>
#include <filesystem>
#include <set>

#include "analysis/corner_cases/corner_case.h"
#include "campaigns/campaign.h"
#include "scenarios/language/loader.h"
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

const std::vector<std::string>& campaign() {
  static const std::vector<std::string> names{"five", "region", "reshard", "three"};
  return names;
}

std::string file_of(const std::string& name) { return "scenarios/registry/" + name + ".toml"; }

Ran quiet(const std::vector<std::string>& overrides) { return run(file_of("quiet"), 1, overrides); }

}  // namespace

TEST_CASE("every registry scenario of the library loads under its own name and is tested") {
  std::set<std::string> known{"base", "quiet", "quiet_100ms"};
  for (const std::string& name : campaign()) known.insert("campaign_" + name);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios/registry")) {
    if (entry.path().extension() != ".toml") continue;
    const std::string stem = entry.path().stem().string();
    found.insert(stem);
    const auto loaded = photonsim::scenarios::load(entry.path().string(), {});
    REQUIRE(loaded.ok());
    if (stem != "base") CHECK(loaded.config().scenario.name == stem);
  }
  CHECK(found == known);
}

TEST_CASE("J-H4 100 runs of the registry under all faults: none fails, every corner case occurs",
          "[sweep]") {
  photonsim::campaigns::CampaignSum sum({"all"});
  constexpr std::uint64_t kRuns = photon::testing::effort(100);
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Ran ran = run(file_of("campaign_" + campaign()[seed % campaign().size()]), seed);
    INFO("replay: " << ran.replay);
    CHECK(ran.outcome.safety_violations + ran.outcome.liveness_violations == 0);
    CHECK(ran.outcome.summary.load.answered > 50);
    // Garbage is collected under load and faults, and the boundary keeps moving (B-68, B-69).
    const auto& registry = ran.outcome.summary.registry;
    CHECK(registry.collections > 0);
    CHECK(registry.ids_collected >= registry.collections);
    CHECK(registry.boundary_lag_mean > 0.02);  // the uncertainty of TrueTime
    CHECK(registry.boundary_lag_mean < 4);
    auto run = photon::analysis::run_record_of(ran.outcome.summary, ran.outcome.histograms);
    CHECK(sum.add(std::move(run)));
  }
  CHECK(sum.runs() == kRuns);
  // A few runs need not show everything.
  if (kRuns == 100) CHECK(sum.missing() == std::vector<std::string>{});
}

TEST_CASE("J-H4 without faults, rivals or changes the corner cases of these do not occur") {
  const Ran ran = quiet({"workload.registry.rate=50"});
  for (const auto& [name, count] : ran.outcome.summary.corner_cases) {
    INFO(name);
    CHECK(count == 0);
  }
}

TEST_CASE("G-03 a commit takes the second-smallest remote round trip and the disk, from anywhere") {
  const std::vector<std::pair<std::string, double>> expected{{"us-east1", 33.133},
                                                             {"us-east4", 24.669},
                                                             {"us-west1", 32.004},
                                                             {"us-west2", 35.487},
                                                             {"us-central1", 32.004}};
  for (const auto& [master, round_trip] : expected) {
    INFO(master);
    const Ran ran = quiet({"topology.pipelines=" + master, "registry.pinned_datacenter=" + master});
    const auto& commit = ran.outcome.summary.registry.commit_latency;
    REQUIRE(commit.count > 50);
    const double disk = 1.0;
    CHECK(commit.mean * 1e3 > round_trip + disk - 0.01);
    CHECK(commit.mean * 1e3 < round_trip + disk + 0.1);
  }
}

// An insert waits for half a commit on average, and then for its own.
TEST_CASE("G-10 G-12 batches grow with the load, transactions stay at 1/L, latency at 1.5 L") {
  for (const int rate : {1, 100, 500, 1000}) {
    INFO("rate " << rate);
    const Ran ran = quiet({"run.duration=35s", "workload.registry.rate=" + std::to_string(rate)});
    const auto& load = ran.outcome.summary.load;
    const double commit = ran.outcome.summary.registry.commit_latency.mean;
    const double service = 0.002;  // to the master and back, and its queue
    CHECK(load.insert_latency.p50 > commit);
    if (rate == 1) {
      CHECK(load.insert_latency.p50 < commit + service);
      continue;
    }
    CHECK(load.insert_latency.mean < 1.5 * commit + service);
    // At 100/s lambda x L is 3.4: after one commit in thirty the queue is empty.
    CHECK(load.insert_latency.mean > (rate == 100 ? 1.45 : 1.48) * commit);
    const double arrivals = static_cast<double>(load.operations) / load.seconds;
    CHECK(std::abs(load.mean_batch / (arrivals * commit) - 1) < 0.05);
    CHECK(std::abs(load.transactions_per_second * commit - 1) < 0.03);
  }
}

// The ablation: what waiting for more operations costs a lone insert, and what it saves.
TEST_CASE("G-12 B-22 a linger delays a lone insert by its length, and does fewer transactions") {
  const auto with = [](const std::string& rate, const std::string& linger) {
    return quiet(
        {"run.duration=35s", "workload.registry.rate=" + rate, "registry.linger=" + linger});
  };
  const Ran lone = with("1", "20ms");
  const double commit = lone.outcome.summary.registry.commit_latency.mean;
  const double service = 0.002;
  CHECK(lone.outcome.summary.load.insert_latency.p50 > commit + 0.02);
  CHECK(lone.outcome.summary.load.insert_latency.p50 < commit + 0.02 + service);
  CHECK(lone.outcome.summary.load.mean_batch < 1.1);

  // While a batch commits, the next ones have waited longer than a short linger: it costs nothing.
  const Ran busy = with("1000", "1ms");
  CHECK(busy.outcome.summary.load.insert_latency.mean < 1.5 * commit + service);

  // A batch leaves 100 ms after its first operation came, which came 10 ms after the one before.
  const Ran patient = with("100", "100ms");
  const auto& load = patient.outcome.summary.load;
  const double rate = static_cast<double>(load.operations) / load.seconds;
  CHECK(load.transactions_per_second == Approx(1 / (0.1 + 1 / rate)).epsilon(0.05));
  CHECK(load.mean_batch == Approx(1 + 0.1 * rate).epsilon(0.05));
  // The first waits the whole linger, the others half of it.
  CHECK(load.insert_latency.mean == Approx(commit + 0.05 + 0.05 / load.mean_batch).epsilon(0.05));

  // 30 inserts fill 1 KiB: such a batch does not wait either.
  const Ran bytes = quiet({"run.duration=35s", "workload.registry.rate=300",
                           "registry.linger=500ms", "registry.max_batch_bytes=1KiB"});
  CHECK(bytes.outcome.summary.load.mean_batch > 28);
  CHECK(bytes.outcome.summary.load.insert_latency.mean < commit + 0.1);

  // A full batch does not wait: as many transactions as the limit asks for.
  const Ran full = quiet({"run.duration=35s", "workload.registry.rate=100", "registry.linger=10s",
                          "joiner.registry_timeout=60s", "registry.max_batch_operations=10"});
  CHECK(full.outcome.summary.load.mean_batch > 9);
  CHECK(full.outcome.summary.load.insert_latency.p50 < 0.2);
}

// Each batch in flight has its own commit, however many are open.
TEST_CASE("G-03 B-24 with several batches in flight a commit takes no longer") {
  const Ran ran = quiet({"run.duration=35s", "workload.registry.rate=500",
                         "registry.pipeline_depth=4", "registry.max_batch_operations=8"});
  const auto& registry = ran.outcome.summary.registry;
  const auto& load = ran.outcome.summary.load;
  const auto transactions = static_cast<double>(registry.transactions);
  const double round_trip = 0.033133;  // as with one in flight, above
  const double disk = 0.001;
  CHECK(std::abs(static_cast<double>(registry.commit_latency.count) / transactions - 1) < 0.005);
  CHECK(registry.commit_latency.min > round_trip + disk - 0.00001);
  CHECK(registry.commit_latency.p50 < round_trip + disk + 0.0005);
  CHECK(registry.commit_latency.mean < round_trip + disk + 0.0005);
  // There really are several: three times as many as one after the other.
  CHECK(load.transactions_per_second * registry.commit_latency.mean > 3);
  CHECK(load.mean_batch < 8);
  CHECK(load.insert_latency.mean < 1.25 * registry.commit_latency.mean);
}

TEST_CASE(
    "G-11 without batches a shard does 1/L at most, and beyond that its queue grows without end") {
  const std::vector<std::string> alone{"registry.max_batch_operations=1", "run.duration=35s"};
  const auto with = [&](const std::string& more) {
    std::vector<std::string> all = alone;
    all.push_back(more);
    return quiet(all);
  };
  const Ran below = with("workload.registry.rate=20");
  const Ran above = with("workload.registry.rate=60");
  const double commit = above.outcome.summary.registry.commit_latency.mean;
  CHECK(below.outcome.summary.load.insert_latency.mean < 6 * commit);
  CHECK(above.outcome.summary.load.transactions_per_second < 1.001 / commit);
  CHECK(above.outcome.summary.load.transactions_per_second > 0.97 / commit);
  // 30 s at twice its capacity: the last one waits for half of that time again.
  CHECK(above.outcome.summary.load.insert_latency.max > 20);
  CHECK(above.outcome.summary.load.answered == above.outcome.summary.load.operations);
}

// The paper's case for batching and sharding, 100 ms from every other replica (section 2.2).
TEST_CASE(
    "B-74 unbatched below 10 transactions/s, batched and sharded tens of thousands of key "
    "operations/s") {
  const std::string scenario = "scenarios/registry/quiet_100ms.toml";
  const Ran alone =
      run(scenario, 1,
          {"registry.max_batch_operations=1", "workload.registry.rate=20", "run.duration=15s"});
  INFO("replay: " << alone.replay);
  CHECK(alone.outcome.summary.load.transactions_per_second < 10);
  CHECK(alone.outcome.summary.load.transactions_per_second > 9);

  const Ran many =
      run(scenario, 1,
          {"registry.shards=10", "workload.registry.rate=25000", "workload.registry.lookups=0.5",
           "workload.registry.known=0.5", "registry.max_batch_operations=4096", "run.duration=8s"});
  INFO("replay: " << many.replay);
  INFO(many.json);
  const auto& load = many.outcome.summary.load;
  const double commit = many.outcome.summary.registry.commit_latency.mean;
  CHECK(many.outcome.safety_violations + many.outcome.liveness_violations == 0);
  CHECK(load.answered == load.operations);
  CHECK(static_cast<double>(load.operations) / load.seconds > 20'000);
  CHECK(load.lookup_latency.count > load.operations / 3);
  CHECK(load.insert_latency.count > load.operations / 3);
  CHECK(load.insert_latency.max < 4 * commit);  // no queue grows
}

TEST_CASE("B-18 making a snapshot takes the replica's time, writing it the disk's") {
  const auto with = [](const std::string& processor, const std::string& rate) {
    return quiet({"workload.registry.rate=20", "registry.snapshot_min_bytes=4KiB",
                  "service.registry_snapshot=" + processor, "disk.write_rate=" + rate})
        .outcome.summary.registry;
  };
  const auto free = with("0s", "0B");
  REQUIRE(free.snapshots > 20);
  // Some ten kilobytes at 20 s for each MiB: a commit waits for them.
  CHECK(with("20s", "0B").commit_latency.max > free.commit_latency.max + 0.05);
  // On a slow disk the next one begins later.
  CHECK(with("0s", "500B").snapshots < free.snapshots / 2);
}
