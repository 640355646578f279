// Registry replicas that lose their disks, in the whole of Photon.
#include "tests/scenarios/world/run.h"
#include "tests/support/catch.h"
#include "tests/support/effort.h"

using namespace photonsim::tests;

namespace {

// Shard 0's replicas in these datacenters lose their disks at 100 s.
std::string losses(const std::vector<std::string>& datacenters) {
  std::string list;
  for (const std::string& each : datacenters) {
    list += (list.empty() ? "" : ", ") + std::string("{process = \"registry/0@") + each +
            "\", at = \"100s\", restart_after = \"2s\", lose_disk = true}";
  }
  return "faults.crash=[" + list + "]";
}

const std::vector<std::string> kShort{"registry.snapshot_min_bytes=2KiB",
                                      "registry.snapshot_factor=1",
                                      "registry.snapshot_chunk_bytes=1KiB"};

std::vector<std::string> with(std::vector<std::string> settings, const std::string& one) {
  settings.push_back(one);
  return settings;
}

}  // namespace

TEST_CASE("B-18 M-02 f disks lost at once are admitted again, and nothing is lost with them") {
  const Ran ran = run("scenarios/healthy.toml", 1, with(kShort, losses({"us-east1", "us-west1"})));
  INFO("replay: " << ran.replay);
  INFO(ran.json);
  const auto& summary = ran.outcome.summary;
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations == 0);
  CHECK(summary.joined == summary.generated);
  CHECK(summary.registry.disks_replaced == 2);
  CHECK(summary.registry.disks_admitted == 2);
  CHECK(summary.registry.restorations >= 1);  // the log had been cut: only a snapshot could help
}

TEST_CASE("J-H3 B-18 a majority of disks lost at once: silence, which the judge reports, no harm",
          "[sweep]") {
  const Ran ran =
      run("scenarios/healthy.toml", 1, with(kShort, losses({"us-east1", "us-west1", "us-west2"})));
  INFO("replay: " << ran.replay);
  CHECK(ran.outcome.safety_violations == 0);
  CHECK(ran.outcome.liveness_violations > 0);
  CHECK(ran.outcome.summary.registry.disks_admitted == 0);
}

TEST_CASE("B-18 J-S6 short logs and disks lost again and again under constant elections") {
  const std::uint64_t seeds = photon::testing::effort(8);
  std::uint64_t admitted = 0;
  std::uint64_t restored = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Ran ran = run("tests/mutants/scenarios/lost_disks.toml", seed);
    INFO("replay: " << ran.replay);
    INFO(ran.json);
    CHECK(ran.outcome.safety_violations == 0);
    CHECK(ran.outcome.liveness_violations == 0);
    admitted += ran.outcome.summary.registry.disks_admitted;
    restored += ran.outcome.summary.registry.restorations;
  }
  CHECK(admitted > 4 * seeds);
  CHECK(restored > 12 * seeds);
}
