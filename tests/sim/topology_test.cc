#include "sim/topology.h"

#include "tests/sim/sim_world.h"
#include "tests/support/catch.h"

namespace photon::sim {

TEST_CASE("a topology knows process, host, datacenter and region") {
  const Topology topology = three_datacenters();
  CHECK(topology.find_process("b/worker/1") == NodeId(3));
  CHECK_FALSE(topology.find_process("b/worker/2").has_value());
  CHECK(topology.find_datacenter("c") == DatacenterId(2));
  CHECK(topology.process(NodeId(3)).host == HostId(1));
  CHECK(topology.datacenter(DatacenterId(2)).region == RegionId(1));
  CHECK(topology.regions()[0].datacenters.size() == 2);
  CHECK(topology.host(HostId(2)).processes == std::vector{NodeId(4), NodeId(5)});
  CHECK(topology.volume(VolumeId(3)).kind == VolumeClass::shared_cell);
}

TEST_CASE("patterns match paths component by component") {
  CHECK(matches_path("*", "a/worker/0"));
  CHECK(matches_path("a", "a/worker/0"));
  CHECK(matches_path("*/worker/1", "a/worker/1"));
  CHECK_FALSE(matches_path("*/worker/1", "a/worker/10"));
  CHECK_FALSE(matches_path("a/worker/0/x", "a/worker/0"));
  CHECK_FALSE(matches_path("b", "a/worker/0"));
  const Topology topology = three_datacenters();
  CHECK(topology.processes_matching("*/worker/0") == std::vector{NodeId(0), NodeId(2), NodeId(4)});
  CHECK(topology.hosts_matching("b/*") == std::vector{HostId(1)});
}

}  // namespace photon::sim
