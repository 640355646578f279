#include "scenarios/world/fault_plan.h"

#include <set>

#include "scenarios/language/loader.h"
#include "tests/support/catch.h"

using namespace photonsim::scenarios;
namespace sim = photon::sim;

namespace {

struct Planned {
  Deployment deployment{};
  std::vector<sim::Fault> faults{};
};

Planned planned(const std::string& random) {
  const std::vector<std::string> set{"run.duration=20min", "faults.random=[{" + random + "}]"};
  const LoadResult loaded = load("scenarios/healthy.toml", set);
  if (!loaded) FAIL(format(loaded.diagnostics()));
  Planned result{deploy(loaded.config()), {}};
  FaultNumbers numbers;
  result.faults =
      plan_faults(loaded.config(), result.deployment, std::chrono::minutes(20), 5, numbers).list;
  REQUIRE(result.faults.size() > 50);
  return result;
}

// The names of the datacenters that partitions cut off.
std::set<std::string> cut_off(const Planned& plan) {
  std::set<std::string> names;
  for (const sim::Fault& fault : plan.faults) {
    const auto& side = fault.action.as<sim::Partition>().sides.at(0);
    REQUIRE(side.size() == 1);
    names.insert(plan.deployment.topology.datacenter(side[0]).name);
  }
  return names;
}

}  // namespace

TEST_CASE("A-25 random partitions cut off any datacenter, or the one that is named") {
  const std::string partitions = "kind=\"partition\",mean_interval=\"10s\"";
  CHECK(cut_off(planned(partitions)).size() == 5);
  const std::string there = ",datacenter=\"us-west1\"";
  CHECK(cut_off(planned(partitions + there)) == std::set<std::string>{"us-west1"});
  const Planned one_way = planned(partitions + there + ",direction=\"one_way\"");
  CHECK(cut_off(one_way) == std::set<std::string>{"us-west1"});
  for (const sim::Fault& fault : one_way.faults) {
    const auto& partition = fault.action.as<sim::Partition>();
    CHECK(partition.sides.at(1).size() == 1);
    CHECK(partition.direction == sim::Direction::one_way);
  }
}

TEST_CASE("A-25 random crashes hit any process, or those of the datacenter that is named") {
  const Planned plan = planned(
      "kind=\"process_crash\",target=\"registry\",mean_interval=\"10s\",datacenter=\"us-west2\"");
  for (const sim::Fault& fault : plan.faults) {
    const auto& processes = fault.action.as<sim::CrashProcess>().processes;
    REQUIRE(processes.size() == 1);
    CHECK(plan.deployment.topology.process(processes[0]).path.starts_with("us-west2/registry/"));
  }
}

TEST_CASE("B-18 lost disks are those of registry replicas, everywhere or in one datacenter") {
  const auto places = [](const Planned& plan) {
    std::set<std::string> names;
    for (const sim::Fault& fault : plan.faults) {
      const sim::HostId host = fault.action.as<sim::LoseDisk>().host;
      const auto& processes = plan.deployment.topology.host(host).processes;
      REQUIRE(processes.size() == 1);
      const sim::ProcessInfo& process = plan.deployment.topology.process(processes[0]);
      CHECK(process.path.find("/registry/") != std::string::npos);
      names.insert(plan.deployment.topology.datacenter(process.datacenter).name);
    }
    return names;
  };
  const std::string losses = "kind=\"disk_loss\",mean_interval=\"10s\"";
  CHECK(places(planned(losses)).size() == 5);
  CHECK(places(planned(losses + ",datacenter=\"us-west2\"")) == std::set<std::string>{"us-west2"});
}
