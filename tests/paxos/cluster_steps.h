// Steps that tests repeat with a cluster.
#pragma once

#include <chrono>

#include "tests/paxos/cluster.h"
#include "tests/support/catch.h"

namespace photon::paxos::testing {

// A network that neither loses nor duplicates.
inline WorldOptions quiet(std::uint32_t replicas) {
  WorldOptions options;
  options.replicas = replicas;
  options.loss_percent = 0;
  options.duplicate_percent = 0;
  return options;
}

// Runs until there is a master, at most for `limit`.
inline ReplicaIndex await_master(Cluster& cluster, Duration limit = std::chrono::seconds(10)) {
  const Duration end = cluster.now() + limit;
  while (!cluster.master() && cluster.now() < end) {
    cluster.run_until(cluster.now() + std::chrono::milliseconds(5));
  }
  REQUIRE(cluster.violation() == "");
  REQUIRE(cluster.master().has_value());
  return *cluster.master();
}

}  // namespace photon::paxos::testing
